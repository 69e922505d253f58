"""The figure of `houle strength --response`: what the answer to each strategy wins above a fair share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.strategy.response import Responses
from houle.reports.figures.style import QUIET, make_figure, scaled
from houle.reports.names import table_title


def draw(result: Responses, path: Path | None = None) -> Figure:
    """A row per strategy, the first on top."""
    rows = result.responses

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        for place, row in enumerate(rows):
            low, value, high = scaled(row.gain)
            ax.hlines(place, low, high, color="C0")
            ax.plot(value, place, "o", color="C0")
        ax.axvline(0, color=QUIET, linewidth=1, linestyle=":")
        ax.set_yticks(range(len(rows)), [row.strategy for row in rows], parse_math=False)
        ax.set_ylim(len(rows) - 0.5, -0.5)
        ax.set_xlabel("points above a fair share")

    caption = (
        f"{result.games:,} deals, half of them to choose the answer, from every seat in turn, seed {result.seed};\n"
        f"answers are flat searches of {result.worlds} worlds; bars are 95% intervals by deal"
    )
    title = f"{table_title(result.setup)}: what an answer gains"
    return make_figure(title, caption, (7.0, 1.4 + 0.5 * max(1, len(rows))), paint, path, [result.setup])
