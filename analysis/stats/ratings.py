"""Ratings of competing players, a test whether ratings explain the results, and alpha-rank if they do not.

The Plackett-Luce model gives every strategy a strength; each player wins in proportion to its own. The ratio of what
players of two kinds win is then the same in any company, so the log of that ratio is a difference of two ratings.
Generalised least squares with the covariance of the measurements (all played the same deals) gives ratings, intervals
and Hotelling's test of what the ratings leave unexplained. (The Python library choix fits single choices. It supports
neither several players of one kind, nor clusters, nor errors, nor a test.)

If no ratings fit, the strength of a strategy depends on who else plays. Alpha-rank (Omidshafiei et al. 2019) considers
a population that copies the winners: how much of the time does everyone play each strategy?
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import normal_quantile

ELO = 400 / math.log(10)  # rating points per unit of log strength, as in chess
POPULATION = 50  # players that copy each other
SELECTION = 10.0  # how strongly they prefer winners, in units of an equal share of the wins
STEPS = 400  # of the grid of mixes on which equilibria are searched

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Ratings:
    """Strengths in points, 0 for the first player, and how well they explain the results."""

    points: tuple[Estimate, ...]
    statistic: float  # Hotelling's, as an F value; nan if nothing is left to test
    freedom: int  # measured matchups beyond those that the ratings need
    p: float  # chance of a fit as bad as this if the ratings were true


def fit_ratings(
    pairs: Sequence[tuple[int, int]], logs: Sequence[float], covariance: Vector, players: int, clusters: int
) -> Ratings:
    """Ratings from games of two kinds of players: `logs` holds log(wins of one / wins of other) for each pair."""
    from scipy.special import fdtrc

    design = np.zeros((len(pairs), players))
    for row, (one, other) in enumerate(pairs):
        design[row, one], design[row, other] = 1.0, -1.0
    design = design[:, 1:]
    inverse = np.linalg.pinv(covariance, rcond=1e-9, hermitian=True)
    errors = np.linalg.pinv(design.T @ inverse @ design, hermitian=True)
    strengths = errors @ design.T @ inverse @ np.asarray(logs)
    left = np.asarray(logs) - design @ strengths
    freedom = int(np.linalg.matrix_rank(covariance, tol=1e-12, hermitian=True)) - int(np.linalg.matrix_rank(design))
    statistic = p = math.nan
    if freedom > 0 and clusters > freedom + 1:
        squares = float(left @ inverse @ left)
        statistic = squares * (clusters - freedom) / (freedom * (clusters - 1))
        p = float(fdtrc(freedom, clusters - freedom, statistic))
    quantile = normal_quantile()
    points = [Estimate(0.0, 0.0, 0.0, clusters)]
    for value, variance in zip(strengths, np.diag(errors), strict=True):
        middle, half = ELO * float(value), ELO * quantile * math.sqrt(max(float(variance), 0.0))
        points.append(Estimate(middle, middle - half, middle + half, clusters))
    return Ratings(tuple(points), statistic, freedom, p)


@dataclass(frozen=True)
class Payoffs:
    """What one player of each of two kinds wins, by the number of players of the first kind.

    Shares of the win in units of an equal share: 1 for everyone if all are of one kind.
    """

    one: Mapping[int, float]  # from 1
    other: Mapping[int, float]  # to one less than all
    seats: int

    def gap(self, mix: float) -> float:
        """By how much the first kind wins more than the other if each other player is of the first kind with `mix`."""
        others = self.seats - 1
        return sum(
            math.comb(others, k) * mix**k * (1 - mix) ** (others - k) * (self._one(k + 1) - self._other(k))
            for k in range(self.seats)
        )

    def _one(self, number: int) -> float:
        return 1.0 if number == self.seats else self.one[number]

    def _other(self, number: int) -> float:
        return 1.0 if number == 0 else self.other[number]

    def gaps_in_population(self) -> Vector:
        """The same if 1, 2, ... of the population are of the first kind and the players of a game are drawn from it."""
        mine, theirs = _company(self.seats)
        one = np.array([self._one(k + 1) for k in range(self.seats)])
        other = np.array([self._other(k) for k in range(self.seats)])
        gaps: Vector = mine @ one - theirs @ other
        return gaps

    def fixation(self) -> float:
        """The chance that a single player of the first kind is copied until all are of its kind."""
        with np.errstate(over="ignore"):
            return float(1 / (1 + np.exp(-SELECTION * np.cumsum(self.gaps_in_population())).sum()))

    def equilibria(self) -> list[float]:
        """Stable mixes of both kinds: a population returns to them, and both kinds win the same there."""
        mixes = [step / STEPS for step in range(STEPS + 1)]
        gaps = [self.gap(mix) for mix in mixes]
        stable = []
        for (low, before), (high, after) in pairwise(zip(mixes, gaps, strict=True)):
            if before > 0 >= after and high < 1:
                stable.append(low + (high - low) * before / (before - after))
        return stable


@lru_cache
def _company(seats: int) -> tuple[Vector, Vector]:
    """How likely 0, 1, ... of the other players are of the first kind if 1, 2, ... of the population are.

    For a player of the first kind, and for one of the other.
    """
    others = seats - 1
    total = math.comb(POPULATION - 1, others)
    mine, theirs = (
        [
            [math.comb(number - own, k) * math.comb(POPULATION - 1 - number + own, others - k) / total
             for k in range(seats)]
            for number in range(1, POPULATION)
        ]
        for own in (1, 0)
    )  # fmt: skip
    return np.array(mine), np.array(theirs)


def alpha_rank(fixations: Vector) -> Vector:
    """The share of time in which all play each strategy; `fixations[i, j]` is the chance that j takes over from i."""
    number = len(fixations)
    if number == 1:
        return np.ones(1)
    moves = fixations / (number - 1)
    np.fill_diagonal(moves, 0.0)
    moves += np.diag(1 - moves.sum(axis=1))
    # The stationary distribution: a step does not change it, and its sum is 1.
    system = np.vstack([moves.T - np.eye(number), np.ones(number)])
    solution: Vector = np.linalg.lstsq(system, np.append(np.zeros(number), 1.0), rcond=None)[0]
    positive = np.clip(solution, 0.0, None)
    shares: Vector = positive / positive.sum()
    return shares
