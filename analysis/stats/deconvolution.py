"""How many choices are worth a certain size: the distribution of true gains behind noisy ones whose errors are known.

Counting noisy gains that look large counts luck; counting those that are large beyond their error counts only what the
error allows to be seen, and both change with the error. What is behind them does not: it is the distribution that, when
the errors blur it, makes the noisy gains most likely (the nonparametric maximum likelihood of Kiefer and Wolfowitz, by
expectation and maximisation on a grid). From a flat start the steps first find its broad shape and then sharpen it into
spikes that no data of this size can vouch for; so they end while it is smooth.

A gain is that of an option which was itself chosen by noisy means, over the mean of all options: with few worlds it is
often not the best, and its gain is less than the best one's. How much less is told from the error of the choice, as if
the options' values were drawn from a normal distribution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from houle.analysis.stats.clusters import Places, Vector
from houle.analysis.stats.intervals import CONFIDENCE, Interval, around, clustered_rate

STEPS = 100  # of expectation and maximisation
NOTHING = 1e-300  # instead of 0 in a resample of clusters without a gain, whose share is 0
RESAMPLES = 100  # of the clusters, for intervals


@dataclass(frozen=True)
class Gains:
    """What chosen options got more than the mean of all, as it was measured; from -1 to 1."""

    values: Vector
    options: Places  # of each choice, two or more
    error: float  # of a value
    choice_error: float  # of what the choice was made by, in the same unit; 0 where the best was known

    def likelihood(self, truths: Vector) -> Vector:
        """Of every value, were the best option's gain the truth: up to a factor of its own, never quite 0."""
        # The best of so many normal values is so far above their mean (Blom 1958).
        far = {int(n): NormalDist().inv_cdf((n - 0.375) / (n + 0.25)) for n in np.unique(self.options)}
        spread = truths / np.array([far[int(n)] for n in self.options])[:, None]
        certain = spread**2 / np.maximum(spread**2 + self.choice_error**2, 1e-18)
        mean, variance = truths * np.sqrt(certain), self.error**2 + (1 - certain) * spread**2
        log = -0.5 * ((self.values[:, None] - mean) ** 2 / variance + np.log(variance))
        found: Vector = np.exp(log - log.max(axis=1, keepdims=True)) + 1e-12
        return found


def share_beyond(
    gains: Gains, cluster: Places, clusters: int, size: float, confidence: float = CONFIDENCE
) -> tuple[Interval, Interval]:
    """How many of the true gains of the best options are at least so large: as a share of all, and a cluster.

    `cluster` is the number of each gain's cluster, of which some may be empty; errors come from a bootstrap over them.
    """
    number = len(gains.values)
    if number == 0:
        return Interval(math.nan, 0.0, 1.0, 0), Interval(0.0, 0.0, math.inf, clusters)
    truths = _grid(size)
    draws = np.random.default_rng(number)
    times = [np.ones(clusters), *(_resampled(draws, clusters) for _ in range(RESAMPLES if clusters > 1 else 0))]
    weights = np.stack([often[cluster] for often in times], axis=1)
    shares = _behind(gains.likelihood(truths), weights)[truths >= size].sum(axis=0)
    share, each = float(shares[0]), float(shares[0] * number / clusters)
    if clusters < 2:
        return Interval(share, 0.0, 1.0, number), Interval(each, 0.0, math.inf, clusters)
    # However alike resamples are, the gains say no more than as many that are independent.
    least = share * (1 - share) * clusters / number
    spread = max(clusters * float(shares[1:].var(ddof=1)), least)
    spread_each = clusters * float((shares * weights.sum(axis=0) / clusters)[1:].var(ddof=1))
    plain, part = around(share, spread, clusters, confidence), clustered_rate(share, spread, clusters, confidence)
    low, high = max(0.0, min(plain.low, part.low)), min(1.0, max(plain.high, part.high))
    per_cluster = around(each, spread_each, clusters, confidence)
    most = max(per_cluster.high, high * number / clusters if share == 0 else 0.0)
    return Interval(share, low, high, number), Interval(each, max(0.0, per_cluster.low), most, clusters)


def _grid(size: float) -> Vector:
    """Gains that may be true: dense up to several times the size, which lies between two of them."""
    fine = (np.arange(30) + 0.5) * size / 5
    return np.concatenate([[0.0], fine, np.arange(fine[-1] + size / 2, 1 + size / 2, size)])


def _behind(likelihood: Vector, weights: Vector) -> Vector:
    """The distribution of truths, a column for every column of weights."""
    density = np.full((likelihood.shape[1], weights.shape[1]), 1 / likelihood.shape[1])
    share = weights / np.maximum(weights.sum(axis=0), 1.0)
    for _ in range(STEPS):
        density *= likelihood.T @ (share / np.maximum(likelihood @ density, NOTHING))
    return density


def _resampled(draws: np.random.Generator, clusters: int) -> Vector:
    """How often every cluster is drawn."""
    return np.bincount(draws.integers(0, clusters, clusters), minlength=clusters).astype(float)
