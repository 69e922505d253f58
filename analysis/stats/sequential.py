"""Sequential tests of a difference: games are added until its sign is known, or that it is smaller than a margin.

Two generalised sequential probability ratio tests, as chess engines are tested with them (fishtest): no difference
against one of the margin upwards, and against one of the margin downwards. Each adds up its evidence, the log of how
much better the one explains the games than the other, with the spread as observed. A difference is called where one of
them is sure of it, and none where both are sure at once that it is not there. They know how often they err although
the data chose when to stop:

    no difference at all           called a difference in 5% of all runs at most, half of them either way
    a difference of the margin     called smaller than the margin in 5% of all runs at most

A difference between 0 and the margin ends as the one or the other, and both are true. An ordinary interval at such a
stop misses the truth too often; one of 98% holds it 95 times in 100 (simulated, see the tests), and it always agrees
with the verdict: it lies beside 0, or within the margin.

The looks are at fixed counts, so the number of games at which a run stops depends on its seed alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from houle.analysis.stats.intervals import Interval, normal_quantile
from houle.analysis.stats.looks import look_counts

FALSE_DIFFERENCE = 0.025  # in either direction, where there is none
FALSE_SAME = 0.05  # where the difference is the margin
AT_STOP = 0.98  # nominal confidence of an interval that covers 95% where these tests stopped
ACCEPT = math.log((1 - FALSE_SAME) / FALSE_DIFFERENCE)  # evidence that makes sure of a difference
# Evidence that makes sure of none: from here on both at once say that the interval lies within the margin. It errs less
# often than FALSE_SAME allows.
REJECT = -(normal_quantile(AT_STOP) ** 2) / 2

FIRST_LOOK = 200
STEP, PART = 50, 50  # the next look is 50 games on, or a fiftieth of the games so far

MOST_GROWTH = 10  # that is forecast at once

POWER = 0.8
# Games that the tests take on average where it takes them longest, a difference of half the margin, in units of
# (spread of a pair / margin)^2; simulated.
LONGEST = 13.2


def looks(most: int) -> Iterator[int]:
    """200, 250, ... games, from 2,500 on 2% apart, below `most`; then `most` itself."""
    return look_counts(most, FIRST_LOOK, lambda count: max(STEP, count // PART))


def evidence(found: Interval, margin: float) -> float:
    """Log likelihood ratio of a difference of the margin against none, from the interval (AT_STOP) of what was found.

    The standard error is that of the side where the other hypothesis lies, so that intervals which take care where few
    games changed are taken at their word.
    """
    gap = 2 * found.value - margin
    error = (found.value - found.low if gap > 0 else found.high - found.value) / normal_quantile(AT_STOP)
    if not math.isfinite(error):
        return 0.0
    return margin * gap / (2 * error**2) if error > 0 else math.copysign(math.inf, gap)


def mirrored(found: Interval) -> Interval:
    """The same difference the other way round."""
    return Interval(-found.value, -found.high, -found.low, found.n)


@dataclass
class Decision:
    """Both tests of one difference, fed at every look; what they have said stays said."""

    margin: float
    kind: str | None = None  # more, less or same; None as long as it is open
    up: float = 0.0  # evidence for a difference of the margin upwards
    down: float = 0.0  # and downwards

    def look(self, found: Interval) -> None:
        """The difference as it is now, with its interval (AT_STOP)."""
        if self.kind is not None:
            return
        self.up, self.down = evidence(found, self.margin), evidence(mirrored(found), self.margin)
        if max(self.up, self.down) >= ACCEPT:
            self.kind = "more" if self.up > self.down else "less"
        elif max(self.up, self.down) <= REJECT:
            self.kind = "same"

    def games(self, now: int) -> int:
        """How many games there will probably be in all, for progress: if the evidence grows on as it did."""
        if self.kind is not None:
            return now
        nearer = max(self.up, self.down)
        grown = (ACCEPT if nearer > 0 else REJECT) / nearer if nearer else math.inf
        return math.ceil(now * min(max(grown, 1.0), MOST_GROWTH))


def detectable(found: Interval, confidence: float) -> float:
    """The smallest difference that as many games show 4 times in 5, by an ordinary 95% interval beside 0."""
    return found.half / normal_quantile(confidence) * (normal_quantile() + normal_quantile(2 * POWER - 1))


def games_to_show(found: Interval, margin: float, confidence: float) -> float:
    """Games in all that show a difference of the margin 4 times in 5."""
    return found.n * (detectable(found, confidence) / margin) ** 2


def games_to_decide(found: Interval, margin: float, confidence: float) -> float:
    """Games in all after which the tests will have ended, on average, where it takes them longest."""
    return LONGEST * found.n * (found.half / normal_quantile(confidence) / margin) ** 2
