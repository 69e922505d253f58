"""Who is stronger in a league: ratings over all mixes at once, alpha-rank, and stable mixes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from houle.analysis.limits import SEED
from houle.analysis.sampling.same_deals import Deals
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.moments import Column, Statistic
from houle.analysis.stats.ratings import Payoffs, Ratings, alpha_rank, fit_ratings
from houle.analysis.strategy.league_plan import Part
from houle.analysis.strategy.strength import LEAST_DEALS

DRAWS = 200  # of the shares within their errors, for the intervals of alpha-rank (parametric bootstrap)

Shares = Mapping[tuple[int, int, int], tuple[float, float]]  # one, other, number of the first -> what either wins


@dataclass(frozen=True)
class Mix:
    """A stable mix of two strategies: the share of the first at which both win equally and to which it returns."""

    one: int
    other: int
    share: float


@dataclass(frozen=True)
class Read:
    """A part that was played, and the log ratios of what its mixes won."""

    part: Part
    deals: Deals

    def wins(self, arm: int) -> int:
        return self.deals.moments.sum((arm, "share"))

    @property
    def rated(self) -> list[int]:
        """Mixes in which both strategies won something."""
        return [i for i in range(len(self.part.keys)) if self.wins(2 * i) and self.wins(2 * i + 1)]

    def log(self, number: int) -> float:
        """Log ratio of what one side of each strategy won."""
        one, other = (self.wins(2 * number + i) / self.deals.plays[2 * number + i] for i in (0, 1))
        return math.log(one / other)

    def form(self, number: int) -> Statistic:
        """How that log ratio depends on every deal."""
        clusters = self.deals.number
        moves: dict[Column, Fraction] = {
            (2 * number, "share"): Fraction(clusters, self.wins(2 * number)),
            (2 * number + 1, "share"): -Fraction(clusters, self.wins(2 * number + 1)),
        }
        return Statistic(Fraction(0), moves)


def rate_players(parts: Sequence[Read], players: int) -> Ratings | None:
    """Plackett-Luce ratings over all mixes together; None if not everybody can be rated."""
    pairs, logs, blocks = [], [], []
    for read in parts:
        if read.rated and read.deals.number >= LEAST_DEALS:
            pairs += [read.part.keys[i][:2] for i in read.rated]
            logs += [read.log(i) for i in read.rated]
            blocks.append(read.deals.moments.covariances([read.form(i) for i in read.rated]))
    rated = {player for pair in pairs for player in pair}
    if len(rated) < players:
        return None
    covariance = np.zeros((len(logs), len(logs)))
    at = 0
    for block in blocks:
        covariance[at : at + len(block), at : at + len(block)] = block
        at += len(block)
    clusters = min(read.deals.number for read in parts if read.rated)
    return fit_ratings(pairs, logs, covariance, players, clusters)


def payoffs(shares: Shares, sides: int, one: int, other: int) -> Payoffs:
    """What two strategies win in every mix, in the given order."""
    turned = (one, other, 1) not in shares
    first, second = {}, {}
    for number in range(1, sides):
        key = (other, one, sides - number) if turned else (one, other, number)
        mine, theirs = shares[key][::-1] if turned else shares[key]
        first[number], second[number] = sides * mine, sides * theirs
    return Payoffs(first, second, sides)


def rank_players(shares: Shares, parts: Sequence[Read], players: int, sides: int, deals: int) -> list[Estimate] | None:
    """Alpha-rank of every player, with bootstrap intervals; None if a mix was not played."""
    if len(shares) < (sides - 1) * math.comb(players, 2):
        return None
    ranks = _ranks(shares, players, sides)
    draws, drawn = np.random.default_rng(SEED), []
    errors = {}
    for read in parts:
        for i, key in enumerate(read.part.keys):
            errors[key] = read.deals.moments.covariances([read.deals.wins(2 * i), read.deals.wins(2 * i + 1)])
    for _ in range(DRAWS):
        anew = {key: tuple(draws.multivariate_normal(shares[key], errors[key])) for key in shares}
        drawn.append(_ranks(anew, players, sides))
    low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
    return [
        Estimate(float(v), float(min(a, v)), float(max(b, v)), deals) for v, a, b in zip(ranks, low, high, strict=True)
    ]


def _ranks(shares: Shares, players: int, sides: int) -> Any:
    fixations = np.zeros((players, players))
    for i in range(players):
        for j in range(players):
            if i != j:
                fixations[i, j] = payoffs(shares, sides, j, i).fixation()
    return alpha_rank(fixations)


def stable_mixes(shares: Shares, players: int, sides: int) -> list[Mix]:
    """Mixes of two strategies to which a population returns."""
    mixes = []
    for one, other in combinations(range(players), 2):
        if all((one, other, number) in shares for number in range(1, sides)):
            mixes += [Mix(one, other, share) for share in payoffs(shares, sides, one, other).equilibria()]
    return mixes
