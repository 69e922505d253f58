"""Twenty games as dots: a distribution that people can count, in place of bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

DOTS = 20
COLUMNS = 16  # of dots at most


def twenty(counts: Sequence[tuple[int, int]]) -> list[int]:
    """Twenty values that stand for all: one in the middle of each twentieth of the games."""
    total = sum(number for _, number in counts)
    values, passed = [], 0
    for value, number in counts:
        passed += number
        while len(values) < DOTS and total and (len(values) + 0.5) / DOTS <= passed / total:
            values.append(value)
    return values


def dots(ax: Any, values: Sequence[int], unit: str) -> None:
    """Draw the values as stacked dots, and say how many lie below a round number."""
    span = max(values) - min(values) if values else 0
    width = max(1, math.ceil((span + 1) / COLUMNS))
    heights: dict[int, int] = {}
    for value in values:
        column = (value - min(values)) // width
        heights[column] = heights.get(column, 0) + 1
        x = min(values) + width * column + (width - 1) / 2
        ax.plot([x], [heights[column] - 0.5], marker="o", color="C0", markersize=9, clip_on=False)
    ax.set_ylim(0, max(heights.values(), default=1) + 0.5)
    ax.set_yticks([])
    ax.margins(x=0.08)
    ax.set_title(f"{below(values)} {unit}")


def below(values: Sequence[int]) -> str:
    """`17 of 20 games end within 45`."""
    if not values:
        return ""
    limit = sorted(values)[round(0.85 * len(values)) - 1]
    return f"{sum(value <= limit for value in values)} of {len(values)} games end within {limit}"
