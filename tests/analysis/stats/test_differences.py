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


@repeated(150, 1000)
@pytest.mark.parametrize("alike", [0.0, 0.5, 1.0])
def test_coverage_of_common_wins_is_not_excessive(alike: float, runs: int) -> None:
    """A rotation over four seats, 30% against 25%: a deal counts as one pair, which costs little if many differ."""
    draws, covered, widths = np.random.default_rng(7), 0, []
    for _ in range(runs):
        same = draws.random((200, 1)) < alike
        luck = [np.where(same, draws.random((200, 1)), draws.random((200, 4))) for _ in range(2)]
        table = np.stack([(luck[0] < 0.3).sum(axis=1), (luck[1] < 0.25).sum(axis=1)], axis=1)
        sums = Moments.of(("mine", "theirs"), table)
        one, other = (sums.mean(name, 4) for name in sums.columns)
        found = sums.rate_difference(one, other)
        widths.append(found.half / sums.interval(one - other).half)
        covered += found.low <= 0.05 <= found.high
    check_coverage(covered, runs, 0.93, 0.985)
    assert max(widths) < 1.1


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


@repeated(200, 1000)
@pytest.mark.parametrize("games", [400, 2000, 5000])
@pytest.mark.parametrize("kind", ["constant", "skewed", "either way"])
def test_means_are_covered_if_few_games_change(games: int, kind: str, runs: int) -> None:
    """One game in five hundred changes: the plain t interval ignores changes that were not seen."""
    draws, share, covered, naive = np.random.default_rng(games), 0.002, 0, 0
    mean = {"constant": 5.0, "skewed": 3.0, "either way": 0.5}[kind]
    for _ in range(runs):
        changed = int(draws.binomial(games, share))
        drawn = {"constant": np.full(changed, 5.0), "skewed": draws.exponential(3, changed)}
        changes = drawn.get(kind, draws.normal(0.5, 3, changed))
        value = changes.sum() / games
        variance = max((changes @ changes - games * value**2) / (games - 1), 0.0)
        found = pair_means(value, variance, games, 30.0, changed)
        assert found.low <= value <= found.high
        covered += found.low <= share * mean <= found.high
        bare = around(value, variance, games)
        naive += bare.low <= share * mean <= bare.high
    check_coverage(covered, runs, 0.95)
    assert naive < covered


def test_many_changes_use_the_plain_interval() -> None:
    assert pair_means(0.5, 4.0, 1000, 30.0, FEW) == around(0.5, 4.0, 1000)
    assert pair_means(0.5, 4.0, 40, 30.0, 30) == around(0.5, 4.0, 40)
    assert pair_means(0.5, 4.0, 1000, 30.0) == around(0.5, 4.0, 1000)


def test_independent_intervals_add_in_squares() -> None:
    found = Estimate(0.5, 0.4, 0.7, 10).difference(Estimate(0.2, 0.1, 0.3, 10))
    assert found.value == pytest.approx(0.3)
    assert found.low == pytest.approx(0.3 - 0.02**0.5)
    assert found.high == pytest.approx(0.3 + 0.05**0.5)
