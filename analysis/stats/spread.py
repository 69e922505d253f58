"""An estimate for people of whom only a range of points is known: the spread over equally likely points."""

from __future__ import annotations

import math
from collections.abc import Sequence

from houle.analysis.stats.estimate import PERCENT, Estimate

# Real groups err in ways that the plane does not know, and win more or less of a variant for it. In log odds; chosen so
# that predictions hold for groups that were made otherwise (docs/method/prediction.md).
UNLIKE = 0.3


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
        low, high = _moved(low, -UNLIKE), _moved(high, UNLIKE)
    return Estimate(mean, low, high, sum(one.n for one in values), values[0].unit)


def _moved(rate: float, by: float) -> float:
    """A rate with its log odds moved by so much."""
    if not 0 < rate < 1:
        return min(max(rate, 0.0), 1.0)
    return 1 / (1 + (1 - rate) / rate * math.exp(-by))
