"""Estimates with their intervals, from the exact integers of a tally; the number of games is fixed beforehand.

Which interval stands where, in the whole house:

    rate of games (won, drawn, a band)      Wilson; shared wins as the whole ones that they are worth (`shared_rate`)
    rate over clusters (several plays of    Wilson, with as many games as the clusters are worth and Student's quantile
    a deal, hands of a game)                (`clustered_rate`, `Moments.rate`)
    mean score, length, spread              t; several entries a game: a ratio of sums, clustered by game (`ratio`)
    quantile of scores                      the ranks that Wilson allows (`score_quantile`)
    difference of two rates, paired         Bonett and Price's adjusted interval, in compare, ladder, skill, tune,
                                            restrict, setups --setup, habits (`differences.pair_rates`)
    difference of two means, paired         t; few games changed: how often times by how much; none: the rule of three
                                            (`differences.pair_means`)
    difference of two independent arms      Newcombe's square-and-add (`differences.apart`)
    a level of a fact against all hands     t of the linear form, clustered by game (`fairness.strata`)
    ratio of two differences                Fieller (`clusters.ratio_of_means`)
    parts of a variance                     jackknife over deals (`variance`)
    anything that never varied              the rule of three: what as many games miss one time in twenty may lie
                                            anywhere in what is possible (`never_varied`)
    where a run stopped on width            the same at 95.5% (`width`)
    where sequential tests stopped a run    the same at 98% (`sequential`)
    looked at while games are played        confidence sequences (`sequences`): runs stopped by hand, cells under way

No interval has a width of 0 but where the truth is certain: equal players from every seat in turn share every win, no
game dies before its first card, a quantile is a whole number.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, replace
from itertools import accumulate
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from houle.solver.tally import Tally

CONFIDENCE = 0.95  # how often an interval holds the truth
WHOLE_WIN = 840  # the unit of shares of the win: whole numbers for any number of winners
# Beyond this many degrees of freedom t and normal agree to 2e-5 of the width; that spares importing scipy.
ENDLESS = 100_000


@dataclass(frozen=True)
class Interval:
    """An estimate, where the truth may lie, and how many observations say so."""

    value: float
    low: float
    high: float
    n: int

    @property
    def half(self) -> float:
        """The half-width, of an interval that is not symmetric its wider side."""
        if math.isnan(self.value):
            return (self.high - self.low) / 2
        return max(self.high - self.value, self.value - self.low)

    def within(self, least: float, most: float) -> Interval:
        """The same, cut to what is possible."""
        return Interval(self.value, max(self.low, least), min(self.high, most), self.n)


@dataclass(frozen=True)
class Mean:
    """A mean score with its interval, and the spread of single scores."""

    interval: Interval
    sd: float


def normal_quantile(confidence: float = CONFIDENCE) -> float:
    """Half-width of a two-sided interval in standard errors."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def t_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """As normal_quantile, with a spread estimated from freedom + 1 observations; endless for a single one."""
    if freedom < 1:
        return math.inf
    if freedom > ENDLESS:
        return normal_quantile(confidence)
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.5 + confidence / 2))


def wilson(rate: float, n: float, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's interval for a rate; n may be what observations are worth.

    Also for the mean of shares between 0 and 1, where wins are shared: a share varies at most as much as a
    win or loss of the same mean, so the interval is valid, and conservative.
    """
    if n == 0:
        return Interval(math.nan, 0.0, 1.0, 0)
    square = normal_quantile(confidence) ** 2 / n
    centre = (rate + square / 2) / (1 + square)
    half = math.sqrt(square * (rate * (1 - rate) + square / 4)) / (1 + square)
    # Rounding must not push an end beyond the estimate or beyond what a rate can be.
    low, high = max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))
    return Interval(rate, 0.0 if rate == 0 else low, 1.0 if rate == 1 else high, int(n))


def clopper_pearson(hits: int, n: int, confidence: float = CONFIDENCE) -> Interval:
    """The exact interval for a rate: never too narrow, however few the hits are."""
    from scipy.special import betaincinv

    tail = (1 - confidence) / 2
    low = float(betaincinv(hits, n - hits + 1, tail)) if hits else 0.0
    high = float(betaincinv(hits + 1, n - hits, 1 - tail)) if hits < n else 1.0
    return Interval(hits / n, low, high, n)


def clustered_rate(rate: float, variance: float, clusters: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's interval for a mean of shares that come in clusters; `variance` is that of the clusters' means.

    The clusters are worth as many independent games as would make the mean as sure, rate (1 - rate) / (variance /
    clusters), and the quantile is Student's. Where all agree on 0 or 1 a cluster counts as one game; where they agree
    on another share (a rotation in which the first seat always won) the next cluster need not.
    """
    if clusters < 2:
        return Interval(rate, 0.0, 1.0, clusters)
    spread = rate * (1 - rate)
    if spread > 0 and variance == 0:
        return never_varied(rate, clusters, 0.0, 1.0, confidence)
    number = clusters * spread / variance if spread > 0 else clusters
    square = t_quantile(clusters - 1, confidence) ** 2 / number
    centre = (rate + square / 2) / (1 + square)
    half = math.sqrt(square * (spread + square / 4)) / (1 + square)
    low, high = max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))
    return Interval(rate, 0.0 if rate <= 0 else low, 1.0 if rate >= 1 else high, clusters)


def never_varied(value: float, clusters: int, least: float, most: float, confidence: float = CONFIDENCE) -> Interval:
    """A mean that every cluster agreed on: another one may be so rare that as many clusters miss it one time in twenty.

    It then lies anywhere from `least` to `most`, as far as can be.
    """
    missed = 1 - (1 - confidence) ** (1 / clusters)
    return Interval(value, value - missed * (value - least), value + missed * (most - value), clusters)


def with_prior(found: Interval, clusters: int, confidence: float = CONFIDENCE) -> Interval:
    """A mean whose ends are not known; where none varied another one may lie as far off as the mean is, at least 1."""
    if clusters < 2 or found.high > found.low:
        return found
    reach = max(abs(found.value), 1.0)
    missed = never_varied(found.value, clusters, found.value - reach, found.value + reach, confidence)
    return replace(missed, n=found.n)


def around(value: float, variance: float, clusters: int, confidence: float = CONFIDENCE) -> Interval:
    """The t interval of a mean over clusters, from their variance."""
    if clusters < 2:
        return Interval(value, -math.inf, math.inf, clusters)
    half = t_quantile(clusters - 1, confidence) * math.sqrt(variance / clusters)
    return Interval(value, value - half, value + half, clusters)


def ratio(games: int, parts: tuple[int, int, int, int, int], confidence: float = CONFIDENCE) -> Interval:
    """Mean per entry with games as clusters, from sums over games: S, R, S^2, S R, R^2.

    S is a game's points and R its entries. With one entry a game this is the t interval of a mean, exactly.
    """
    points, entries, points_squared, product, entries_squared = parts
    if entries == 0:
        return Interval(math.nan, -math.inf, math.inf, 0)
    mean = points / entries
    if games < 2:
        return Interval(mean, -math.inf, math.inf, entries)
    # Sum over games of (S - mean R)^2, times entries^2: whole numbers, so that nothing cancels.
    squares = points_squared * entries**2 - 2 * points * product * entries + points**2 * entries_squared
    error = math.sqrt(squares / entries**4 * games / (games - 1))
    half = t_quantile(games - 1, confidence) * error
    return Interval(mean, mean - half, mean + half, entries)


def shared_rate(total: int, squares: int, games: int, confidence: float = CONFIDENCE) -> Interval:
    """A side's share of the wins, from the sums of its shares and of their squares in units of WHOLE_WIN.

    Whole wins have Wilson's interval; shared ones vary less, and count as so many whole wins as would be as sure.
    """
    rate = total / (WHOLE_WIN * games) if games else 0.0
    plain = wilson(rate, games, confidence)
    least = total * WHOLE_WIN - squares  # 0 where no win was shared
    spread = squares * games - total**2
    if games < 2 or least == 0 or spread <= 0:
        return plain
    utility = (total * WHOLE_WIN * games - total**2) / spread  # how much more a whole win would vary
    found = wilson(rate, games * utility, confidence)
    return replace(found, n=games)


def win_rate(tally: Tally, side: int, confidence: float = CONFIDENCE) -> Interval:
    """A side's share of the wins; games that a clairvoyant left open may all be wins, so they widen the high end."""
    games = tally.games
    won = int(tally.moments[side].share) / WHOLE_WIN
    found = shared_rate(int(tally.moments[side].share), int(tally.moments[side].share_squared), games, confidence)
    if not tally.unresolved:
        return found
    return replace(found, high=wilson(min(1.0, (won + tally.unresolved) / games), games, confidence).high)


def draw_rate(tally: Tally, confidence: float = CONFIDENCE) -> Interval:
    """Games that nobody won."""
    return wilson(tally.draws / tally.games if tally.games else 0.0, tally.games, confidence)


def mean_score(tally: Tally, side: int, confidence: float = CONFIDENCE) -> Mean:
    """A side's mean score per entry; the interval never leaves the scores that are possible."""
    scores = tally.scores(side)
    points = sum(score * number for score, number in scores.items())
    squares = sum(score**2 * number for score, number in scores.items())
    entries = tally.entries
    moments = tally.moments[side]
    parts = (points, entries, int(moments.points_squared), int(moments.points_entries), tally.entries_squared)
    interval, most = ratio(tally.games, parts, confidence), tally.lowest + tally.histogram.shape[1] - 1
    if tally.games > 1 and interval.high <= interval.low:
        interval = replace(never_varied(interval.value, tally.games, tally.lowest, most, confidence), n=entries)
    spread = squares * entries - points**2
    sd = math.sqrt(spread / (entries * (entries - 1))) if entries > 1 else math.nan
    return Mean(interval.within(tally.lowest, most), sd)


def score_quantile(tally: Tally, side: int, q: float, confidence: float = CONFIDENCE) -> Interval:
    """The score that a share q of the entries does not exceed.

    The interval goes through the ranks that Wilson's interval of q allows; scores are whole numbers, so it is wide
    rather than narrow.
    """
    scores = tally.scores(side)
    entries = sum(scores.values())
    if entries == 0:
        return Interval(math.nan, -math.inf, math.inf, 0)
    shares = wilson(q, _independent(tally, side), confidence)
    ranked = sorted(scores)
    below = list(accumulate(scores[score] for score in ranked))
    value, low, high = (float(ranked[bisect_left(below, share * entries)]) for share in (q, shares.low, shares.high))
    return Interval(value, low, high, entries)


def score_share(tally: Tally, side: int, low: int, high: int | None, confidence: float = CONFIDENCE) -> Interval:
    """How many of the entries score from low to high, ends included."""
    scores = tally.scores(side)
    entries = sum(scores.values())
    hits = sum(number for score, number in scores.items() if score >= low and (high is None or score <= high))
    found = wilson(hits / entries if entries else 0.0, _independent(tally, side), confidence)
    return replace(found, n=entries)


def _independent(tally: Tally, side: int) -> float:
    """How many independent scores the entries are worth: rounds of a game may be alike, as their mean scores tell."""
    entries = tally.entries
    if entries == tally.games or tally.games < 2:
        return entries
    mean = mean_score(tally, side)
    error = mean.interval.half / t_quantile(tally.games - 1)
    alike = (error / mean.sd) ** 2 * entries if mean.sd > 0 else 1.0
    return entries / max(1.0, alike)


def per(tally: Tally, count: str, unit: str = "games") -> float:
    """The mean of one of the game's counts per unit (games, rounds, turns ...); nan without any unit."""
    units = tally.count(unit)
    return tally.count(count) / units if units else math.nan
