"""Estimates with their intervals, from the exact integers of a tally; the number of games is fixed beforehand.

Which interval is used where, in the whole project:

    rate of games (won, drawn, a band)      Wilson; shared wins count as fewer whole wins (`shared_rate`)
    rate over clusters (several plays of    Wilson with the effective number of games and Student's quantile
    a deal, hands of a game)                (`clustered_rate`, `Moments.rate`)
    mean score, length, spread              t; several entries per game: a ratio of sums, clustered by game (`ratio`)
    quantile of scores or lengths           the ranks that Wilson allows (`count_quantile`)
    difference of two rates, paired         Bonett and Price's adjusted interval, in compare, strength, tune,
                                            ablation, custom openings, habits (`differences.pair_rates`)
    difference of two means, paired         t; if few games changed: how often times by how much; if none: the rule
                                            of three (`differences.pair_means`)
    difference of two independent arms      Newcombe's square-and-add (`Estimate.difference`)
    what each of many changes does          the same, joint over all changes and measures (`tables.effects`)
    a level of a fact against all hands     t of the linear form, clustered by game (`explain.means_by_fact`)
    a value that never varied               the rule of three: another value may be so rare that the games missed it
                                            (`never_varied`)
    at a look of a growing run              the same with a share of the 5%; exact where few games count (`looks`)

An interval has a width of 0 only if the truth is certain: equal players that take every seat in turn share every win,
no game ends before its first card, a quantile is a whole number.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from statistics import NormalDist
from typing import TYPE_CHECKING

from houle.analysis.stats.estimate import PERCENT, Estimate

if TYPE_CHECKING:
    from houle.solver.run.tally import Tally

CONFIDENCE = 0.95  # how often an interval holds the truth
WHOLE_WIN = 840  # the unit of shares of the win: a share is a whole number for any number of winners
# Beyond this many degrees of freedom t and normal agree to 2e-5 of the width, and scipy need not be imported.
ENDLESS = 100_000


@dataclass(frozen=True)
class Mean:
    """A mean score with its interval, and the spread of single scores."""

    interval: Estimate
    sd: float


def normal_quantile(confidence: float = CONFIDENCE) -> float:
    """Half-width of a two-sided interval in standard errors."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def t_quantile(freedom: int, confidence: float = CONFIDENCE) -> float:
    """Like normal_quantile, with a spread estimated from freedom + 1 observations; infinite for one observation."""
    if freedom < 1:
        return math.inf
    if freedom > ENDLESS:
        return normal_quantile(confidence)
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.5 + confidence / 2))


def wilson(rate: float, n: float, confidence: float = CONFIDENCE) -> Estimate:
    """Wilson's interval for a rate; n may be an effective number of observations.

    Also valid for the mean of shares between 0 and 1, because a share varies at most as much as a win or loss of the
    same mean. It is conservative there.
    """
    if n == 0:
        return Estimate(math.nan, 0.0, 1.0, n=0, unit=PERCENT)
    return _score_interval(rate, rate * (1 - rate), normal_quantile(confidence) ** 2 / n, int(n))


def _score_interval(rate: float, spread: float, square: float, n: int) -> Estimate:
    """Wilson's formula; `square` is the squared quantile over the number of games."""
    centre = (rate + square / 2) / (1 + square)
    half = math.sqrt(square * (spread + square / 4)) / (1 + square)
    # Rounding must not push an end beyond the estimate, 0 or 1.
    low, high = max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))
    return Estimate(rate, 0.0 if rate <= 0 else low, 1.0 if rate >= 1 else high, n=n, unit=PERCENT)


def clopper_pearson(hits: int, n: int, confidence: float = CONFIDENCE) -> Estimate:
    """The exact interval for a rate: never too narrow, even with few hits."""
    from scipy.special import betaincinv

    tail = (1 - confidence) / 2
    low = float(betaincinv(hits, n - hits + 1, tail)) if hits else 0.0
    high = float(betaincinv(hits + 1, n - hits, 1 - tail)) if hits < n else 1.0
    return Estimate(hits / n, low, high, n=n, unit=PERCENT)


def clustered_rate(rate: float, variance: float, clusters: int, confidence: float = CONFIDENCE) -> Estimate:
    """Wilson's interval for a mean of shares that come in clusters; `variance` is that of the clusters' means.

    The effective number of games is rate (1 - rate) / (variance / clusters): as many independent games would give the
    mean the same error. The quantile is Student's. If all clusters agree on 0 or 1, each counts as one game. If they
    agree on another share (a rotation in which the first seat always won), the next cluster may still differ.
    """
    if clusters < 2:
        return Estimate(rate, 0.0, 1.0, n=clusters, unit=PERCENT)
    spread = rate * (1 - rate)
    if spread > 0 and variance == 0:
        return replace(never_varied(rate, clusters, least=0.0, most=1.0, confidence=confidence), unit=PERCENT)
    number = clusters * spread / variance if spread > 0 else clusters
    return _score_interval(rate, spread, t_quantile(clusters - 1, confidence) ** 2 / number, clusters)


def never_varied(value: float, clusters: int, least: float, most: float, confidence: float = CONFIDENCE) -> Estimate:
    """A mean on which every cluster agreed: a different cluster may be so rare that this many miss it 1 time in 20.

    Its value may then be anything from `least` to `most`.
    """
    missed = 1 - (1 - confidence) ** (1 / clusters)
    return Estimate(value, value - missed * (value - least), value + missed * (most - value), clusters)


def with_prior(mean: Estimate, clusters: int, confidence: float = CONFIDENCE) -> Estimate:
    """A mean without known bounds; if nothing varied, a missed value may be as far off as the mean is large, or 1."""
    if clusters < 2 or mean.high > mean.low:
        return mean
    reach = max(abs(mean.value), 1.0)
    missed = never_varied(mean.value, clusters, mean.value - reach, mean.value + reach, confidence=confidence)
    return replace(missed, n=mean.n)


def around(value: float, variance: float, clusters: int, confidence: float = CONFIDENCE) -> Estimate:
    """The t interval of a mean over clusters, from their variance."""
    if clusters < 2:
        return Estimate(value, -math.inf, math.inf, clusters)
    half = t_quantile(clusters - 1, confidence) * math.sqrt(variance / clusters)
    return Estimate(value, value - half, value + half, clusters)


def ratio(games: int, parts: tuple[int, int, int, int, int], confidence: float = CONFIDENCE) -> Estimate:
    """Mean per entry with games as clusters, from sums over games: S, R, S^2, S R, R^2.

    S is the points of a game and R its entries. With one entry per game this is exactly the t interval of a mean.
    """
    points, entries, points_squared, product, entries_squared = parts
    if entries == 0:
        return Estimate(math.nan, -math.inf, math.inf, 0)
    mean = points / entries
    if games < 2:
        return Estimate(mean, -math.inf, math.inf, entries)
    # Sum over games of (S - mean R)^2, times entries^2: in whole numbers, so no precision is lost.
    squares = points_squared * entries**2 - 2 * points * product * entries + points**2 * entries_squared
    error = math.sqrt(squares / entries**4 * games / (games - 1))
    half = t_quantile(games - 1, confidence) * error
    return Estimate(mean, mean - half, mean + half, entries)


def shared_rate(total: int, squares: int, games: int, confidence: float = CONFIDENCE) -> Estimate:
    """A side's share of the wins, from the sums of its shares and of their squares in units of WHOLE_WIN.

    Whole wins have Wilson's interval. Shared wins vary less, so the effective number of games is larger.
    """
    rate = total / (WHOLE_WIN * games) if games else 0.0
    plain = wilson(rate, games, confidence)
    least = total * WHOLE_WIN - squares  # 0 where no win was shared
    spread = squares * games - total**2
    if games < 2 or least == 0 or spread <= 0:
        return plain
    more = (total * WHOLE_WIN * games - total**2) / spread  # how much more whole wins would vary
    return replace(wilson(rate, games * more, confidence), n=games)


def win_rate(tally: Tally, side: int, confidence: float = CONFIDENCE) -> Estimate:
    """A side's share of the wins. Games that a clairvoyant left open may all be wins, so they raise the high end."""
    games = tally.games
    won = int(tally.moments[side].share) / WHOLE_WIN
    rate = shared_rate(int(tally.moments[side].share), int(tally.moments[side].share_squared), games, confidence)
    if not tally.unresolved:
        return rate
    return replace(rate, high=wilson(min(1.0, (won + tally.unresolved) / games), games, confidence).high)


def draw_rate(tally: Tally, confidence: float = CONFIDENCE) -> Estimate:
    """The rate of games that nobody won."""
    return wilson(tally.draws / tally.games if tally.games else 0.0, tally.games, confidence)


def mean_score(tally: Tally, side: int, confidence: float = CONFIDENCE) -> Mean:
    """A side's mean score per entry; the interval stays within the possible scores."""
    scores = tally.scores(side)
    points = sum(score * number for score, number in scores.items())
    squares = sum(score**2 * number for score, number in scores.items())
    entries = tally.entries
    moments = tally.moments[side]
    parts = (points, entries, int(moments.points_squared), int(moments.points_entries), tally.entries_squared)
    interval, most = ratio(tally.games, parts, confidence), tally.lowest + tally.histogram.shape[1] - 1
    if tally.games > 1 and interval.high <= interval.low:
        interval = replace(
            never_varied(interval.value, tally.games, tally.lowest, most, confidence=confidence), n=entries
        )
    spread = squares * entries - points**2
    sd = math.sqrt(spread / (entries * (entries - 1))) if entries > 1 else math.nan
    return Mean(interval.within(tally.lowest, most), sd)


def score_quantile(tally: Tally, side: int, q: float, confidence: float = CONFIDENCE) -> Estimate:
    """The score that a share q of the entries does not exceed.

    The interval comes from the ranks that Wilson's interval of q allows. Scores are whole numbers, so it is rather
    too wide than too narrow.
    """
    return count_quantile(tally.scores(side), q, _independent(tally, side), confidence)


def count_quantile(counts: Mapping[int, int], q: float, independent: float, confidence: float = CONFIDENCE) -> Estimate:
    """The value that a share q of counted values does not exceed; `independent` is their effective number."""
    entries = sum(counts.values())
    if entries == 0:
        return Estimate(math.nan, -math.inf, math.inf, 0)
    shares = wilson(q, independent, confidence)
    ranked = sorted(counts)
    below = list(accumulate(counts[value] for value in ranked))
    value, low, high = (float(ranked[bisect_left(below, share * entries)]) for share in (q, shares.low, shares.high))
    return Estimate(value, low, high, entries)


def score_share(tally: Tally, side: int, low: int, high: int | None, confidence: float = CONFIDENCE) -> Estimate:
    """The share of the entries that score from low to high, ends included."""
    scores = tally.scores(side)
    entries = sum(scores.values())
    hits = sum(number for score, number in scores.items() if score >= low and (high is None or score <= high))
    share = wilson(hits / entries if entries else 0.0, _independent(tally, side), confidence)
    return replace(share, n=entries)


def _independent(tally: Tally, side: int) -> float:
    """The effective number of independent scores: rounds of one game may be alike."""
    entries = tally.entries
    if entries == tally.games or tally.games < 2:
        return entries
    mean = mean_score(tally, side)
    error = mean.interval.half / t_quantile(tally.games - 1)
    alike = (error / mean.sd) ** 2 * entries if mean.sd > 0 else 1.0
    return entries / max(1.0, alike)


def per(tally: Tally, count: str, unit: str = "games") -> float:
    """The mean of a count of the game per unit (games, rounds, turns ...); nan if there are no units."""
    units = tally.count(unit)
    return tally.count(count) / units if units else math.nan
