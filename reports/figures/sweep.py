"""The figure of `houle sweep`: one measure over the grid, as lines or as a heat map.

The longest axis of numbers is at the bottom, the next axis makes lines or rows, the others make panels. The target is a
shaded band; in heat maps, cells on target have a solid frame, and cells that may be on target a dashed one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Protocol

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from houle.analysis.measures.measures import is_percent, measure_title
from houle.analysis.measures.targets import Target
from houle.analysis.sampling.grid import Arm, Grid, axis_text, short_line_up
from houle.analysis.stats.estimate import Estimate
from houle.analysis.tables.table import Table
from houle.reports.figures.style import differences, make_figure, percent_axis, scaled
from houle.solver.rules import value_text, variant_name

FRAMES = {"inside": "solid", "perhaps": "dashed"}  # frames of cells on target
FRAME = "#D55E00"
DARK = 0.55  # part of the span below which ink is white

Cells = Mapping[tuple[int, int], tuple[Estimate, str | None]]  # column, row -> what is shown, its target


def span_of(estimates: Iterable[Estimate]) -> tuple[float, float]:
    """The least and greatest value, as shown; never equal."""
    values = [scaled(estimate)[1] for estimate in estimates]
    return min(values), max(values) if max(values) > min(values) else min(values) + 1


def heat_map(ax: Any, columns: Sequence[str], rows: Sequence[str], cells: Cells, span: tuple[float, float]) -> Any:
    """Draw a cell for every estimate, with its half-width below it; returns the image."""
    shares = [[math.nan] * len(columns) for _ in rows]
    for (x, y), (estimate, target) in cells.items():
        low, value, high = scaled(estimate)
        shares[y][x] = value
        ink = "white" if (value - span[0]) / (span[1] - span[0]) < DARK else "black"
        half = max(high - value, value - low)
        words = f"{estimate.short()}\n±{half:.{estimate.digits}f}"
        ax.text(x, y, words, ha="center", va="center", fontsize=8, color=ink)
        if target in FRAMES:
            line = FRAMES[target]
            ax.add_patch(
                Rectangle((x - 0.47, y - 0.46), 0.94, 0.92, fill=False, edgecolor=FRAME, linewidth=2.5, linestyle=line)
            )
    image = ax.imshow(shares, cmap="cividis", vmin=span[0], vmax=span[1], aspect="auto")
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.grid(False)
    return image


FEW_COLOURS = 6
TARGET = "#009E73"


class ShownCell(Protocol):
    """A cell of a sweep or of a study."""

    @property
    def arm(self) -> Arm: ...

    @property
    def measures(self) -> Mapping[str, Estimate]: ...

    @property
    def target(self) -> str | None: ...


@dataclass(frozen=True)
class _Cell:
    """A row of a sweep."""

    arm: Arm
    measures: Mapping[str, Estimate]
    target: str | None


def draw(result: Table, kind: str | None = None) -> Figure:
    """Draw the first measure of a sweep as `line` or `heat`; the grid decides if `kind` is None."""
    measure = result.measures[0]
    counted = f"{'up to ' * result.sample.uneven}{result.games:,} games of each cell, seed {result.seed}"
    cells = [_Cell(row.arm, {measure: row.value}, row.target) for row in result.of(measure)]
    return draw_grid(result.grid or Grid(result.arms), cells, measure, result.targets, counted=counted, plot=kind)


def draw_grid(
    arms: Grid,
    shown: Sequence[ShownCell],
    measure: str,
    targets: Sequence[Target],
    counted: str,
    plot: str | None = None,
) -> Figure:
    """Draw a measure of the cells of a grid; `counted` says which games."""
    axes, values = _order(arms), arms.axes
    along, across, rest = axes[0], axes[1] if len(axes) > 1 else None, axes[2:]
    if plot is None:
        many = across is not None and (len(values[across]) > FEW_COLOURS or not _numeric(values[along]))
        plot = "heat" if many or (across and len(values[across]) * len(values[along]) >= 12) else "line"
    plot = "line" if across is None else plot
    panels = [dict(zip(rest, chosen, strict=True)) for chosen in product(*(values[axis] for axis in rest))]
    cell_at = {_key(cell.arm.values, axes): cell for cell in shown}
    scale = 100 if is_percent(measure) else 1
    title = measure_title(measure, [cell.arm.setup for cell in shown])
    columns = min(len(panels), 3)
    rows = math.ceil(len(panels) / columns)

    def paint(figure: Any) -> None:
        grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        image = None
        span = span_of(cell.measures[measure] for cell in shown)
        for i, ax in enumerate(grid.flat):
            if i >= len(panels):
                ax.set_axis_off()
                continue
            cells = {
                key[:2]: (cell.measures[measure], cell.target)
                for key, cell in cell_at.items()
                if key[2:] == tuple(value_text(panels[i][axis]) for axis in rest)
            }
            if plot == "heat" and across is not None:
                image = _heat(ax, cells, arms, (along, across), span=span)
                ax.set_ylabel(across if i % columns == 0 else "")
            else:
                _lines(ax, cells, arms, (along, across), legend=i == 0)
                _bands(ax, targets, measure, scale)
                if scale == 100:
                    percent_axis(ax.yaxis)
            lowest = i + columns >= len(panels)  # nothing is below it, even if it is not in the last row
            ax.set_xlabel(along if lowest else "")
            ax.tick_params(axis="x", labelbottom=lowest)
            ax.set_title(", ".join(arms.axis_text(axis, value) for axis, value in panels[i].items()) or " ")
        if image is not None:
            legend = figure.colorbar(image, ax=grid, shrink=0.9, pad=0.02)
            legend.outline.set_visible(False)
            if scale == 100:
                percent_axis(legend.ax.yaxis)

    height = 0.5 * len(values[across]) + 1.2 if plot == "heat" and across else 3.2
    width = 0.75 * len(values[along]) + 0.6 if plot == "heat" else 4.2
    size = (max(5.5, width * columns + 1.5), 1.2 + height * rows)
    return make_figure(
        f"{arms.arms[0].setup.ruleset.title}: {title}",
        _caption(arms, shown, targets, counted),
        size,
        paint,
        own=differences(arms),
    )


def _numeric(values: tuple[Any, ...]) -> bool:
    return all(isinstance(value, int) and not isinstance(value, bool) for value in values)


def _order(grid: Grid) -> list[str]:
    """Axes of numbers first, then longer axes."""
    axes = grid.axes
    if not axes:
        raise ValueError("a grid of one cell has nothing to draw")
    return sorted(axes, key=lambda axis: (axis == "players" or not _numeric(axes[axis]), -len(axes[axis])))


def _key(values: Any, axes: list[str]) -> tuple[str, ...]:
    return tuple(value_text(values[axis]) for axis in axes)


def _heat(ax: Any, cells: Any, grid: Grid, axes: tuple[str, str], span: tuple[float, float]) -> Any:
    along, across = (grid.axes[axis] for axis in axes)
    places = {
        (x, y): cells[key]
        for (y, row), (x, column) in product(enumerate(across), enumerate(along))
        if (key := (value_text(column), value_text(row))) in cells
    }
    columns, rows = ([grid.shown(axis, value) for value in grid.axes[axis]] for axis in axes)
    return heat_map(ax, columns, rows, places, span=span)


def _lines(ax: Any, cells: Any, grid: Grid, axes: tuple[str, str | None], legend: bool) -> None:
    name = axes[1]
    along, across = grid.axes[axes[0]], grid.axes[name] if name else (None,)
    numeric = _numeric(along)
    for i, row in enumerate(across):
        points = []
        for x, column in enumerate(along):
            key = (value_text(column), value_text(row)) if name else (value_text(column),)
            if key in cells:
                points.append((column if numeric else x, *scaled(cells[key][0])))
        if not points:
            continue
        positions, lows, middles, highs = zip(*points, strict=True)
        colour = f"C{i % FEW_COLOURS}"
        label = grid.axis_text(name, row) if name else None
        if numeric:
            ax.plot(positions, middles, "-o", color=colour, label=label)
            ax.fill_between(positions, lows, highs, color=colour, alpha=0.25, linewidth=0)
        else:
            ax.vlines(positions, lows, highs, color=colour)
            ax.plot(positions, middles, "o", color=colour, label=label)
    ax.set_xticks(list(along) if numeric else range(len(along)), [grid.shown(axes[0], value) for value in along])
    ax.grid(True, axis="y")
    if name and legend:
        ax.legend(fontsize=8.5)


def _bands(ax: Any, targets: Sequence[Target], measure: str, scale: float) -> None:
    for target in targets:
        if target.measure == measure:
            ax.axhspan(scale * target.low, scale * target.high, color=TARGET, alpha=0.12, linewidth=0)


def _caption(grid: Grid, shown: Sequence[ShownCell], targets: Sequence[Target], counted: str) -> str:
    arms = grid.arms
    parts = [arms[0].setup.ruleset.title]
    if "players" not in grid.axes:
        parts.append(axis_text("players", arms[0].setup.players))
    names = list(dict.fromkeys(variant_name(arm.setup) for arm in arms))
    if len(names) == 1:
        parts.append(names[0])
    elif "variants" not in grid.axes and arms[0].setup.variants:
        parts.append(" + ".join(arms[0].setup.variants))
    parts.append(", ".join(sorted({short_line_up(arm.strategies) for arm in arms})))
    parts.append(f"{counted}; 95% intervals")
    if targets:
        framed = " (dashed: perhaps)" if any(cell.target == "perhaps" for cell in shown) else ""
        parts.append("on target: " + " and ".join(target.text for target in targets) + framed)
    return "; ".join(parts)
