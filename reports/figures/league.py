"""The figure of `houle strength --league`: what each kind of player wins, by how many of them play."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.stats.estimate import Estimate
from houle.analysis.strategy.league import League
from houle.reports.figures.style import QUIET, make_figure, percent_axis, scaled
from houle.reports.names import setup_title

ACROSS = 3  # panels in a row
SHIFT = 0.04  # between the two kinds


def draw(result: League, path: Path | None = None) -> Figure:
    """Draw a panel for every pair of kinds."""
    pairs = [pair for pair in combinations(range(len(result.strategies)), 2) if _tables(result, *pair)]
    down, across = -(-len(pairs) // ACROSS) or 1, min(ACROSS, len(pairs)) or 1

    def paint(figure: Any) -> None:
        panels = figure.subplots(down, across, sharey=True, squeeze=False).flat
        for ax, pair in zip(panels, pairs, strict=False):
            _panel(ax, result, *pair)
        for ax in list(panels)[len(pairs) :]:
            ax.set_axis_off()

    fits = {True: "ratings predict the results", False: "ratings do not predict the results"}
    verdict = f"; {fits[result.fits]}" if result.fits is not None else ""
    caption = f"{result.games:,} deals in every seating, seed {result.seed}{verdict};\nbars are 95% intervals"
    title = f"{setup_title(result.setup)}: what each kind of player wins"
    return make_figure(title, caption, (4.0 * across + 0.8, 3.0 * down + 0.8), paint, path, [result.setup])


def _tables(result: League, one: int, other: int) -> list[Any]:
    return [table for table in result.compositions if (table.one, table.other) == (one, other)]


def _panel(ax: Any, result: League, one: int, other: int) -> None:
    tables = _tables(result, one, other)
    for kind, colour, shift in ((one, "C0", -SHIFT), (other, "C1", SHIFT)):
        wins: list[Estimate] = [table.win if kind == one else table.other_win for table in tables]
        places = [table.number + shift for table in tables]
        ends = [scaled(interval) for interval in wins]
        ax.vlines(places, [low for low, _, _ in ends], [high for _, _, high in ends], color=colour)
        ax.plot(
            places, [value for _, value, _ in ends], "o-", color=colour, linewidth=0.8, label=result.strategies[kind]
        )
    ax.axhline(100 * result.fair, color=QUIET, linewidth=1, linestyle=":")
    ax.set_xticks([table.number for table in tables])
    ax.set_xlabel(f"sides of {result.strategies[one]}, of {result.sides}", parse_math=False)
    percent_axis(ax.yaxis)
    ax.legend(fontsize=8, frameon=False)
