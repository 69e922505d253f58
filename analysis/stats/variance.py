"""Variance components: how much of the outcome is due to players, seats, deals, and the rest.

Deals are played several times, by every player at every seat. The variance of the outcomes is the sum of four parts:

    player   between the means of the players; none if all play alike
    seat     between the seats, for the same player
    deal     between deals, for the same player at the same seat
    rest     within a deal

Each part is corrected for what chance contributes to it, so a part that is really 0 is 0 on average and may be
negative. Intervals are jackknifed over the deals.

The part `deal` depends on who played. `common_part` is the share that any two players of the same strength owe to the
deal: the covariance of their outcomes.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.stats.differences import FEW, pair_means
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.stats.intervals import CONFIDENCE, clustered_rate, t_quantile, with_prior

Vector = NDArray[np.float64]
Places = NDArray[np.int64]


def clustered_mean(values: Vector, cluster: Places, clusters: int, confidence: float = CONFIDENCE) -> Estimate:
    """Mean of the values; `cluster` is the index of each value's cluster, and some clusters may be empty."""
    mean, error = _mean_and_error(values, cluster, clusters)
    return _around(mean, error, clusters, len(values), confidence)


def clustered_share(values: Vector, cluster: Places, clusters: int, confidence: float = CONFIDENCE) -> Estimate:
    """Mean of values between 0 and 1, with an interval inside that range."""
    if len(values) == 0:
        return Estimate(math.nan, 0.0, 1.0, 0, PERCENT)
    mean, error = _mean_and_error(values, cluster, clusters)
    rate = clustered_rate(mean, error**2 * clusters, clusters, confidence)
    return replace(rate, n=len(values))


def per_cluster(values: Vector, cluster: Places, clusters: int, confidence: float = CONFIDENCE) -> Estimate:
    """Mean over the clusters of the sum of their values."""
    if clusters == 0:
        return Estimate(math.nan, -math.inf, math.inf, 0)
    sums = np.bincount(cluster, values, minlength=clusters)
    error = float(sums.std(ddof=1)) / math.sqrt(clusters) if clusters > 1 else math.inf
    return _around(float(sums.mean()), error, clusters, clusters, confidence)


def _mean_and_error(values: Vector, cluster: Places, clusters: int) -> tuple[float, float]:
    number = len(values)
    if number == 0:
        return math.nan, math.inf
    mean = float(values.mean())
    if clusters < 2:
        return mean, math.inf
    rest = np.bincount(cluster, values - mean, minlength=clusters)
    return mean, math.sqrt(float(rest @ rest) * clusters / (clusters - 1)) / number


def _around(mean: float, error: float, clusters: int, number: int, confidence: float) -> Estimate:
    half = t_quantile(clusters - 1, confidence) * error if error > 0 else 0.0
    return with_prior(Estimate(mean, mean - half, mean + half, number), clusters, confidence)


def ratio_of_means(
    top: float, bottom: float, covariance: Any, clusters: int, confidence: float = CONFIDENCE
) -> Estimate | None:
    """top / bottom by Fieller's theorem; `covariance` is that of the two means, 2 x 2.

    None if the bottom may be 0, because then no ratio can be excluded.
    """
    square = t_quantile(clusters - 1, confidence) ** 2
    if not math.isfinite(square):
        return None
    a = bottom**2 - square * covariance[1][1]
    b = top * bottom - square * covariance[0][1]
    c = top**2 - square * covariance[0][0]
    if a <= 0:
        return None
    half = math.sqrt(max(b * b - a * c, 0.0))
    return Estimate(top / bottom, (b - half) / a, (b + half) / a, clusters)


VARIANCE_PARTS = ("player", "seat", "deal", "rest")
LEAST_DEALS = 3  # the jackknife leaves one out


def variance_parts(values: Vector, confidence: float = CONFIDENCE) -> dict[str, Estimate] | None:
    """The shares of the four parts, from values of deal x replay x player x seat; None if nothing varies.

    Either each player was at each seat, or there is one player (all play alike).
    """
    deals, replays = values.shape[:2]
    if deals < LEAST_DEALS or replays < 2:
        raise ValueError("variance components need at least three deals and two replays of each")
    mean = values.mean(axis=1)  # deal x player x seat
    within = values.var(axis=1, ddof=1).reshape(deals, -1).mean(axis=1)
    player = mean.mean(axis=2) - mean.mean(axis=(1, 2))[:, None]
    seat = (mean - mean.mean(axis=2, keepdims=True)).reshape(deals, -1)
    cells = mean.reshape(deals, -1)
    sizes = [player.shape[1], seat.shape[1], cells.shape[1]]
    columns = np.concatenate([player, seat, cells, player**2, seat**2, cells**2, within[:, None]], axis=1)
    whole = columns.mean(axis=0)
    shares = _shares(whole[None], deals, replays, sizes)[0]
    if not np.isfinite(shares).all():
        return None
    without_one = (deals * whole - columns) / (deals - 1)
    apart = _shares(without_one, deals - 1, replays, sizes)
    errors = np.sqrt((deals - 1) * apart.var(axis=0))
    half = t_quantile(deals - 1, confidence) * errors
    # A true share lies from 0 to 1, so an interval beyond says nothing more; the estimate itself may be negative.
    lows, highs = np.maximum(shares - half, np.minimum(shares, 0.0)), np.minimum(shares + half, np.maximum(shares, 1.0))
    return {
        part: Estimate(float(x), float(low), float(high), deals, PERCENT)
        for part, x, low, high in zip(VARIANCE_PARTS, shares, lows, highs, strict=True)
    }


def _shares(means: Vector, deals: int, replays: int, sizes: list[int]) -> Vector:
    """The four shares, a row for each row of means over deals: first moments, second moments, variance in a deal."""
    ends = np.cumsum([*sizes, *sizes])
    first, second = np.split(means[:, :-1], ends[:-1], axis=1)[:3], np.split(means[:, :-1], ends[:-1], axis=1)[3:]
    within = means[:, -1]
    spreads = [np.maximum(b - a**2, 0.0) * deals / (deals - 1) for a, b in zip(first, second, strict=True)]
    # Subtract what chance contributes to the spread of the means.
    player, seat = ((first[i] ** 2 - spreads[i] / deals).mean(axis=1) for i in (0, 1))
    deal = spreads[2].mean(axis=1) - within / replays
    parts = np.stack([player, seat, deal, within], axis=1)
    total = parts.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(total > 1e-12, parts / total, np.nan)


def common_part(one: Vector, other: Vector, confidence: float = CONFIDENCE) -> Estimate | None:
    """The covariance of two players' outcomes on the same deals, as a share of their variance; deal x seat each.

    None if nothing varies. If they agree on nearly all deals, the jackknife sees too few of the others; the interval
    then follows from how often and by how much they disagree.
    """
    deals = len(one)
    if deals < LEAST_DEALS:
        raise ValueError("the common part of two players needs at least three deals")
    columns = np.stack([one, other, one * other, one**2, other**2])  # moment x deal x seat
    whole = columns.mean(axis=1)
    value = float(_common(whole[:, None])[0])
    if not np.isfinite(value):
        return None
    without_one = (deals * whole[:, None] - columns) / (deals - 1)
    half = t_quantile(deals - 1, confidence) * float(np.sqrt((deals - 1) * _common(without_one).var()))
    low, high = value - half, value + half
    gaps = ((one - other) ** 2).sum(axis=1)
    changed = int((gaps > 0).sum())
    if changed < min(FEW, deals / 2):
        spread = float((whole[3] + whole[4] - whole[0] ** 2 - whole[1] ** 2).sum())
        most = one.shape[1] * float(np.ptp(np.concatenate([one, other]))) ** 2
        apart = pair_means(float(gaps.mean()), float(gaps.var(ddof=1)), deals, most, changed, confidence)
        low, high = min(low, 1 - apart.high / spread), max(high, 1 - max(apart.low, 0.0) / spread)
    return Estimate(value, max(-1.0, low), min(1.0, max(value, high)), deals, PERCENT)


def _common(means: Vector) -> Vector:
    """Covariance over mean variance, summed over seats, from means over deals: moment x set of deals x seat."""
    first, second, product, first_squared, second_squared = means
    both = (product - first * second).sum(axis=-1)
    spread = (first_squared - first**2 + second_squared - second**2).sum(axis=-1) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        shares: Vector = np.where(spread > 1e-12, both / spread, np.nan)
    return shares
