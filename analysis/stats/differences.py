"""Intervals of differences: of two rates or two means on the same games, or of two independent estimates.

Their inputs come from exact sums (see moments): the difference, its variance between pairs, the number of pairs.
"""

from __future__ import annotations

import math

from houle.analysis.stats.estimate import POINTS, Estimate
from houle.analysis.stats.intervals import CONFIDENCE, around, clopper_pearson, t_quantile

FEW = 50  # from this many changed pairs on, their mean is close enough to normal


def pair_rates(value: float, variance: float, pairs: int, confidence: float = CONFIDENCE) -> Estimate:
    """Bonett and Price's adjusted interval for paired differences of rates, which lie between -1 and 1.

    It adds two imaginary pairs, one won by each side. So it holds even if hardly any pair differs, and its width is
    never 0. If a pair is a deal that was played several times (a rotation), its difference is that of the two means
    over its plays. The plays of one deal may share all their luck, so a deal counts as one pair; if they do not, the
    interval is too wide rather than too narrow.
    """
    if pairs < 2:
        return Estimate(value, -1.0, 1.0, n=pairs, unit=POINTS)
    number = pairs + 2
    centre = pairs * value / number
    square = ((pairs - 1) * variance + pairs * value**2 + 2) / number
    half = t_quantile(number - 1, confidence) * math.sqrt(max(square - centre**2, 0.0) / number)
    low, high = min(value, centre - half), max(value, centre + half)
    return Estimate(value, max(-1.0, low), min(1.0, high), n=pairs, unit=POINTS)


def pair_means(
    value: float, variance: float, pairs: int, most: float, changed: int | None = None, confidence: float = CONFIDENCE
) -> Estimate:
    """The t interval of a mean difference, made wider if few pairs differ at all.

    `most` is the largest possible difference of a pair. `changed` is the number of pairs that differ, None if unknown.
    If none differ, a change may still be so rare that this many pairs miss it 1 time in 20, and as large as possible.
    """
    if pairs < 2:
        return Estimate(value, -math.inf, math.inf, pairs)
    if changed == 0 or (changed is None and variance == 0):
        half = most * (1 - (1 - confidence) ** (1 / pairs))
        return Estimate(value, value - half, value + half, pairs)
    if changed is None or changed >= min(FEW, pairs / 2):
        return around(value, variance, pairs, confidence)
    return _two_parts(value, variance, pairs, most, changed=changed, confidence=confidence)


def _two_parts(value: float, variance: float, pairs: int, most: float, changed: int, confidence: float) -> Estimate:
    """How often a pair changes (exact interval) times by how much it changes (within what is possible)."""
    often = clopper_pearson(changed, pairs, confidence)
    mean = pairs * value / changed
    squares = (pairs - 1) * variance + pairs * value**2
    size = _size(mean, squares, changed, confidence).within(-most, most)
    rarer, oftener = mean * (often.low - often.value), mean * (often.high - often.value)
    low = math.hypot(min(rarer, oftener), _beyond(size.low, mean, often))
    high = math.hypot(max(rarer, oftener), _beyond(size.high, mean, often))
    return Estimate(value, value - low, value + high, pairs)


def _size(mean: float, squares: float, changed: int, confidence: float) -> Estimate:
    """The mean of a few changes, from the sum of their squares: the wider of two t intervals.

    The second adds two imaginary changes of typical size, one in each direction, because a few that agree prove
    little.
    """
    spread = max(squares - changed * mean**2, 0.0) / (changed - 1) if changed > 1 else math.inf
    plain = around(mean, spread, changed, confidence)
    number, centre = changed + 2, changed * mean / (changed + 2)
    imagined = squares * number / changed
    more = around(centre, max(imagined - number * centre**2, 0.0) / (number - 1), number, confidence)
    return Estimate(mean, min(plain.low, more.low), max(plain.high, more.high), changed)


def _beyond(end: float, mean: float, often: Estimate) -> float:
    """How far the product is off if a change has the size of this end; sizes farther from 0 count more often."""
    if end * mean < 0:
        return end * often.high - mean * often.value
    return (end - mean) * (often.high if abs(end) > abs(mean) else often.value)


def near_end(difference: Estimate) -> float:
    """The distance from 0 to the nearer end; negative if the interval holds 0."""
    return difference.low if difference.value >= 0 else -difference.high
