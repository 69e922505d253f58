"""Means by level of a fact, and how far each is from the mean of all, clustered by game.

A game may have several hands at one level, and their outcomes are not independent. So per game and level four columns
are summed: hands, shares of the win, points, entries; and the same for all hands of the game. The sums of these columns
and of their products give an interval for every mean and for its difference from the mean of all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.measures.goal import Goal
from houle.analysis.result import Record
from houle.analysis.stats.estimate import POINTS, Estimate
from houle.analysis.stats.intervals import CONFIDENCE, WHOLE_WIN, never_varied
from houle.analysis.stats.moments import Moments
from houle.solver.matches.opening import ELSEWHERE, Fact, PlayedOpenings, Values

COLUMNS = ("hands", "share", "points", "entries")  # of a game, at a level
ALL_HANDS = tuple(f"all {name}" for name in COLUMNS)  # the same for all hands of the game
SINGLE = 8  # up to so many different values are shown one by one; more are put into bins
BINS = 6
EVERY = (-(10**9), 10**9)
RARE = 0.02  # share of hands below which a level joins its neighbour


@dataclass(frozen=True)
class FactScale:
    """The levels of a fact, each a name or a range of values."""

    fact: Fact
    tops: tuple[int, ...]  # the greatest value of each level
    names: tuple[str, ...]

    def place(self, values: Values) -> Values:
        """The level of each value; one past the last where the fact does not apply."""
        levels = np.minimum(np.searchsorted(self.tops, values), len(self.tops) - 1)
        return np.where(values == ELSEWHERE, len(self.tops), levels)


def make_scale(fact: Fact, values: Values) -> FactScale:
    """Divides the values of a fact into levels that are about equally frequent in a small sample."""
    if fact.labels:
        return FactScale(fact, tuple(range(len(fact.labels))), fact.labels)
    numbers, counts = np.unique(values[values != ELSEWHERE], return_counts=True)
    if len(numbers) == 0:
        return FactScale(fact, (fact.most,), ("any",))
    single = len(numbers) <= SINGLE
    enough = counts.sum() * (RARE if single else 1 / BINS)
    tops, held, passed = [], 0, 0
    for number, times in zip(numbers.tolist(), counts.tolist(), strict=True):
        held += times
        # Bins end at fixed parts of all values, so one large bin does not make later bins large.
        if held >= enough if single else (passed + held) // enough > passed // enough:
            tops.append(number)
            passed, held = passed + held, 0
    ends = [*tops[:-1], fact.most]  # what is left over joins the last level
    return FactScale(fact, tuple(ends), tuple(_range_names(ends, fact.least, fact.most)))


def _range_names(tops: Sequence[int], low: int, most: int) -> list[str]:
    names = []
    for i, top in enumerate(tops):
        last = i == len(tops) - 1
        if len(tops) == 1:
            names.append("any")
        elif last:
            names.append(f"{low}" if low == most else f"{low} or more")
        elif low == top:
            names.append(f"{low}")
        else:
            names.append(f"{top} or less" if i == 0 else f"{low} to {top}")
        low = top + 1
    return names


@dataclass
class FactSums:
    """Sums over the levels of one fact."""

    levels: list[Moments]  # of COLUMNS and ALL_HANDS, over the games with a hand at the level
    whole: Moments  # of ALL_HANDS, over all games

    @classmethod
    def empty(cls, levels: int) -> FactSums:
        return cls([Moments.empty(COLUMNS + ALL_HANDS) for _ in range(levels)], Moments.empty(ALL_HANDS))

    def add(self, other: FactSums) -> None:
        self.whole.add(other.whole)
        for mine, more in zip(self.levels, other.levels, strict=True):
            mine.add(more)

    def as_data(self) -> list[Any]:
        sums, products = zip(*(level.as_data() for level in self.levels), strict=True)
        return [[level.clusters for level in self.levels], list(sums), list(products)]

    def beside(self, level: int) -> Moments:
        """A level together with all hands, over all games; games without a hand at the level count as 0."""
        own, sums = len(COLUMNS), self.levels[level]
        products = sums.products.copy()
        products[own:, own:] = self.whole.products
        both = np.concatenate([sums.sums[:own], self.whole.sums])
        return Moments(sums.columns, self.whole.clusters, both, products)


def sum_up(scale: FactScale, starts: PlayedOpenings) -> FactSums:
    """The sums of one fact over some games."""
    level_of = scale.place(scale.fact.values(starts.openings, starts.share.shape[1]))
    units = level_of.shape[1]
    outcomes = (starts.share[:, :units], starts.points[:, :units], starts.entries[:, :units])
    every = _per_game(level_of < len(scale.tops), outcomes)
    levels = []
    for level in range(len(scale.tops)):
        rows = _per_game(level_of == level, outcomes)
        here = rows[:, 0] > 0
        levels.append(Moments.of(COLUMNS + ALL_HANDS, np.concatenate([rows[here], every[here]], axis=1)))
    return FactSums(levels, Moments.of(ALL_HANDS, every))


def _per_game(mask: NDArray[np.bool_], outcomes: tuple[Values, ...]) -> Values:
    """Sums per game over the hands in a mask."""
    return np.stack([mask.sum(axis=1), *((mask * outcome).sum(axis=1) for outcome in outcomes)], axis=1)


@dataclass(frozen=True)
class FactLevel:
    """One level of a fact."""

    fact: str
    level: str
    n: int  # hands
    games: int
    win: Estimate
    win_more: Estimate  # than all hands together
    score: Estimate
    score_more: Estimate

    def more(self, goal: Goal) -> Estimate:
        """The change of what is the goal."""
        return goal.pick(self.win_more, self.score_more)

    def record(self) -> Record:
        return {name: value for name, value in vars(self).items() if name != "fact"}


def read_level(
    scale: FactScale, sums: FactSums, level: int, scores: tuple[int, int] = EVERY, confidence: float = CONFIDENCE
) -> FactLevel | None:
    """The estimates of one level; None if it never came up. `scores`: the lowest and highest possible score."""
    seen, beside = sums.levels[level], sums.beside(level)
    n = seen.sum("hands")
    if n == 0:
        return None
    rate = seen.rate(seen.per("share", "hands", WHOLE_WIN), confidence)
    wins = beside.per("share", "hands", WHOLE_WIN) - beside.per("all share", "all hands", WHOLE_WIN)
    points = beside.per("points", "entries") - beside.per("all points", "all entries")
    more, score = beside.interval(wins, confidence), seen.interval(seen.per("points", "entries"), confidence)
    score_more = beside.interval(points, confidence)
    if seen.clusters > 1 and score.high <= score.low:
        score = never_varied(score.value, seen.clusters, *scores, confidence)
        score_more = widened(score_more, score)
    return FactLevel(
        fact=scale.fact.name,
        level=scale.names[level],
        n=n,
        games=seen.clusters,
        win=rate,
        win_more=replace(more if 0 < rate.value < 1 else widened(more, rate), n=n, unit=POINTS),
        score=replace(score, n=n).within(*scores),
        score_more=replace(score_more, n=n),
    )


def widened(difference: Estimate, rate: Estimate) -> Estimate:
    """A difference from a rate of 0 or 1, widened by the rate's interval because such a rate has no spread."""
    low = math.hypot(difference.value - difference.low, rate.value - rate.low)
    high = math.hypot(difference.high - difference.value, rate.high - rate.value)
    return replace(difference, low=difference.value - low, high=difference.value + high)


def explained(levels: Sequence[FactLevel], quantile: float = 1.96) -> tuple[float, float]:
    """Variance between the levels, of wins and of scores, less what chance would show."""
    total = sum(level.n for level in levels) or 1
    parts = []
    for name in ("win_more", "score_more"):
        rows = [(level.n, getattr(level, name)) for level in levels]
        parts.append(sum(n * (more.value**2 - (more.half / quantile) ** 2) for n, more in rows) / total)
    return max(parts[0], 0.0), max(parts[1], 0.0)
