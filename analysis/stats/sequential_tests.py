"""Sequential tests of a difference: add games until its sign is known, or until it is known to be below a margin.

Two generalised sequential probability ratio tests, as used for chess engines (fishtest): no difference against a
difference of +margin, and against -margin. Each accumulates evidence: the log of how much better one hypothesis
explains the games than the other, with the observed spread. The result is a difference if one test accepts it, and no
difference if both reject theirs at the same time. The error rates hold although the data decide when to stop:

    no difference at all           is called a difference in at most 5% of runs, half of them in each direction
    a difference of the margin     is called smaller than the margin in at most 5% of runs

A difference between 0 and the margin may end either way, and both answers are true. An ordinary 95% interval at such a
stop misses the truth too often. A 98% interval holds it 95 times in 100 (simulated, see the tests), and it always
agrees with the verdict: it excludes 0, or lies within the margin.

The looks are at fixed counts, so the number of games at which a run stops depends only on its seed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import normal_quantile
from houle.analysis.stats.width import look_counts

FALSE_DIFFERENCE = 0.025  # error rate in each direction if there is no difference
FALSE_SAME = 0.05  # error rate if the difference equals the margin
AT_STOP = 0.98  # nominal confidence of an interval that covers 95% after these tests stopped
ACCEPT = math.log((1 - FALSE_SAME) / FALSE_DIFFERENCE)  # evidence that accepts a difference
# Evidence that rejects a difference: if both tests are below it, the interval lies within the margin. It errs less
# often than FALSE_SAME allows.
REJECT = -(normal_quantile(AT_STOP) ** 2) / 2

FIRST_LOOK = 200
STEP, PART = 50, 50  # the next look is after 50 more games, or 1/50 of the games so far if that is more

MOST_GROWTH = 10  # largest factor by which the number of games is forecast to grow

POWER = 0.8
# Mean number of games of the tests in the slowest case, a difference of half the margin, in units of
# (spread of a pair / margin)^2; simulated.
LONGEST = 13.2


def looks(most: int) -> Iterator[int]:
    """200, 250, ... games, from 2,500 on 2% apart, below `most`; then `most` itself."""
    return look_counts(most, FIRST_LOOK, lambda count: max(STEP, count // PART))


def evidence(difference: Estimate, margin: float) -> float:
    """Log likelihood ratio of a difference of the margin against none, from a difference with its AT_STOP interval.

    The standard error is that of the side where the other hypothesis lies. So intervals that were widened because few
    games changed keep their effect.
    """
    gap = 2 * difference.value - margin
    side = difference.value - difference.low if gap > 0 else difference.high - difference.value
    error = side / normal_quantile(AT_STOP)
    if not math.isfinite(error):
        return 0.0
    return margin * gap / (2 * error**2) if error > 0 else math.copysign(math.inf, gap)


def mirrored(difference: Estimate) -> Estimate:
    """The same difference in the other direction."""
    return difference.scale(-1)


@dataclass
class Decision:
    """Both tests of one difference, updated at every look; a decision is final."""

    margin: float
    kind: str | None = None  # more, less or same; None while it is open
    up: float = 0.0  # evidence for a difference of +margin
    down: float = 0.0  # evidence for a difference of -margin

    def look(self, difference: Estimate) -> None:
        """Update with the present difference and its AT_STOP interval."""
        if self.kind is not None:
            return
        self.up, self.down = evidence(difference, self.margin), evidence(mirrored(difference), self.margin)
        if max(self.up, self.down) >= ACCEPT:
            self.kind = "more" if self.up > self.down else "less"
        elif max(self.up, self.down) <= REJECT:
            self.kind = "same"

    def games(self, now: int) -> int:
        """The forecast number of games in total, for progress bars; assumes that evidence grows at its present rate."""
        if self.kind is not None:
            return now
        nearer = max(self.up, self.down)
        grown = (ACCEPT if nearer > 0 else REJECT) / nearer if nearer else math.inf
        return math.ceil(now * min(max(grown, 1.0), MOST_GROWTH))


def detectable(difference: Estimate, confidence: float) -> float:
    """The smallest difference that as many games show 4 times in 5: its 95% interval then excludes 0."""
    return difference.half / normal_quantile(confidence) * (normal_quantile() + normal_quantile(2 * POWER - 1))


def games_to_show(difference: Estimate, margin: float, confidence: float) -> float:
    """Games in total that show a difference of the margin 4 times in 5."""
    return difference.n * (detectable(difference, confidence) / margin) ** 2


def games_to_decide(difference: Estimate, margin: float, confidence: float) -> float:
    """Games in total after which the tests have ended on average, in the slowest case."""
    return LONGEST * difference.n * (difference.half / normal_quantile(confidence) / margin) ** 2
