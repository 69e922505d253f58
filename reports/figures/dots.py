"""Twenty games as dots: a distribution that people can count, in place of bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from houle.analysis.explain.balance import LIMIT, Balance
from houle.reports.figures.style import make_figure

DOTS = 20
COLUMNS = 10  # of dots at most
NINE_TENTHS = 0.9  # of the games, as in the sentence on their length


def twenty(counts: Sequence[tuple[int, int]]) -> list[int]:
    """Twenty values that stand for all: as many dots lie up to a value as twentieths of the games."""
    total = sum(number for _, number in counts)
    values: list[int] = []
    passed = 0
    for value, number in counts:
        passed += number
        while len(values) < DOTS and total and (len(values) + 1) * total <= passed * DOTS:
            values.append(value)
    return values


def draw(result: Balance, seconds_per_decision: float | None = None) -> Figure:
    """Draw how long games last, as twenty of them; games that we had to stop are said below."""
    turns, limit, values = result.setup.ruleset.turns, result.setup.options.get(LIMIT), twenty(result.lengths)
    ended, decisions = _ended(result), result.measure("decisions")
    caption = f"{result.who}; each dot stands for a twentieth of {result.games:,} games"
    if seconds_per_decision and decisions:
        caption += f"; about {decisions.value * seconds_per_decision / 60:.0f} minutes on average"
    if len(ended) < len(values):
        caption += f"; {len(values) - len(ended)} of {len(values)} do not end within {limit} {turns}"

    def paint(figure: Any) -> None:
        length_panel(figure.subplots(), result)

    return make_figure(f"How long games of {result.who} last", caption, (8, 2.6), paint, [result.setup])


def _ended(result: Balance) -> list[int]:
    """The lengths of twenty games without those that we had to stop."""
    limit = result.setup.options.get(LIMIT)
    return [value for value in twenty(result.lengths) if limit is None or value < limit]


def length_panel(ax: Any, result: Balance) -> None:
    """Draw the lengths of games as dots."""
    dots(ax, _ended(result), result.setup.ruleset.turns)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def dots(ax: Any, values: Sequence[int], unit: str) -> None:
    """Draw the values as stacked dots, and say how long most games last; a column stands at its first value."""
    span = max(values) - min(values) if values else 0
    width = max(1, math.ceil((span + 1) / COLUMNS))
    heights: dict[int, int] = {}
    for value in values:
        column = (value - min(values)) // width
        heights[column] = heights.get(column, 0) + 1
        x = min(value for value in values if (value - min(values)) // width == column)
        ax.plot([x], [heights[column] - 0.5], marker="o", color="C0", markersize=9, clip_on=False)
    ax.set_ylim(0, max(heights.values(), default=1) + 0.5)
    ax.set_yticks([])
    ax.margins(x=0.08)
    ax.set_title(f"{below(values)} {unit}")


def below(values: Sequence[int]) -> str:
    """`18 of 20 games end within 45`, nine in ten."""
    if not values:
        return ""
    limit = sorted(values)[math.ceil(NINE_TENTHS * len(values)) - 1]
    return f"{sum(value <= limit for value in values)} of {len(values)} games end within {limit}"
