"""Many intervals on a page: which differences stand when it is counted how many were looked at.

Of forty intervals that all hold 0, two miss it by chance alone. Holm's step-down procedure keeps the chance that any of
the differences told as certain is none at the level of a single interval, whatever they have to do with each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from houle.analysis.stats.intervals import CONFIDENCE, Interval, normal_quantile


def p_value(difference: Interval, confidence: float = CONFIDENCE) -> float:
    """How often chance alone would put 0 as far beyond the near end of an interval; a normal error is assumed."""
    near = near_end(difference)
    if not math.isfinite(difference.value) or difference.value == 0:
        return 1.0
    reach = abs(difference.value) - near  # from the estimate to the end that is nearer to 0
    if reach <= 0:
        return 0.0
    return 2 * NormalDist().cdf(-normal_quantile(confidence) * abs(difference.value) / reach)


def near_end(difference: Interval) -> float:
    """The end that is nearer to 0, as a size: below 0 where the interval holds 0."""
    return difference.low if difference.value >= 0 else -difference.high


def holm(chances: Sequence[float]) -> list[float]:
    """P values corrected for their number, in the same order: a difference stands where its own is at most 0.05."""
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    found, least = [1.0] * len(chances), 0.0
    for done, place in enumerate(order):
        least = max(least, min(1.0, (len(chances) - done) * chances[place]))
        found[place] = least
    return found


def standing(differences: Sequence[Interval | None], confidence: float = CONFIDENCE) -> list[bool]:
    """Which of the differences are certain, all of them looked at together; None is none."""
    places = [place for place, one in enumerate(differences) if one is not None]
    chances = holm([p_value(one, confidence) for one in differences if one is not None])
    sure = {place for place, chance in zip(places, chances, strict=True) if chance <= 1 - confidence}
    return [place in sure for place in range(len(differences))]
