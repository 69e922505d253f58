"""Confidence sequences: intervals that hold at every look at once, so you may look, and stop, at any time.

A fixed-n interval that is looked at repeatedly misses the truth far more often than it says. These intervals come from
a betting argument: for every possible true value there is a bet whose fortune exceeds 1/alpha only with probability
alpha, ever, if that value is true. The interval holds the values that are not ruled out.

Rates bet with a beta mixture around the value in question (Howard, Ramdas, McAuliffe and Sekhon 2021). The factor by
which a game multiplies the fortune is convex in its share of the win. Shares between 0 and 1 therefore earn at most
what whole wins of the same mean would, and shared wins need no special treatment. Means of bounded scores use the
empirical Bernstein mixture of the same paper. If games have different numbers of scored rounds, nothing bounds the
points of a game, and the asymptotic sequence of Waudby-Smith et al. (2021) is used: Robbins' normal mixture with the
observed spread.

They are used for runs that were stopped by hand and for unfinished cells of a study. Runs that stop by a rule need
less: on width (width.py), or by sequential tests (sequential.py).

A bet is sharpest around one number of games, which follows from the precision and the variance. The variance is not
known beforehand, so half of the money is bet from the first game on with a typical variance, and the other half from
the first look on with the variance seen until then.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.stats.intervals import (
    CONFIDENCE,
    WHOLE_WIN,
    Mean,
    draw_rate,
    mean_score,
    normal_quantile,
    ratio,
    t_quantile,
    win_rate,
)
from houle.analysis.stats.width import AT_WIDTH, FIRST_LOOK, half_width, looks

if TYPE_CHECKING:
    from houle.solver.run.tally import Tally

CENTRE = 100  # games before the first look that only locate the scores
TYPICAL_VARIANCE = 0.1  # of a rate
SCORE_VARIANCE = 0.02  # of a score scaled to [0, 1]
MICRO = 1_000_000


def boundaries(most: int) -> list[int]:
    """The game counts at which a sequence is updated: CENTRE, then the looks."""
    return [CENTRE] * (most > CENTRE) + list(looks(most))


def is_look(count: int, most: int) -> bool:
    """Whether a run may stop at this boundary."""
    return count >= min(FIRST_LOOK, most)


@dataclass(frozen=True)
class BetTuning:
    """Where a bet is sharpest, for a precision in percentage points. It affects the width only, not the validity."""

    precision: float
    confidence: float = CONFIDENCE
    variance: float = TYPICAL_VARIANCE  # of a rate

    @property
    def alpha(self) -> float:
        return 1 - self.confidence

    @property
    def ratio(self) -> float:
        """Games at which a mixture is sharpest, in units of its weight."""
        spread = 2 * math.log(1 / self.alpha)
        return spread + math.log(1 + spread)

    @property
    def games(self) -> float:
        """Games that a rate of this variance needs to reach the precision."""
        return max(FIRST_LOOK, self.variance * (normal_quantile(AT_WIDTH) / (self.precision / 100)) ** 2)

    def after(self, total: float, n: int) -> BetTuning:
        """The same tuning for the variance of a rate: `total` wins in the first `n` games."""
        rate = (total + 0.5) / (n + 1)
        return replace(self, variance=rate * (1 - rate))


@dataclass(frozen=True)
class Start:
    """When the second half of the money is bet: games so far, their sum, and their variation."""

    n: int
    total: float
    variation: float = 0.0


def rate_evidence(truth: float, total: float, n: int, tuning: BetTuning, start: Start | None = None) -> float:
    """Log fortune of the bet against a rate, given the sum of n shares; the rate is ruled out from 0 on."""
    whole = _rate_fortune(truth, total, n, tuning)
    if start is None:
        return whole + math.log(tuning.alpha)
    late = _rate_fortune(truth, total - start.total, n - start.n, tuning.after(start.total, start.n))
    return _halves(whole, late) + math.log(tuning.alpha)


def _rate_fortune(truth: float, total: float, n: int, tuning: BetTuning) -> float:
    weight = tuning.games / tuning.ratio
    a, b = weight * truth, weight * (1 - truth)
    won = _log_beta(a + total, b + n - total) - _log_beta(a, b)
    return won - total * math.log(truth) - (n - total) * math.log1p(-truth)


def _halves(one: float, other: float) -> float:
    """The log of the mean of two fortunes, given as logs."""
    greater = max(one, other)
    return greater + math.log((math.exp(one - greater) + math.exp(other - greater)) / 2)


def rate_sequence(total: float, n: int, tuning: BetTuning, start: Start | None = None) -> Estimate:
    """A rate from the sum of n shares in [0, 1]."""
    if n == 0:
        return Estimate(math.nan, 0.0, 1.0, 0, PERCENT)
    rate = total / n

    def evidence(truth: float) -> float:
        return rate_evidence(truth, total, n, tuning, start)

    low = 0.0 if total <= 0 else _root(evidence, rate, 0.0)
    high = 1.0 if total >= n else _root(evidence, rate, 1.0)
    return Estimate(rate, min(low, rate), max(high, rate), n, PERCENT)


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _root(evidence: Callable[[float], float], inside: float, end: float) -> float:
    """Where a function that is negative at `inside` turns positive towards `end`; `end` if it does not."""
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
    """The mean of values in [0, 1] by the empirical Bernstein method: deviations from a centre known beforehand."""

    def __init__(self, tuning: BetTuning) -> None:
        self.tuning = tuning
        self.n = 0
        self.total = 0.0
        self.variation = 0.0  # sum of squared deviations, each from the mean before its stretch
        self.start: Start | None = None  # set at the first look

    @property
    def centre(self) -> float:
        return self.total / self.n if self.n else 0.5

    def add(self, n: int, total: float, deviation: float) -> None:
        """Add a stretch of values: how many, their sum, and their squared deviations from the previous `centre`."""
        self.n, self.total, self.variation = self.n + n, self.total + total, self.variation + deviation
        if self.start is None and self.n >= FIRST_LOOK:
            self.start = Start(self.n, self.total, self.variation)

    def interval(self) -> Estimate:
        if self.n == 0:
            return Estimate(math.nan, 0.0, 1.0, 0, PERCENT)
        mean = self.total / self.n
        low, high = (end if self.evidence(end) < 0 else _bisect(self.evidence, mean, end) for end in (0.0, 1.0))
        return Estimate(mean, min(low, mean), max(high, mean), self.n, PERCENT)

    def evidence(self, truth: float) -> float:
        """Log fortune of the bet against a mean, each direction at half of alpha; ruled out from 0 on."""
        way = 1.0 if self.n * truth > self.total else -1.0
        games = self.tuning.games / self.tuning.ratio
        whole = _bernstein(way * (self.n * truth - self.total), self.variation, SCORE_VARIANCE * games)
        fortune = whole
        if self.start is not None and self.n > self.start.n:
            far = way * ((self.n - self.start.n) * truth - (self.total - self.start.total))
            weight = self.start.variation / self.start.n * games
            fortune = _halves(whole, _bernstein(far, self.variation - self.start.variation, weight))
        return fortune + math.log(self.tuning.alpha / 2)


def _bernstein(far: float, variation: float, weight: float) -> float:
    """Log fortune of the gamma-exponential mixture if a sum is `far` off; minus infinity in the other direction."""
    from scipy.special import gammainc

    if far < 0:
        return -math.inf
    weight = max(1.0, weight)
    shape = variation + weight
    reach = far + shape
    prior = math.lgamma(weight) + math.log(gammainc(weight, weight)) - weight * math.log(weight)
    won = math.lgamma(shape) + math.log(gammainc(shape, reach)) - shape * math.log(reach)
    return float(won + far + variation - prior)


class Prefix:
    """The games so far, added stretch by stretch; its intervals hold at every look."""

    def __init__(self, precision: float, empty: Tally, confidence: float = CONFIDENCE) -> None:
        self.tuning = BetTuning(precision, confidence)
        self.tally = empty
        self.scores = [Bernstein(self.tuning) for _ in range(len(empty.moments))]
        self.per_game: int | None = 0  # scored entries of every game; None if games differ
        self._wins: list[Start | None] = [None] * len(empty.moments)  # of each side, at the first look
        self._draws: Start | None = None

    def add(self, stretch: Tally) -> None:
        """Add the next stretch of games; its end must be one of `boundaries`."""
        games, entries = stretch.games, stretch.entries
        if games == 0:
            return
        constant = entries % games == 0 and stretch.entries_squared * games == entries**2
        number = entries // games if constant else None
        self.per_game = number if self.tally.games == 0 or self.per_game == number else None
        if self.per_game:
            for side, sequence in enumerate(self.scores):
                sequence.add(games, *self._scaled(stretch, side, sequence.centre, self.per_game))
        first = self.tally.games < FIRST_LOOK <= self.tally.games + games
        self.tally.add(stretch)
        if first:
            self._wins = [Start(self.tally.games, self._won(side)) for side in range(len(self.scores))]
            self._draws = Start(self.tally.games, self.tally.draws)

    def _won(self, side: int) -> float:
        return int(self.tally.moments[side].share) / WHOLE_WIN

    def _scaled(self, stretch: Tally, side: int, centre: float, entries: int) -> tuple[float, float]:
        """Sum and squared deviations of scores scaled to [0, 1], in whole numbers until the last division."""
        low, width = stretch.lowest, max(1, stretch.histogram.shape[1] - 1)
        points = sum(score * number for score, number in stretch.scores(side).items())
        squares = int(stretch.moments[side].points_squared)
        # Any centre known beforehand is valid, so it is rounded to millionths.
        middle = round(MICRO * entries * (low + centre * width))
        deviation = MICRO**2 * squares - 2 * MICRO * middle * points + stretch.games * middle**2
        scale = entries * width
        return (points - low * entries * stretch.games) / scale, deviation / (MICRO * scale) ** 2

    def win(self, side: int) -> Estimate:
        """A side's share of the wins; games that a clairvoyant left open may all be wins."""
        games, won, start = self.tally.games, self._won(side), self._wins[side]
        rate = rate_sequence(won, games, self.tuning, start)
        if not self.tally.unresolved:
            return rate
        most = rate_sequence(min(games, won + self.tally.unresolved), games, self.tuning)
        return replace(rate, high=max(rate.high, most.high))

    def draws(self) -> Estimate:
        return rate_sequence(self.tally.draws, self.tally.games, self.tuning, self._draws)

    def score(self, side: int) -> Mean:
        fixed = mean_score(self.tally, side, self.tuning.confidence)
        interval, games = fixed.interval, self.tally.games
        low, high = self.tally.lowest, self.tally.lowest + self.tally.histogram.shape[1] - 1
        if self.per_game:
            scaled = self.scores[side].interval()
            ends = (low + scaled.low * (high - low), low + scaled.high * (high - low))
            return Mean(
                replace(interval, low=min(ends[0], interval.value), high=max(ends[1], interval.value)),
                fixed.sd,
            )
        if games < 2:
            return fixed
        half = self._error(side) * _normal_mixture(games, self.tuning)
        return Mean(
            replace(interval, low=interval.value - half, high=interval.value + half).within(low, high),
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
        """The widest half-width of any side's win rate, in percentage points; it decides when a run stops."""
        return half_width(self.tally)

    @property
    def reached(self) -> bool:
        return self.half <= self.tuning.precision

    def win_at_stop(self, side: int) -> Estimate:
        """Like win, for a run that stopped by its rule: an ordinary interval."""
        return win_rate(self.tally, side, AT_WIDTH)

    def draws_at_stop(self) -> Estimate:
        return draw_rate(self.tally, AT_WIDTH)

    def score_at_stop(self, side: int) -> Mean:
        return mean_score(self.tally, side, AT_WIDTH)


def _normal_mixture(n: int, tuning: BetTuning) -> float:
    """Half-width in standard errors of the asymptotic sequence."""
    part = n / (tuning.games / tuning.ratio)
    return math.sqrt((1 + 1 / part) * (2 * math.log(1 / tuning.alpha) + math.log1p(part)))
