"""Ratings of players who compete, a test whether any ratings can tell what happens, and alpha-rank where none can.

Plackett and Luce give every strategy a strength: of those at a table each wins in proportion to its own. Two kinds of
players then win at a ratio that is the same in any company and any number, so the log of what one of a kind wins over
what one of the other does is a difference of two ratings. Fitted by generalised least squares, with the covariance of
what was measured (the same deals were played by all), a few lines of linear algebra give ratings, their intervals and
the test: Hotelling's, of what the ratings leave unexplained. (The Python library of the field, choix, fits by single
choices: it knows neither several players of a kind, nor clusters, nor errors, nor a test.)

Where no ratings fit, what a strategy is worth depends on who else sits down. Alpha-rank (Omidshafiei et al. 2019) asks
what a population would come to that copies who wins more: how much of the time each strategy is the one that all play.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from houle.analysis.stats.intervals import Interval, normal_quantile

ELO = 400 / math.log(10)  # points of a rating for each unit of log strength, as in chess
POPULATION = 50  # players of which some copy others
SELECTION = 10.0  # how eagerly: in units of an equal share of the wins
STEPS = 400  # of a mix, where equilibria are looked for

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Ratings:
    """Strengths in points, the first player's 0; and whether they tell what happens."""

    points: tuple[Interval, ...]
    statistic: float  # Hotelling's, as an F value; nan where nothing is left to be tested
    freedom: int  # tables beyond those that ratings need
    p: float  # chance of as bad a fit, were there ratings


def fit_ratings(
    pairs: Sequence[tuple[int, int]], logs: Sequence[float], covariance: Vector, players: int, clusters: int
) -> Ratings:
    """Ratings from tables of two kinds: for each (one, other) the log of what one wins over what the other does."""
    from scipy.special import fdtrc

    design = np.zeros((len(pairs), players))
    for row, (one, other) in enumerate(pairs):
        design[row, one], design[row, other] = 1.0, -1.0
    design = design[:, 1:]
    inverse = np.linalg.pinv(covariance, rcond=1e-9, hermitian=True)
    errors = np.linalg.pinv(design.T @ inverse @ design, hermitian=True)
    found = errors @ design.T @ inverse @ np.asarray(logs)
    left = np.asarray(logs) - design @ found
    freedom = int(np.linalg.matrix_rank(covariance, tol=1e-12, hermitian=True)) - int(np.linalg.matrix_rank(design))
    statistic = p = math.nan
    if freedom > 0 and clusters > freedom + 1:
        squares = float(left @ inverse @ left)
        statistic = squares * (clusters - freedom) / (freedom * (clusters - 1))
        p = float(fdtrc(freedom, clusters - freedom, statistic))
    quantile = normal_quantile()
    points = [Interval(0.0, 0.0, 0.0, clusters)]
    for value, variance in zip(found, np.diag(errors), strict=True):
        middle, half = ELO * float(value), ELO * quantile * math.sqrt(max(float(variance), 0.0))
        points.append(Interval(middle, middle - half, middle + half, clusters))
    return Ratings(tuple(points), statistic, freedom, p)


@dataclass(frozen=True)
class Payoffs:
    """Two kinds of players at tables of so many: what one of each wins, by how many of the first kind there are.

    Shares of the win in units of an equal one: 1 for all where a table has one kind alone.
    """

    one: Mapping[int, float]  # from 1
    other: Mapping[int, float]  # to one less than all
    seats: int

    def gap(self, mix: float) -> float:
        """By how much one of the first kind wins more than one of the other, among others who are of it so often."""
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
        """The same where 1, 2, ... of the population are of the first kind, and tables are drawn from it."""
        mine, theirs = _company(self.seats)
        one = np.array([self._one(k + 1) for k in range(self.seats)])
        other = np.array([self._other(k) for k in range(self.seats)])
        gaps: Vector = mine @ one - theirs @ other
        return gaps

    def fixation(self) -> float:
        """The chance that a single one of the first kind, among the other, is copied until all are of its kind."""
        with np.errstate(over="ignore"):
            return float(1 / (1 + np.exp(-SELECTION * np.cumsum(self.gaps_in_population())).sum()))

    def equilibria(self) -> list[float]:
        """Mixes of both kinds to which a population returns: there one of either wins as much as one of the other."""
        mixes = [step / STEPS for step in range(STEPS + 1)]
        gaps = [self.gap(mix) for mix in mixes]
        found = []
        for (low, before), (high, after) in pairwise(zip(mixes, gaps, strict=True)):
            if before > 0 >= after and high < 1:
                found.append(low + (high - low) * before / (before - after))
        return found


@lru_cache
def _company(seats: int) -> tuple[Vector, Vector]:
    """How likely 0, 1, ... of a player's company are of the first kind where 1, 2, ... of the population are: for a
    player of that kind, and for one of the other."""
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
    """How much of the time each strategy is the one that all play; `fixations[i, j]`: j takes over where all play i."""
    number = len(fixations)
    if number == 1:
        return np.ones(1)
    moves = fixations / (number - 1)
    np.fill_diagonal(moves, 0.0)
    moves += np.diag(1 - moves.sum(axis=1))
    # The stationary distribution: unchanged by a step, and 1 in all.
    system = np.vstack([moves.T - np.eye(number), np.ones(number)])
    found: Vector = np.linalg.lstsq(system, np.append(np.zeros(number), 1.0), rcond=None)[0]
    kept = np.clip(found, 0.0, None)
    shares: Vector = kept / kept.sum()
    return shares
