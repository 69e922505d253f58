"""The figure of `houle calibrate`: how likely your results are at each level of players."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from houle.analysis.players.named_players import levels
from houle.analysis.result import setup_title
from houle.analysis.strategy.calibration import FINE, Calibration, places
from houle.reports.figures.style import make_figure

SIZE = (8.5, 3.6)


def draw(result: Calibration) -> Figure:
    """Draw the likelihood and the interval of your group's level."""
    level = result.level

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        ax.axvspan(level.low, level.high, color="C0", alpha=0.15, linewidth=0)
        ax.axvline(level.value, color="C0", linewidth=1)
        ax.plot(places(), np.exp(result.likelihood[::FINE]), color="C0", marker="o", markersize=3)
        ax.set_xlim(-0.05, len(levels()) - 0.95)
        ax.set_ylim(0, 1.05)
        ax.set_xticks(range(len(levels())), [one.name for one in levels()])
        ax.set_ylabel("likelihood")

    caption = (
        f"{level.n:,} results; {result.games:,} simulated games for each dot, seed {result.seed}.\n"
        f"Shaded: the 95% interval, {level.parts(2)[1]} (0 is {levels()[0].name}). "
        "The levels were set by hand."
    )
    title = f"{setup_title(result.setup)}: {result.sentence}"
    return make_figure(title, caption, SIZE, paint, [result.setup])
