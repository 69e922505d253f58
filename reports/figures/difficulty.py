"""The figure of `houle difficulty`: how often every kind of player wins, and its results in the rulebook's bands."""

from __future__ import annotations

from textwrap import fill
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.difficulty.difficulty import Difficulty, LevelResult
from houle.analysis.result import setup_title
from houle.reports.figures.result_bands import band_bars
from houle.reports.figures.style import UNSURE, interval_bar, make_figure, percent_axis
from houle.solver.rules import PRINTED_RULES
from houle.solver.texts import capital

ROW = 0.72  # inches per player
BELOW = 0.28  # distance of the printed rules below your own
ROLE = 30  # letters in a line about a player


def draw(result: Difficulty) -> Figure:
    """Draw how hard a setup is for every kind of player."""
    levels = result.levels
    title = setup_title(result.setup)
    numbers = sorted({level.tally.games for level in levels}, reverse=True)
    caption = f"{title}; {' and '.join(f'{number:,}' for number in numbers)} deals, seed {result.seed}; 95% intervals"

    def paint(figure: Any) -> None:
        bands = levels[0].bands
        ratios = {"width_ratios": (2, 3)} if bands else {}
        panels = figure.subplots(1, 2 if bands else 1, sharey=True, squeeze=False, gridspec_kw=ratios)[0]
        _reached(panels[0], levels, result)
        if bands:
            _bands(panels[1], levels, result.setup.score)

    return make_figure(f"{title}: how hard is it?", caption, (11, 1.9 + ROW * len(levels)), paint, [result.setup])


def _reached(ax: Any, levels: list[LevelResult], result: Difficulty) -> None:
    goal = result.goal
    for y, level in enumerate(levels):
        word = f"the most anyone can {goal.verb}" if level.is_bound else level.word
        interval_bar(ax, level.reached, y, "C0", ", ".join(filter(None, [level.reached.short(), word])))
        if level.printed is not None:
            interval_bar(ax, level.printed, y + BELOW, UNSURE, f"{PRINTED_RULES} {level.printed.short()}")
    if not goal.is_score:
        ax.set_xlim(-2, 150)
        ax.set_xticks([0, 25, 50, 75, 100])
        percent_axis(ax.xaxis)
    ax.set_title(capital(goal.title))
    labels = [f"{level.strategy}\n{fill(level.role, ROLE)}" for level in levels]
    ax.set_yticks(range(len(levels)), labels, fontsize=8.5)
    ax.set_ylim(len(levels) - 0.5, -0.5)


def _bands(ax: Any, levels: list[LevelResult], score: str) -> None:
    band_bars(ax, levels, "%")
    ax.set_title(f"{capital(score.replace('_', ' '))}, in the rulebook's result bands", pad=24)
    number = len(levels[0].bands)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=number, fontsize=8.5, borderaxespad=0.1)
