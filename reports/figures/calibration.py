"""The figure of `houle calibrate`: how likely each point of slips and thought is, given your results."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from houle.analysis.players.named_players import levels
from houle.analysis.players.plane import as_numbers, in_levels, points
from houle.analysis.result import setup_title
from houle.analysis.strategy.calibration import Calibration, chances_of_points
from houle.reports.figures.style import make_figure

SIZE = (7.0, 5.0)


def draw(result: Calibration) -> Figure:
    """Draw the chance of every point, the equally likely points that stand for your group, and the levels."""
    slips, thought = (np.unique(points()[:, axis]) for axis in (0, 1))
    chances = chances_of_points(result.likelihood).reshape(len(slips), len(thought)).T

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        ax.pcolormesh(slips, thought, chances, cmap="Blues", shading="nearest")
        ax.plot(*zip(*(in_levels(*point) for point in result.points), strict=True), "o", color="C1", markersize=4)
        for number, level in enumerate(levels()):
            ax.annotate(level.name, (number, number), ha="center", va="center", fontsize=8.5)
        ticks = range(-1, len(levels()) + 1)
        ax.set_xticks(ticks[:-1], [f"{as_numbers((tick, 0))[0]:g}" for tick in ticks[:-1]])
        ax.set_yticks(ticks, [f"{as_numbers((0, tick))[1]:g}" for tick in ticks])
        ax.set_xlabel("slips, percent")
        ax.set_ylabel("thought, imagined deals")

    caption = (
        f"{result.evidence}; up to {result.games:,} games at each of 16 points, seed {result.seed}.\n"
        "Dark: likely. Dots: equally likely points that stand for the group. The levels were set by hand."
    )
    title = f"{setup_title(result.setup)}: {result.sentence}"
    return make_figure(title, caption, SIZE, paint, [result.setup])
