"""Intervals of differences: of two rates or two means on the same games, or of two independent estimates.

Their inputs come from exact sums (see moments): the difference, its variance between pairs, the number of pairs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from houle.analysis.stats.estimate import POINTS, Estimate
from houle.analysis.stats.intervals import CONFIDENCE, around, clopper_pearson, normal_quantile, t_quantile

FEW = 50  # from this many changed pairs on, their mean is close enough to normal


def pair_rates(value: float, variance: float, pairs: int, confidence: float = CONFIDENCE) -> Estimate:
    """Bonett and Price's adjusted interval for paired differences of rates, which lie between -1 and 1.

    It adds two imaginary pairs, one won by each side. So it holds even if hardly any pair differs, and its width is
    never 0. If a pair is a deal that was played several times (a rotation), its difference is that of the two means
    over its plays. The plays of one deal may share all their luck, so a deal counts as one pair; if they do not, the
    interval is too wide rather than too narrow.
    """
    if pairs < 2:
        return Estimate(value, -1.0, 1.0, pairs, POINTS)
    number = pairs + 2
    centre = pairs * value / number
    square = ((pairs - 1) * variance + pairs * value**2 + 2) / number
    half = t_quantile(number - 1, confidence) * math.sqrt(max(square - centre**2, 0.0) / number)
    low, high = min(value, centre - half), max(value, centre + half)
    return Estimate(value, max(-1.0, low), min(1.0, high), pairs, POINTS)


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
    return _two_parts(value, variance, pairs, most, changed, confidence)


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


def odds_ratio(
    one: float, other: float, covariance: Sequence[Sequence[float]], games: int, confidence: float = CONFIDENCE
) -> Estimate | None:
    """By which factor the odds of one rate are greater than another's; `covariance` is that of the two rates, 2 x 2.

    Normal on the log scale. Half a win and half a loss are added to both (Haldane and Anscombe), so that a rate of 0
    has odds too. No rate is taken as more certain than this many independent games would make it.
    """
    if games < 2:
        return None
    rates = [(games * rate + 0.5) / (games + 1) for rate in (one, other)]
    slopes = [1 / (rate * (1 - rate)) for rate in rates]
    spreads = [max(covariance[i][i], rates[i] * (1 - rates[i]) / (games + 1)) for i in (0, 1)]
    both = min(covariance[0][1], 0.999 * math.sqrt(spreads[0] * spreads[1]))
    error = math.sqrt(slopes[0] ** 2 * spreads[0] + slopes[1] ** 2 * spreads[1] - 2 * slopes[0] * slopes[1] * both)
    value = math.log(rates[0] / (1 - rates[0])) - math.log(rates[1] / (1 - rates[1]))
    half = t_quantile(games - 1, confidence) * error
    return Estimate(math.exp(value), math.exp(value - half), math.exp(value + half), games)


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
