"""An estimate for people of whom only a range of points is known: the spread over equally likely points."""

from __future__ import annotations

import math
from collections.abc import Sequence

from houle.analysis.stats.estimate import Estimate


def spread(values: Sequence[Estimate]) -> Estimate:
    """The mean over equally likely points, with an interval that holds what all of them reach.

    The values have the noise of their own games, so the interval is rather too wide than too narrow. It is never
    narrower than the noise of the mean.
    """
    number = len(values)
    mean = sum(one.value for one in values) / number
    below = math.sqrt(sum((one.value - one.low) ** 2 for one in values)) / number
    above = math.sqrt(sum((one.high - one.value) ** 2 for one in values)) / number
    low, high = min(one.value for one in values), max(one.value for one in values)
    return Estimate(mean, min(low, mean - below), max(high, mean + above), sum(one.n for one in values), values[0].unit)
