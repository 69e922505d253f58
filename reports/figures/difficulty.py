"""The bracket figure: how every kind of player ends, in the rulebook's bands, and how often it wins."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.difficulty.difficulty import Difficulty, Level
from houle.analysis.sampling.players import shown_player
from houle.reports.figures.bands import band_bars
from houle.reports.figures.style import UNSURE, interval_bar, make_figure, percent_axis, short_percent
from houle.reports.names import table_title
from houle.solver.ruleset import PRINTED_RULES

ROW = 0.72  # inches per player
BESIDE = 0.28  # how far the printed rules stand below one's own
ROLE = 30  # letters of a line about a player


def draw(result: Difficulty, path: Path | None = None) -> Figure:
    """Draws a bracket."""
    levels = result.levels
    table = table_title(result.setup)
    numbers = sorted({level.tally.games for level in levels}, reverse=True)
    caption = f"{table}; {' and '.join(f'{number:,}' for number in numbers)} deals, seed {result.seed}; 95% intervals"

    def paint(figure: Any) -> None:
        bands = levels[0].bands
        ratios = {"width_ratios": (2, 3)} if bands else {}
        panels = figure.subplots(1, 2 if bands else 1, sharey=True, squeeze=False, gridspec_kw=ratios)[0]
        _wins(panels[0], levels)
        if bands:
            _bands(panels[1], levels, result.setup.score)

    return make_figure(f"{table}: how hard is it?", caption, (11, 1.9 + ROW * len(levels)), paint, path, [result.setup])


def _wins(ax: Any, levels: list[Level]) -> None:
    for y, level in enumerate(levels):
        interval_bar(ax, level.win, y, "C0", f"{short_percent(level.win)}, {level.word or 'the bound'}")
        if level.printed is not None:
            interval_bar(ax, level.printed, y + BESIDE, UNSURE, f"{PRINTED_RULES} {short_percent(level.printed)}")
    ax.set_xlim(-2, 150)
    ax.set_xticks([0, 25, 50, 75, 100])
    percent_axis(ax.xaxis)
    ax.set_title("Games won")
    labels = [f"{shown_player(level.strategy)}\n{fill(level.role, ROLE)}" for level in levels]
    ax.set_yticks(range(len(levels)), labels, fontsize=8.5)
    ax.set_ylim(len(levels) - 0.5, -0.5)


def _bands(ax: Any, levels: list[Level], score: str) -> None:
    band_bars(ax, levels, "%")
    ax.set_title(f"{score.replace('_', ' ').capitalize()}, in the rulebook's bands", pad=24)
    number = len(levels[0].bands)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=number, fontsize=8.5, borderaxespad=0.1)
