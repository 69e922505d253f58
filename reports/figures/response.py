"""The figure of `houle strength --response`: what the best answer to each player wins beyond an equal share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.strategy.response import Responses
from houle.reports.figures.style import QUIET, make_figure, scaled
from houle.reports.names import player_name, setup_title


def draw(result: Responses, path: Path | None = None) -> Figure:
    """Draw a row per player, the first on top."""
    rows = result.responses

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        for y, row in enumerate(rows):
            low, value, high = scaled(row.gain)
            ax.hlines(y, low, high, color="C0")
            ax.plot(value, y, "o", color="C0")
        ax.axvline(0, color=QUIET, linewidth=1, linestyle=":")
        ax.set_yticks(range(len(rows)), [player_name(row.strategy) for row in rows], parse_math=False)
        ax.set_ylim(len(rows) - 0.5, -0.5)
        ax.set_xlabel("points beyond an equal share")

    caption = (
        f"{result.games:,} deals, half of them to choose the answer, from every seat in turn, seed {result.seed};\n"
        f"answers are flat:{result.worlds} searches; bars are 95% intervals"
    )
    title = f"{setup_title(result.setup)}: what the best answer gains"
    return make_figure(title, caption, (7.0, 1.4 + 0.5 * max(1, len(rows))), paint, path, [result.setup])
