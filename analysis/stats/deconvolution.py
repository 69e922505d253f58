"""How many choices are worth a certain size: the distribution of true gains behind noisy ones whose errors are known.

Counting noisy gains that look large counts luck; counting those that are large beyond their error counts only what the
error allows to be seen, and both change with the error. What is behind them does not: it is the distribution that, when
the errors blur it, makes the noisy gains most likely. First the gamma distribution that does so best: most choices are
worth little and few a great deal, and its two numbers can be told however large the errors are. From there a few steps
towards the likeliest distribution of any shape (Kiefer and Wolfowitz, by expectation and maximisation on a grid): they
go far where the gains are well known and hardly move where they are not. More of them would sharpen it into spikes that
no data of this size can vouch for; begun from a flat distribution instead, they halve the choices that matter where
errors are as large as the gains (Sea Change: 6% at 40 and 100 worlds, 12% at 400).

A gain is that of an option which was itself chosen by noisy means, over the mean of all options: with few worlds it is
often not the best, and its gain is less than the best one's. How much less is told from the error of the choice, as if
the options' values were drawn from a normal distribution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from houle.analysis.stats.clusters import Places, Vector
from houle.analysis.stats.intervals import CONFIDENCE, Interval, around, clustered_rate

GAMMA_STEPS, FREE_STEPS = 30, 10  # of expectation and maximisation: among gamma distributions, then among all
SHAPES = (0.05, 20.0)  # of a gamma distribution
NOTHING = 1e-300  # instead of 0 in a resample of clusters without a gain, whose share is 0
RESAMPLES = 100  # of the clusters, for intervals


@dataclass(frozen=True)
class Gains:
    """What chosen options got more than the mean of all, as it was measured; from -1 to 1."""

    values: Vector
    options: Places  # of each choice, two or more
    error: float  # of a value
    choice_error: float  # of what the choice was made by, in the same unit; 0 where the best was known

    def alike(self) -> tuple[Gains, Places]:
        """Every kind of gain once, and of each gain which kind it is: halves of few worlds leave few values."""
        kinds, place = np.unique(np.stack([self.values, self.options]), axis=1, return_inverse=True)
        return replace(self, values=kinds[0], options=kinds[1].astype(self.options.dtype)), place.reshape(-1)

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
    ends = _grid(size)
    truths = _middles(ends)
    draws = np.random.default_rng(number)
    times = [np.ones(clusters), *(_resampled(draws, clusters) for _ in range(RESAMPLES if clusters > 1 else 0))]
    alike, place = gains.alike()
    counts = [np.bincount(place, often[cluster], len(alike.values)) for often in times]
    weights = np.stack(counts, axis=1).astype(np.float64)
    shares = _behind(alike, ends, weights)[truths >= size].sum(axis=0)
    share, each = float(shares[0]), float(shares[0] * number / clusters)
    if clusters < 2:
        return Interval(share, 0.0, 1.0, number), Interval(each, 0.0, math.inf, clusters)
    # However alike resamples are, the gains say no more than as many that are independent.
    least = share * (1 - share) * clusters / number
    spread = max(clusters * float(shares[1:].var(ddof=1)), least)
    spread_each = clusters * float((shares * weights.sum(axis=0) / clusters)[1:].var(ddof=1))
    plain = around(share, spread, clusters, confidence)
    # Shares of clusters vary at most as if each were all or nothing.
    part = clustered_rate(share, min(spread, share * (1 - share)), clusters, confidence)
    low, high = max(0.0, min(plain.low, part.low)), min(1.0, max(plain.high, part.high))
    per_cluster = around(each, spread_each, clusters, confidence)
    most = max(per_cluster.high, high * number / clusters if share == 0 else 0.0)
    return Interval(share, low, high, number), Interval(each, max(0.0, per_cluster.low), most, clusters)


def _grid(size: float) -> Vector:
    """Where cells of gains that may be true end: dense up to several times the size, which is one of the ends."""
    least, fine = np.geomspace(size / 500, size / 5, 8), np.arange(2, 31) * size / 5
    return np.concatenate([[0.0], least, fine, np.arange(fine[-1] + size, 1 + size, size)])


def _middles(ends: Vector) -> Vector:
    """What stands for a cell: near 0, where ends are so many times apart, their geometric mean."""
    plain = (ends[1:] + ends[:-1]) / 2
    near = ends[1:] <= ends[1] * 100 * (1 + 1e-9)
    return np.where(near & (ends[:-1] > 0), np.sqrt(ends[1:] * ends[:-1]), plain)


def _behind(gains: Gains, ends: Vector, weights: Vector) -> Vector:
    """The distribution of truths over the cells, a column for every column of weights."""
    truths = _middles(ends)
    likelihood = gains.likelihood(truths)
    share = weights / np.maximum(weights.sum(axis=0), 1.0)

    def step(density: Vector) -> Vector:
        stepped: Vector = density * (likelihood.T @ (share / np.maximum(likelihood @ density, NOTHING)))
        return stepped

    # Begun where a gamma distribution has the mean and the variance of the gains, less that of their errors.
    size = float(truths[-1] - truths[-2])
    seen = gains.values @ share
    mean = np.maximum(seen, size / 50)
    variance = np.maximum(gains.values**2 @ share - seen**2 - gains.error**2, (size / 10) ** 2)
    shape = np.clip(mean**2 / variance, *SHAPES)
    density = _gamma(shape, mean, ends)
    for _ in range(GAMMA_STEPS):
        found = step(density)
        # The likeliest gamma distribution hangs on the mean and on that of the logarithm (Minka 2002).
        mean = np.maximum(truths @ found, NOTHING)
        gap = np.maximum(np.log(mean) - np.log(truths) @ found, 1e-6)
        shape = np.clip((3 - gap + np.sqrt((gap - 3) ** 2 + 24 * gap)) / (12 * gap), *SHAPES)
        density = _gamma(shape, mean, ends)
    for _ in range(FREE_STEPS):
        density = step(density)
    return density


def _gamma(shape: Vector, mean: Vector, ends: Vector) -> Vector:
    """Gamma distributions over the cells, a column each; what lies beyond the last is in it."""
    from scipy.special import gammainc

    below = gammainc(shape, ends[:, None] * shape / mean)
    below[-1] = 1.0
    return np.diff(below, axis=0) + NOTHING


def _resampled(draws: np.random.Generator, clusters: int) -> Vector:
    """How often every cluster is drawn."""
    return np.bincount(draws.integers(0, clusters, clusters), minlength=clusters).astype(float)
