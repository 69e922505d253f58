"""Confidence sequences: intervals that hold at every look at once, so a run may stop when it is sure enough.

A fixed-n interval that is looked at again and again misses the truth far more often than it says. Those here
come from a betting argument: for every value the truth could have there is a wager whose fortune, were that
the truth, exceeds 1/alpha only with probability alpha, ever. The interval is what has not been ruled out.

Rates wager with a beta mixture around the value in question (Howard, Ramdas, McAuliffe and Sekhon 2021). What
a game multiplies the fortune by is convex in its share of the win, so shares between 0 and 1 earn at most
what whole wins of the same mean would: shared wins need nothing special. Means of bounded scores use the
empirical Bernstein mixture of the same paper. Where games have different numbers of scored rounds nothing
bounds the points of a game, and the asymptotic sequence of Waudby-Smith et al. (2021) takes over: Robbins'
normal mixture with the spread as observed.

The looks are at fixed counts, so the number of games at which a run stops depends on its seed alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from houle.analysis.stats.intervals import CONFIDENCE, WHOLE_WIN, Interval, Mean, mean_score, ratio, t_quantile

if TYPE_CHECKING:
    from houle.solver.tally import Tally

FIRST_LOOK = 1_000
CENTRE = 100  # games that only find where scores lie; before the first look
# The mixtures are sharpest around one number of games. It is chosen from the precision asked for, as what a
# rate of this variance needs: a rate of variance 0.25 takes 3% more games than with the best choice, one of
# 0.01 takes 60% more.
TYPICAL_VARIANCE = 0.1
SCORE_VARIANCE = 0.02  # of a score scaled to [0, 1]
MICRO = 1_000_000


def looks(most: int) -> Iterator[int]:
    """1,000 x 1.2^k games, rounded down, below `most`; then `most` itself."""
    numerator, denominator = FIRST_LOOK, 1
    while numerator // denominator < most:
        yield numerator // denominator
        numerator, denominator = numerator * 6, denominator * 5
    yield most


def boundaries(most: int) -> list[int]:
    """Where the stretches end that a sequence is fed with: the looks, and before them the centre's games."""
    return [CENTRE] * (most > CENTRE) + list(looks(most))


def is_look(count: int, most: int) -> bool:
    """Whether a run may stop at this boundary."""
    return count >= min(FIRST_LOOK, most)


@dataclass(frozen=True)
class Tuning:
    """Where the mixtures are sharpest, for a precision in percentage points; never a matter of validity."""

    precision: float
    confidence: float = CONFIDENCE

    @property
    def alpha(self) -> float:
        return 1 - self.confidence

    @property
    def ratio(self) -> float:
        """Games at which a mixture is sharpest, in units of its own weight."""
        spread = 2 * math.log(1 / self.alpha)
        return spread + math.log(1 + spread)

    @property
    def games(self) -> float:
        return max(FIRST_LOOK, 1.2 * self.ratio * TYPICAL_VARIANCE / (self.precision / 100) ** 2)


def rate_evidence(truth: float, total: float, n: int, tuning: Tuning) -> float:
    """Log fortune of the wager against a rate, given the sum of n shares; ruled out from 0 on."""
    weight = tuning.games / tuning.ratio
    a, b = weight * truth, weight * (1 - truth)
    won = _log_beta(a + total, b + n - total) - _log_beta(a, b)
    return won - total * math.log(truth) - (n - total) * math.log1p(-truth) + math.log(tuning.alpha)


def rate_sequence(total: float, n: int, tuning: Tuning) -> Interval:
    """A rate from the sum of n shares in [0, 1]."""
    if n == 0:
        return Interval(math.nan, 0.0, 1.0, 0)
    rate = total / n

    def evidence(truth: float) -> float:
        return rate_evidence(truth, total, n, tuning)

    low = 0.0 if total <= 0 else _root(evidence, rate, 0.0)
    high = 1.0 if total >= n else _root(evidence, rate, 1.0)
    return Interval(rate, min(low, rate), max(high, rate), n)


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _root(evidence: Callable[[float], float], inside: float, end: float) -> float:
    """Where a function that is negative at `inside` turns positive towards `end`; else the end."""
    near = 1e-12
    inside = min(max(inside, near), 1 - near)
    outside = near if end == 0 else 1 - near
    return end if evidence(outside) < 0 else _bisect(evidence, inside, outside)


def _bisect(evidence: Callable[[float], float], inside: float, outside: float) -> float:
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if evidence(middle) < 0 else (inside, middle)
    return outside


class Bernstein:
    """The mean of values in [0, 1] by empirical Bernstein: deviations from a centre known beforehand."""

    def __init__(self, tuning: Tuning) -> None:
        self.tuning = tuning
        self.n = 0
        self.total = 0.0
        self.variation = 0.0  # sum of squared deviations, each from the mean at the stretch before

    @property
    def centre(self) -> float:
        return self.total / self.n if self.n else 0.5

    def add(self, n: int, total: float, deviation: float) -> None:
        """A stretch of values: how many, their sum, and their squared deviations from `centre` as it was."""
        self.n, self.total, self.variation = self.n + n, self.total + total, self.variation + deviation

    def interval(self) -> Interval:
        if self.n == 0:
            return Interval(math.nan, 0.0, 1.0, 0)
        outside = 1.0
        while self.evidence(outside) < 0:
            outside *= 2
        half = _bisect(self.evidence, 0.0, outside) / self.n
        mean = self.total / self.n
        return Interval(mean, max(0.0, mean - half), min(1.0, mean + half), self.n)

    def evidence(self, far: float) -> float:
        """Log fortune of the wager that the sum is not `far` off: the gamma-exponential mixture, each direction
        at half of alpha; ruled out from 0 on."""
        from scipy.special import gammainc

        weight = max(1.0, SCORE_VARIANCE * self.tuning.games / self.tuning.ratio)
        shape = self.variation + weight
        reach = far + shape
        prior = math.lgamma(weight) + math.log(gammainc(weight, weight)) - weight * math.log(weight)
        won = math.lgamma(shape) + math.log(gammainc(shape, reach)) - shape * math.log(reach)
        return won + far + self.variation - prior + math.log(self.tuning.alpha / 2)


class Prefix:
    """The games so far, fed stretch by stretch: every number with an interval that held all along."""

    def __init__(self, precision: float, empty: Tally, confidence: float = CONFIDENCE) -> None:
        self.tuning = Tuning(precision, confidence)
        self.tally = empty
        self.scores = [Bernstein(self.tuning) for _ in range(len(empty.moments))]
        self.per_game: int | None = 0  # scored entries of every game; None where games differ

    def add(self, stretch: Tally) -> None:
        """The next stretch of games; its end was fixed beforehand (see boundaries)."""
        games, entries = stretch.games, stretch.entries
        if games == 0:
            return
        constant = entries % games == 0 and stretch.entries_squared * games == entries**2
        number = entries // games if constant else None
        self.per_game = number if self.tally.games == 0 or self.per_game == number else None
        if self.per_game:
            for side, sequence in enumerate(self.scores):
                sequence.add(games, *self._scaled(stretch, side, sequence.centre, self.per_game))
        self.tally.add(stretch)

    def _scaled(self, stretch: Tally, side: int, centre: float, entries: int) -> tuple[float, float]:
        """Sum and squared deviations of scores scaled to [0, 1]; whole numbers until the last division."""
        low, width = stretch.lowest, max(1, stretch.histogram.shape[1] - 1)
        points = sum(score * number for score, number in stretch.scores(side).items())
        squares = int(stretch.moments[side].points_squared)
        # Any centre known beforehand will do, so it is a whole number of millionths.
        middle = round(MICRO * entries * (low + centre * width))
        deviation = MICRO**2 * squares - 2 * MICRO * middle * points + stretch.games * middle**2
        scale = entries * width
        return (points - low * entries * stretch.games) / scale, deviation / (MICRO * scale) ** 2

    def win(self, side: int) -> Interval:
        """A side's share of the wins; games that a clairvoyant left open may all be wins: they widen the high end."""
        found = self.proven(side)
        opened = self.tally.unresolved
        return replace(found, high=self.proven(side, opened).high) if opened else found

    def proven(self, side: int, more: int = 0) -> Interval:
        """The same of games that are decided, and of so many more wins: what more games can make narrower."""
        won = int(self.tally.moments[side].share) / WHOLE_WIN + more
        return rate_sequence(won, self.tally.games, self.tuning)

    def draws(self) -> Interval:
        return rate_sequence(self.tally.draws, self.tally.games, self.tuning)

    def score(self, side: int) -> Mean:
        fixed = mean_score(self.tally, side, self.tuning.confidence)
        interval, games = fixed.interval, self.tally.games
        low, high = self.tally.lowest, self.tally.lowest + self.tally.histogram.shape[1] - 1
        if self.per_game:
            scaled = self.scores[side].interval()
            ends = (low + scaled.low * (high - low), low + scaled.high * (high - low))
            return Mean(
                Interval(interval.value, min(ends[0], interval.value), max(ends[1], interval.value), interval.n),
                fixed.sd,
            )
        if games < 2:
            return fixed
        half = self._error(side) * _normal_mixture(games, self.tuning)
        return Mean(
            Interval(interval.value, interval.value - half, interval.value + half, interval.n).within(low, high),
            fixed.sd,
        )

    def _error(self, side: int) -> float:
        """Standard error of a side's mean score, games as clusters."""
        tally = self.tally
        points = sum(score * number for score, number in tally.scores(side).items())
        moments = tally.moments[side]
        squares, product = int(moments.points_squared), int(moments.points_entries)
        sums = (points, tally.entries, squares, product, tally.entries_squared)
        return ratio(tally.games, sums, self.tuning.confidence).half / t_quantile(
            tally.games - 1, self.tuning.confidence
        )

    @property
    def half(self) -> float:
        """The widest half-width of any side's win rate, in percentage points; games left open stay so however many
        are played, so they are no part of it."""
        return max(100 * self.proven(side).half for side in range(len(self.scores)))

    @property
    def reached(self) -> bool:
        return self.half <= self.tuning.precision


def _normal_mixture(n: int, tuning: Tuning) -> float:
    """Half-width in standard errors of the asymptotic sequence."""
    part = n / (tuning.games / tuning.ratio)
    return math.sqrt((1 + 1 / part) * (2 * math.log(1 / tuning.alpha) + math.log1p(part)))


def forecast(rate: float, precision: float, most: int, confidence: float = CONFIDENCE) -> int:
    """The look at which a win rate would be known well enough if it were `rate`: for estimates of time."""
    tuning = Tuning(precision, confidence)
    for n in looks(most):
        if 100 * rate_sequence(rate * n, n, tuning).half <= precision:
            return n
    return most
