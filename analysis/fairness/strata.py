"""Means given the level of a fact: exact sums per level, clustered by game, and how far each is from the whole.

A game may have several hands at one level (and their outcomes hang together), so per game and level four columns are
summed: hands, shares of the win, points, entries; beside them the same for all hands of the game. From the sums of
these columns and of their products every mean, and its difference from the mean of all, has an interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.analysis.sampling.same_deals import clustered_rate
from houle.analysis.stats.intervals import SHARE, Interval, t_quantile
from houle.solver.opening import ELSEWHERE, Fact, Starts, Values

HANDS, SHARES, POINTS, ENTRIES = range(4)
WIDTH = 4
SINGLE = 8  # so many different numbers are shown each; more are put into bins
BINS = 6
EVERY = (-(10**9), 10**9)
RARE = 0.02  # share of hands below which a level joins its neighbour


@dataclass(frozen=True)
class Scale:
    """The levels of a fact: a name or a range of values each."""

    fact: Fact
    tops: tuple[int, ...]  # the greatest value of each level
    names: tuple[str, ...]

    def place(self, values: Values) -> Values:
        """The level of each value; beyond the last top where the fact says nothing."""
        found = np.minimum(np.searchsorted(self.tops, values), len(self.tops) - 1)
        return np.where(values == ELSEWHERE, len(self.tops), found)


def make_scale(fact: Fact, values: Values) -> Scale:
    """Levels for a fact, so that each has a fair part of the values of a small sample."""
    if fact.labels:
        return Scale(fact, tuple(range(len(fact.labels))), fact.labels)
    numbers, counts = np.unique(values[values != ELSEWHERE], return_counts=True)
    if len(numbers) == 0:
        return Scale(fact, (fact.most,), ("any",))
    single = len(numbers) <= SINGLE
    enough = counts.sum() * (RARE if single else 1 / BINS)
    tops, held, passed = [], 0, 0
    for number, times in zip(numbers.tolist(), counts.tolist(), strict=True):
        held += times
        # Bins end where a further part of all values is full, so that a large value does not make later bins large.
        if held >= enough if single else (passed + held) // enough > passed // enough:
            tops.append(number)
            passed, held = passed + held, 0
    ends = [*tops[:-1], fact.most]  # what is left over joins the last level
    return Scale(fact, tuple(ends), tuple(_range_names(ends, fact.least, fact.most)))


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
class Sums:
    """What the levels of one fact came to."""

    seen: Values  # games with a hand at the level
    sums: Values  # level x 2 WIDTH: at the level, and of all hands of those games
    products: Values  # level x 2 WIDTH x 2 WIDTH
    whole: Values  # WIDTH: of all hands of all games
    squares: Values  # WIDTH x WIDTH

    @classmethod
    def empty(cls, levels: int) -> Sums:
        both = 2 * WIDTH
        shapes = ((levels,), (levels, both), (levels, both, both), (WIDTH,), (WIDTH, WIDTH))
        return cls(*(np.zeros(shape, np.int64) for shape in shapes))

    def add(self, other: Sums) -> None:
        for name in ("seen", "sums", "products", "whole", "squares"):
            getattr(self, name).__iadd__(getattr(other, name))

    def as_data(self) -> list[Any]:
        return [self.seen.tolist(), self.sums.tolist(), self.products.tolist()]


def sum_up(scale: Scale, starts: Starts) -> Sums:
    """One fact of some games."""
    places = scale.place(starts.values(scale.fact))
    units = places.shape[1]
    outcomes = (starts.share[:, :units], starts.points[:, :units], starts.entries[:, :units])
    counted = places < len(scale.tops)
    every = _columns(counted, outcomes)
    found = Sums.empty(len(scale.tops))
    found.whole, found.squares = every.sum(axis=0).astype(np.int64), (every.T @ every).astype(np.int64)
    for level in range(len(scale.tops)):
        columns = _columns(places == level, outcomes)
        here = columns[:, HANDS] > 0
        both = np.concatenate([columns[here], every[here]], axis=1)
        found.seen[level] = np.count_nonzero(here)
        found.sums[level] = both.sum(axis=0)
        found.products[level] = both.T @ both
    return found


def _columns(mask: NDArray[np.bool_], outcomes: tuple[Values, ...]) -> NDArray[np.float64]:
    """Sums per game over the hands in a mask: as floats, which hold them exactly and multiply fast."""
    return np.stack([mask.sum(axis=1), *((mask * outcome).sum(axis=1) for outcome in outcomes)], axis=1).astype(float)


@dataclass(frozen=True)
class Level:
    """One level of a fact."""

    fact: str
    level: str
    n: int  # hands
    games: int
    win: Interval
    win_more: Interval  # than all hands together
    score: Interval
    score_more: Interval


def read_level(scale: Scale, sums: Sums, level: int, games: int, scores: tuple[int, int] = EVERY) -> Level | None:
    """The estimates of one level; None if it never came up. `scores`: the least and the greatest possible."""
    n, seen = int(sums.sums[level, HANDS]), int(sums.seen[level])
    if n == 0:
        return None
    totals = np.concatenate([sums.sums[level, :WIDTH], sums.whole]).astype(float)
    products = sums.products[level].astype(float)
    products[WIDTH:, WIDTH:] = sums.squares
    win, win_form = _ratio(totals, SHARES, HANDS, 0)
    all_wins, all_form = _ratio(totals, SHARES, HANDS, WIDTH)
    score, score_form = _ratio(totals, POINTS, ENTRIES, 0)
    all_scores, all_score_form = _ratio(totals, POINTS, ENTRIES, WIDTH)
    spread = _variance(win_form, products, seen) / SHARE**2
    rate = clustered_rate(win / SHARE, spread * seen if seen > 1 else math.inf, seen)
    more = _around((win - all_wins) / SHARE, _variance(win_form - all_form, products, games) / SHARE**2, games, n)
    return Level(
        scale.fact.name,
        scale.names[level],
        n,
        seen,
        rate,
        more if 0 < rate.value < 1 else widened(more, rate),
        _around(score, _variance(score_form, products, seen), seen, n).within(*scores),
        _around(score - all_scores, _variance(score_form - all_score_form, products, games), games, n),
    )


def _ratio(totals: NDArray[np.float64], above: int, below: int, first: int) -> tuple[float, NDArray[np.float64]]:
    """A ratio of two sums, and the linear form of the columns by which it moves with every game."""
    form = np.zeros(len(totals))
    divisor = totals[first + below]
    value = float(totals[first + above] / divisor) if divisor else math.nan
    if divisor:
        form[first + above] = 1 / divisor
        form[first + below] = -value / divisor
    return value, form


def _variance(form: NDArray[np.float64], products: NDArray[np.float64], clusters: int) -> float:
    if clusters < 2:
        return math.inf
    square = float(form @ products @ form)
    size = float(np.abs(form) @ np.abs(products) @ np.abs(form))
    # What is left of numbers that cancel is no spread.
    return 0.0 if square < 1e-12 * size else square * clusters / (clusters - 1)


def _around(value: float, variance: float, clusters: int, n: int) -> Interval:
    half = t_quantile(clusters - 1) * math.sqrt(variance) if variance > 0 else 0.0
    return Interval(value, value - half, value + half, n)


def widened(difference: Interval, rate: Interval) -> Interval:
    """A difference from a rate of 0 or 1, which has no spread to be judged by: its own interval's ends join in."""
    low = math.hypot(difference.value - difference.low, rate.value - rate.low)
    high = math.hypot(difference.high - difference.value, rate.high - rate.value)
    return Interval(difference.value, difference.value - low, difference.value + high, difference.n)


def explained(levels: Sequence[Level], quantile: float = 1.96) -> tuple[float, float]:
    """Variance between the levels, of wins and of scores, without what sampling alone would show."""
    total = sum(level.n for level in levels) or 1
    parts = []
    for name in ("win_more", "score_more"):
        found = [(level.n, getattr(level, name)) for level in levels]
        parts.append(sum(n * (more.value**2 - (more.half / quantile) ** 2) for n, more in found) / total)
    return max(parts[0], 0.0), max(parts[1], 0.0)
