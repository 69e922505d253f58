"""Multiple comparisons: which of many differences are certain, given how many were looked at.

If there are forty intervals and no real difference, two of them miss 0 by chance. Holm's step-down procedure keeps the
chance of any false "certain" at the level of a single interval, however the differences depend on each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import CONFIDENCE, normal_quantile


def joint_confidence(number: int) -> float:
    """The confidence of each of so many intervals that hold together with 95%, however they depend on each other."""
    return 1 - (1 - CONFIDENCE) / max(number, 1)


def p_value(difference: Estimate, confidence: float = CONFIDENCE) -> float:
    """The p value of a difference, from its interval; assumes a normal error."""
    near = near_end(difference)
    if not math.isfinite(difference.value) or difference.value == 0:
        return 1.0
    reach = abs(difference.value) - near  # from the estimate to the end that is nearer to 0
    if reach <= 0:
        return 0.0
    return 2 * NormalDist().cdf(-normal_quantile(confidence) * abs(difference.value) / reach)


def near_end(difference: Estimate) -> float:
    """The distance from 0 to the nearer end; negative if the interval holds 0."""
    return difference.low if difference.value >= 0 else -difference.high


def holm(p_values: Sequence[float]) -> list[float]:
    """P values corrected for their number, in the same order; a difference is certain if its own is at most 0.05."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected, least = [1.0] * len(p_values), 0.0
    for done, i in enumerate(order):
        least = max(least, min(1.0, (len(p_values) - done) * p_values[i]))
        corrected[i] = least
    return corrected


def standing(differences: Sequence[Estimate | None], confidence: float = CONFIDENCE) -> list[bool]:
    """Which differences are certain when all are looked at together; None counts as no difference.

    `confidence` is that of each interval.
    """
    places = [i for i, one in enumerate(differences) if one is not None]
    corrected = holm([p_value(one, confidence) for one in differences if one is not None])
    certain = {i for i, p in zip(places, corrected, strict=True) if p <= 1 - CONFIDENCE}
    return [i in certain for i in range(len(differences))]
