"""Seats: the largest difference of two has an interval for all pairs, and a verdict that it bears."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from houle.analysis.explain.seats import FAIR, SeatGap, seat_gap
from houle.analysis.stats.estimate import POINTS, Estimate
from houle.analysis.stats.moments import Moments
from tests.support.repeated import check_coverage, repeated

pytestmark = pytest.mark.quick

NAMES = ["seat 0", "seat 1", "seat 2"]


def shares(games: int, generator: np.random.Generator, odds: list[float]) -> Moments:
    """Three sides; one game in five is shared by two of them, one in ten has no winner."""
    rows = np.zeros((games, 3), np.int64)
    for game in range(games):
        kind = generator.random()
        if kind < 0.7:
            rows[game, generator.choice(3, p=odds)] = 840
        elif kind < 0.9:
            rows[game, generator.choice(3, 2, replace=False, p=odds)] = 420
    return Moments.of(range(3), rows)


def found(moments: Moments) -> SeatGap:
    gap = seat_gap(NAMES, moments)
    assert gap is not None
    return gap


@repeated(100, 400)
def test_equal_seats_seldom_seem_to_differ(runs: int) -> None:
    """At most 5% of runs, although the pair that differs most is picked."""
    generator = np.random.default_rng(5)
    alarms = sum(found(shares(120, generator, [1 / 3] * 3)).more.low > 0 for _ in range(runs))
    check_coverage(runs - alarms, runs, 0.915, 1.0)


def test_a_better_seat_is_named() -> None:
    gap = found(shares(900, np.random.default_rng(6), [0.25, 0.5, 0.25]))
    assert (gap.best, gap.verdict) == ("seat 1", "unfair")
    assert gap.worst in ("seat 0", "seat 2")
    assert gap.at_most >= gap.more.high


def test_one_game_says_nothing() -> None:
    assert seat_gap(NAMES, shares(1, np.random.default_rng(1), [1 / 3] * 3)) is None


def test_many_even_games_are_fair() -> None:
    assert found(Moments.of(range(3), np.tile(840 * np.eye(3, dtype=np.int64), (5_000, 1)))).verdict == "fair"


@pytest.mark.parametrize(
    ("low", "at_most", "verdict", "bound"),
    [
        (-0.01, 0.03, "fair", "3.0"),
        (0.01, 0.03, "fair", "3.0"),  # a small difference is fair, also a certain one
        (0.01, 0.041, "uneven", "4.1"),
        (-0.01, 0.041, "unknown", "4.1"),
        (FAIR + 0.001, 0.0801, "unfair", "9"),
    ],
)
def test_verdict_follows_from_the_interval(low: float, at_most: float, verdict: str, bound: str) -> None:
    gap = SeatGap("seat 0", "seat 1", Estimate(at_most - 0.005, low, at_most, 1_000, POINTS), at_most)
    assert (gap.verdict, gap.bound) == (verdict, bound)
    assert replace(gap, at_most=0.02).verdict == "fair"
