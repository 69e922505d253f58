"""An estimate for people of whom only a range of points is known: the spread over equally likely points."""

from __future__ import annotations

import math
from collections.abc import Sequence

from houle.analysis.stats.estimate import PERCENT, Estimate

# Real groups err in ways that the plane does not know, and win more or less of a variant for it: by UNLIKE in log odds,
# and by RARE for every unit of log odds that the rate is away from one half, because rare wins depend on details of
# play. Chosen by groups that were made otherwise, and tested on others (docs/method/prediction.md).
UNLIKE, RARE = 0.3, 0.3


def spread(values: Sequence[Estimate]) -> Estimate:
    """The mean over equally likely points, with an interval that holds what all of them reach.

    The values have the noise of their own games, so the interval is rather too wide than too narrow. It is never
    narrower than the noise of the mean. The interval of a rate also allows for people who are at no point of the plane.
    """
    number = len(values)
    mean = sum(one.value for one in values) / number
    below = math.sqrt(sum((one.value - one.low) ** 2 for one in values)) / number
    above = math.sqrt(sum((one.high - one.value) ** 2 for one in values)) / number
    low, high = min(one.value for one in values), max(one.value for one in values)
    low, high = min(low, mean - below), max(high, mean + above)
    if values[0].unit == PERCENT:
        low, high = _widened(mean, low, -1), _widened(mean, high, 1)
    return Estimate(mean, low, high, sum(one.n for one in values), values[0].unit)


def _widened(mean: float, end: float, sign: int) -> float:
    """An end of an interval, moved away from the mean: in log odds, distances add up as independent errors do."""
    if not 0 < mean < 1 or not 0 < end < 1:
        return min(max(end, 0.0), 1.0)
    middle = math.log(mean / (1 - mean))
    away = math.log(end / (1 - end)) - middle
    moved = middle + sign * math.hypot(away, UNLIKE, RARE * middle)
    return 1 / (1 + math.exp(-moved))
