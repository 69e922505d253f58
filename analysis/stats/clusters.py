"""Means and shares of values that come in clusters, such as the decisions of a game."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.stats.intervals import CONFIDENCE, clustered_rate, t_quantile, with_prior

Vector = NDArray[np.float64]
Places = NDArray[np.int64]


def clustered_mean(values: Vector, cluster: Places, clusters: int, confidence: float = CONFIDENCE) -> Estimate:
    """Mean of the values; `cluster` is the index of each value's cluster, and some clusters may be empty."""
    mean, error = _mean_and_error(values, cluster, clusters)
    return _around(mean, error, clusters, len(values), confidence=confidence)


def clustered_share(values: Vector, cluster: Places, clusters: int, confidence: float = CONFIDENCE) -> Estimate:
    """Mean of values between 0 and 1, with an interval inside that range."""
    if len(values) == 0:
        return Estimate(math.nan, 0.0, 1.0, n=0, unit=PERCENT)
    mean, error = _mean_and_error(values, cluster, clusters)
    rate = clustered_rate(mean, error**2 * clusters, clusters, confidence)
    return replace(rate, n=len(values))


def per_cluster(values: Vector, cluster: Places, clusters: int, confidence: float = CONFIDENCE) -> Estimate:
    """Mean over the clusters of the sum of their values."""
    if clusters == 0:
        return Estimate(math.nan, -math.inf, math.inf, 0)
    sums = np.bincount(cluster, values, minlength=clusters)
    error = float(sums.std(ddof=1)) / math.sqrt(clusters) if clusters > 1 else math.inf
    return _around(float(sums.mean()), error, clusters, clusters, confidence=confidence)


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
