"""The figures of a study: how often the first side of every cell wins, in rows or as a map."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from houle.analysis.sampling.simulation import Simulation
from houle.reports.figures.style import (
    interval_rows,
    make_figure,
    panel_rows,
    percent_axis,
    short_percent,
    side_by_side,
)
from houle.reports.names import player_name

ROW = 0.3  # inches per cell
FRAMES = {"inside": "solid", "perhaps": "dashed"}  # frames of cells on target
FRAME = "#D55E00"
MOST_ACROSS = 3  # panels of a map in a row

MapCell = tuple[Mapping[str, str], Simulation, str | None]  # its value on every axis, its result, its target


def draw(title: str, cells: Sequence[tuple[str, Simulation]], path: Path | None = None) -> Figure:
    """Draw a line for every cell."""

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        interval_rows(ax, [(label, simulation.sides[0].win, "C0") for label, simulation in cells], short_percent)
        ax.tick_params(axis="y", labelsize=8.5)
        ax.set_xlim(left=0)
        ax.margins(x=0.15)
        percent_axis(ax.xaxis)

    caption = f"{_played(title, [simulation for _, simulation in cells])}; bars are 95% intervals"
    return make_figure(f"{title}: games won", caption, (7.4, 1.5 + ROW * len(cells)), paint, path)


def draw_map(
    title: str, axes: Mapping[str, Sequence[str]], cells: Sequence[MapCell], targets: str = "", path: Path | None = None
) -> Figure:
    """Draw a map of the first two axes, with panels for the others and frames around cells on target."""
    along, across, *others = axes
    panels = [dict(zip(others, chosen, strict=True)) for chosen in product(*(axes[axis] for axis in others))]
    wins = [100 * simulation.sides[0].win.value for _, simulation, _ in cells]
    span = (min(wins), max(wins) if max(wins) > min(wins) else min(wins) + 1)

    def paint(figure: Any) -> None:
        for panel, ax in zip(panels, side_by_side(figure, len(panels), MOST_ACROSS), strict=True):
            here = [cell for cell in cells if all(cell[0][axis] == value for axis, value in panel.items())]
            _map(ax, (along, axes[along]), (across, axes[across]), here, span)
            ax.set_title(", ".join(f"{axis} {value}" for axis, value in panel.items()))

    caption = f"{_played(title, [simulation for _, simulation, _ in cells])}, ± half of the 95% interval"
    if targets:
        caption += f"; framed: on target, {targets} (dashed: perhaps)"
    height = 1.9 + 0.45 * len(axes[across])
    rows = panel_rows(len(panels), MOST_ACROSS)
    return make_figure(f"{title}: games won, by {along} and {across}", caption, (8, height), paint, path, rows=rows)


def _played(title: str, simulations: Sequence[Simulation]) -> str:
    games = sorted({simulation.games for simulation in simulations})
    players = sorted({player_name(one) for simulation in simulations for one in simulation.run.strategies})
    seeds = sorted({simulation.run.seed for simulation in simulations})
    number = f"{games[0]:,}" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,}"
    return f"{title}; {', '.join(players)}; {number} games of each setup, seed {', '.join(map(str, seeds))}"


def _map(
    ax: Any,
    along: tuple[str, Sequence[str]],
    across: tuple[str, Sequence[str]],
    cells: Sequence[MapCell],
    span: tuple[float, float],
) -> None:
    shares = [[math.nan] * len(along[1]) for _ in across[1]]
    for values, simulation, target in cells:
        x, y = along[1].index(values[along[0]]), across[1].index(values[across[0]])
        win = simulation.sides[0].win
        shares[y][x] = 100 * win.value
        dark = (100 * win.value - span[0]) / (span[1] - span[0]) < 0.55
        words = f"{100 * win.value:.3g}%\n±{100 * win.half:.2g}"
        ax.text(x, y, words, ha="center", va="center", fontsize=8.5, color="white" if dark else "black")
        if target in FRAMES:
            corner = (x - 0.46, y - 0.45)
            ax.add_patch(
                Rectangle(corner, 0.92, 0.9, fill=False, edgecolor=FRAME, linewidth=2.5, linestyle=FRAMES[target])
            )
    ax.imshow(shares, cmap="cividis", vmin=span[0], vmax=span[1], aspect="auto")
    ax.set_xticks(range(len(along[1])), along[1])
    ax.set_yticks(range(len(across[1])), across[1])
    ax.set_xlabel(along[0])
    ax.set_ylabel(across[0])
    ax.grid(False)
