"""The figure of a study: how often the first side of every cell wins."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.sampling.simulation import Simulation
from houle.reports.figures.style import interval_rows, make_figure, percent_axis, short_percent

ROW = 0.3  # inches per cell


def draw(title: str, cells: Sequence[tuple[str, Simulation]], path: Path | None = None) -> Figure:
    """A line for every cell, by its label."""
    games = sorted({simulation.games for _, simulation in cells})
    strategies = sorted({name for _, simulation in cells for name in simulation.run.strategies})
    seeds = sorted({simulation.run.seed for _, simulation in cells})

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        interval_rows(ax, [(label, simulation.sides[0].win, "C0") for label, simulation in cells], short_percent)
        ax.tick_params(axis="y", labelsize=8.5)
        ax.set_xlim(left=0)
        ax.margins(x=0.15)
        percent_axis(ax.xaxis)

    number = f"{games[0]:,}" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,}"
    caption = (
        f"{title}; variants and players as named; {', '.join(strategies)};\n{number} games of a cell, "
        f"seed {', '.join(map(str, seeds))}; bars are 95% intervals"
    )
    return make_figure(f"{title}: games won", caption, (7.4, 1.5 + ROW * len(cells)), paint, path)
