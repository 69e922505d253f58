"""Intervals of differences keep their coverage, even if hardly anything differs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from houle.analysis.stats.differences import FEW, pair_means, pair_rates
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import around
from houle.analysis.stats.moments import Moments
from tests.support.repeated import check_coverage, repeated

pytestmark = pytest.mark.quick


def rare(draws: np.random.Generator, deals: int, plays: int, rate: float, alike: float) -> Moments:
    """Wins of two arms: one never wins, the other rarely; with `alike` the plays of a deal share their luck."""
    same = draws.random((deals, 1)) < alike
    luck = np.where(same, draws.random((deals, 1)), draws.random((deals, plays)))
    wins = (luck < rate).sum(axis=1)
    return Moments.of(("mine", "theirs"), np.stack([wins, np.zeros_like(wins)], axis=1))


@repeated(100, 1000)
@pytest.mark.parametrize("deals", [100, 200, 400])
@pytest.mark.parametrize(("plays", "alike"), [(1, 0.0), (4, 0.0), (4, 1.0), (4, 0.5)])
def test_rare_wins_are_covered(deals: int, plays: int, alike: float, runs: int) -> None:
    """0.39% against none, as in WAVE's nazare: one play of a deal, or a rotation with several."""
    draws, rate, covered, naive = np.random.default_rng(deals + plays), 0.0039, 0, 0
    for _ in range(runs):
        sums = rare(draws, deals, plays, rate, alike)
        one, other = (sums.mean(name, plays) for name in sums.columns)
        found, bare = sums.rate_difference(one, other), sums.interval(one - other)
        assert found.low < found.high
        covered += found.low <= rate <= found.high
        naive += bare.low <= rate <= bare.high
    check_coverage(covered, runs, 0.95)
    assert naive < covered


def test_two_imaginary_pairs_are_added() -> None:
    """Bonett and Price: the t interval of 100 differences and two more, one won by each side."""
    pairs = np.repeat([1, -1, 0], [5, 2, 93])
    more = np.append(pairs, [1, -1])
    expected = stats.t.interval(0.95, 101, more.mean(), stats.sem(more, ddof=0))
    found = pair_rates(pairs.mean(), pairs.var(ddof=1), 100)
    assert (found.value, found.low, found.high) == pytest.approx((0.03, *expected))


def test_equal_pairs_still_have_an_interval() -> None:
    for pairs in (2, 100, 10**6):
        found = pair_rates(0.0, 0.0, pairs)
        assert found.low < 0 < found.high
        assert pair_means(0.0, 0.0, pairs, most=3.0, changed=0).half > 0
    assert pair_means(0.0, 0.0, 1000, most=10.0, changed=0).half == pytest.approx(0.03, rel=0.01)  # the rule of three


def test_many_changes_use_the_plain_interval() -> None:
    assert pair_means(0.5, 4.0, 1000, 30.0, FEW) == around(0.5, 4.0, 1000)
    assert pair_means(0.5, 4.0, 40, 30.0, 30) == around(0.5, 4.0, 40)
    assert pair_means(0.5, 4.0, 1000, 30.0) == around(0.5, 4.0, 1000)


def test_independent_intervals_add_in_squares() -> None:
    found = Estimate(0.5, 0.4, 0.7, 10).difference(Estimate(0.2, 0.1, 0.3, 10))
    assert found.value == pytest.approx(0.3)
    assert found.low == pytest.approx(0.3 - 0.02**0.5)
    assert found.high == pytest.approx(0.3 + 0.05**0.5)
