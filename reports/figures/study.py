"""The figures of a study: how often the first side of every cell wins, or what it scores, in rows or as a map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.measures.goal import Goal
from houle.analysis.sampling.simulation import Simulation
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.reports.figures.style import interval_rows, make_figure, panel_rows, percent_axis, side_by_side
from houle.reports.figures.sweep import heat_map, span_of
from houle.solver.texts import range_of

ROW = 0.3  # inches per cell
MOST_ACROSS = 3  # panels of a map in a row

MapCell = tuple[Mapping[str, str], Simulation, str | None]  # its value on every axis, its result, its target


def reached(simulation: Simulation) -> Estimate:
    """What the first side wins, or scores if that is the goal."""
    side = simulation.sides[0]
    return Goal(simulation.setup).pick(side.win, side.score.interval)


def goal_title(simulations: Iterable[Simulation]) -> str:
    """What is counted in all of them: `games won`, or `mean points`."""
    return next((Goal(one.setup).title for one in simulations), "games won")


def draw(title: str, cells: Sequence[tuple[str, Simulation]]) -> Figure:
    """Draw a line for every cell."""

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        interval_rows(ax, [(label, reached(simulation), "C0") for label, simulation in cells])
        ax.tick_params(axis="y", labelsize=8.5)
        ax.set_xlim(left=0)
        ax.margins(x=0.15)
        if all(reached(simulation).unit == PERCENT for _, simulation in cells):
            percent_axis(ax.xaxis)

    what = goal_title(simulation for _, simulation in cells)
    caption = f"{_played(title, [simulation for _, simulation in cells])}; bars are 95% intervals"
    return make_figure(f"{title}: {what}", caption, (7.4, 1.5 + ROW * len(cells)), paint)


def draw_map(title: str, axes: Mapping[str, Sequence[str]], cells: Sequence[MapCell], targets: str = "") -> Figure:
    """Draw a map of the first two axes, with panels for the others and frames around cells on target."""
    along, across, *others = axes
    panels = [dict(zip(others, chosen, strict=True)) for chosen in product(*(axes[axis] for axis in others))]
    span = span_of(reached(simulation) for _, simulation, _ in cells)

    def paint(figure: Any) -> None:
        for panel, ax in zip(panels, side_by_side(figure, len(panels), MOST_ACROSS), strict=True):
            columns, rows = axes[along], axes[across]
            here = {
                (columns.index(values[along]), rows.index(values[across])): (reached(simulation), target)
                for values, simulation, target in cells
                if all(values[axis] == value for axis, value in panel.items())
            }
            heat_map(ax, columns, rows, here, span)
            ax.set_xlabel(along)
            ax.set_ylabel(across)
            ax.set_title(", ".join(f"{axis} {value}" for axis, value in panel.items()))

    caption = f"{_played(title, [simulation for _, simulation, _ in cells])}, ± half of the 95% interval"
    if targets:
        caption += f"; framed: on target, {targets} (dashed: perhaps)"
    size = (8, 1.9 + 0.45 * len(axes[across]))
    down = panel_rows(len(panels), MOST_ACROSS)
    what = goal_title(simulation for _, simulation, _ in cells)
    return make_figure(f"{title}: {what}, by {along} and {across}", caption, size, paint, rows=down)


def _played(title: str, simulations: Sequence[Simulation]) -> str:
    games = range_of(simulation.games for simulation in simulations)
    players = sorted({one for simulation in simulations for one in simulation.strategies})
    seeds = sorted({simulation.seed for simulation in simulations})
    return f"{title}; {', '.join(players)}; {games} games of each setup, seed {', '.join(map(str, seeds))}"
