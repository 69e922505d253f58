"""Intervals of a difference: of two rates or two means on the same games, or of two independent estimates.

All of them take what exact sums give (see moments): the difference, its variance between pairs, the number of pairs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from houle.analysis.stats.intervals import CONFIDENCE, Interval, around, clopper_pearson, t_quantile

FEW = 50  # changed pairs of a great many: from so many on their mean is as good as normal and needs no care


def pair_rates(value: float, variance: float, pairs: int, confidence: float = CONFIDENCE) -> Interval:
    """For paired differences of rates, which lie between -1 and 1: Bonett and Price's adjusted interval.

    Two more pairs are imagined, one won by either side alone. So it stays honest where hardly any pair differs, and
    pairs that all agree are no proof that all games would: it never has a width of 0. Where a pair is a deal that was
    played several times (a rotation), its difference is that of the two means over its plays, and the two imagined
    deals are won in all of their plays: plays of one deal may all hang on the same luck, so a deal counts as one pair,
    and where they do not the interval is too wide rather than too narrow.
    """
    if pairs < 2:
        return Interval(value, -1.0, 1.0, pairs)
    number = pairs + 2
    centre = pairs * value / number
    square = ((pairs - 1) * variance + pairs * value**2 + 2) / number
    half = t_quantile(number - 1, confidence) * math.sqrt(max(square - centre**2, 0.0) / number)
    low, high = min(value, centre - half), max(value, centre + half)
    return Interval(value, max(-1.0, low), min(1.0, high), pairs)


def pair_means(
    value: float, variance: float, pairs: int, most: float, changed: int | None = None, confidence: float = CONFIDENCE
) -> Interval:
    """The t interval of a mean difference, with care where few pairs differ at all.

    `most` is the most that a pair can differ by, `changed` how many do, None where that is not known. A change that no
    pair showed may still be there, so rare that as many pairs miss it one time in twenty, and then as large as can be.
    """
    if pairs < 2:
        return Interval(value, -math.inf, math.inf, pairs)
    if changed == 0 or (changed is None and variance == 0):
        half = most * (1 - (1 - confidence) ** (1 / pairs))
        return Interval(value, value - half, value + half, pairs)
    if changed is None or changed >= min(FEW, pairs / 2):
        return around(value, variance, pairs, confidence)
    return _two_parts(value, variance, pairs, most, changed, confidence)


def _two_parts(value: float, variance: float, pairs: int, most: float, changed: int, confidence: float) -> Interval:
    """How often a pair changes, exactly, times by how much if it does, within what is possible: both can err."""
    often = clopper_pearson(changed, pairs, confidence)
    mean = pairs * value / changed
    squares = (pairs - 1) * variance + pairs * value**2
    size = _size(mean, squares, changed, confidence).within(-most, most)
    rarer, oftener = mean * (often.low - often.value), mean * (often.high - often.value)
    low = math.hypot(min(rarer, oftener), _beyond(size.low, mean, often))
    high = math.hypot(max(rarer, oftener), _beyond(size.high, mean, often))
    return Interval(value, value - low, value + high, pairs)


def _size(mean: float, squares: float, changed: int, confidence: float) -> Interval:
    """The mean of a few changes, from the sum of their squares: t, but a few that agree prove no law.

    As with rates two more are imagined, of the usual size, one either way; the wider of both holds.
    """
    spread = max(squares - changed * mean**2, 0.0) / (changed - 1) if changed > 1 else math.inf
    plain = around(mean, spread, changed, confidence)
    number, centre = changed + 2, changed * mean / (changed + 2)
    imagined = squares * number / changed
    more = around(centre, max(imagined - number * centre**2, 0.0) / (number - 1), number, confidence)
    return Interval(mean, min(plain.low, more.low), max(plain.high, more.high), changed)


def _beyond(end: float, mean: float, often: Interval) -> float:
    """How far the product lies off where a change has the size of this end: the farther from 0, the more often."""
    if end * mean < 0:
        return end * often.high - mean * often.value
    return (end - mean) * (often.high if abs(end) > abs(mean) else often.value)


def odds_ratio(
    one: float, other: float, covariance: Sequence[Sequence[float]], games: int, confidence: float = CONFIDENCE
) -> Interval | None:
    """By which factor the odds of one rate are greater than another's; `covariance` is that of the two rates, 2 x 2.

    Normal on the scale of logarithms, with half a win and half a loss added to both (Haldane and Anscombe), so that a
    rate of 0 has odds too; no rate is held for surer than so many independent games would make it.
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
    return Interval(math.exp(value), math.exp(value - half), math.exp(value + half), games)


def apart(one: Interval, other: Interval) -> Interval:
    """The difference of two independent estimates, from their own intervals (Newcombe's square-and-add)."""
    value = one.value - other.value
    low = math.hypot(one.value - one.low, other.high - other.value)
    high = math.hypot(one.high - one.value, other.value - other.low)
    return Interval(value, value - low, value + high, min(one.n, other.n))
