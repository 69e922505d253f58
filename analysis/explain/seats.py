"""Whether the seats are equally good: the largest difference between two of them. A part of `houle balance`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.analysis.stats.looks import confidence_at
from houle.analysis.stats.moments import Moments

FAIR = 0.03  # sides that win equally often to so much are fair
WHOLE_POINTS = 0.05  # a bound from here on is shown in whole points


@dataclass(frozen=True)
class SeatGap:
    """The two sides that differ most; the intervals of all pairs of sides hold together."""

    best: str
    worst: str
    more: Estimate  # share of the games that the best side wins more than the worst
    at_most: float  # no side wins more than another by more than this

    @property
    def verdict(self) -> str:
        """`fair`, `unfair`, `uneven` if sides certainly differ, by how much is not known, or `unknown`."""
        if self.at_most <= FAIR:
            return "fair"
        return "unfair" if self.more.low > FAIR else "uneven" if self.more.low > 0 else "unknown"

    @property
    def bound(self) -> str:
        """`2.3`: how many percentage points a side wins more than another, at most."""
        tenths = 1000 * self.at_most - 1e-6  # 4.1 points are no 4.2
        return f"{math.ceil(tenths / 10)}" if self.at_most >= WHOLE_POINTS else f"{math.ceil(tenths) / 10:.1f}"


def seat_gap(names: list[str], shares: Moments) -> SeatGap | None:
    """The largest difference of two sides from the sums of their shares of the win; None with less than two games."""
    if shares.clusters < 2:
        return None
    pairs = list(combinations(range(len(names)), 2))
    confidence = confidence_at(1, len(pairs))
    gaps = {}
    for one, other in pairs:
        more, less = sorted((one, other), key=lambda side: (-shares.sum(side), side))
        gaps[more, less] = shares.rate_difference(
            shares.mean(more, WHOLE_WIN), shares.mean(less, WHOLE_WIN), confidence
        )
    best, worst = max(gaps, key=lambda pair: gaps[pair].value)
    at_most = max(max(abs(gap.low), abs(gap.high)) for gap in gaps.values())
    return SeatGap(names[best], names[worst], gaps[best, worst], at_most)
