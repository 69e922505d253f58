"""Exact sums over clusters, and intervals of differences that hold even if hardly anything differs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from houle.analysis.stats.differences import pair_means, pair_rates
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import ratio
from houle.analysis.stats.moments import Moments, multiply
from tests.support.amounts import check_coverage, repeated

pytestmark = pytest.mark.quick

NAMES = ("wins", "points", "entries")


def games(number: int, seed: int = 1) -> np.ndarray:
    draws = np.random.default_rng(seed)
    entries = draws.integers(1, 5, number)
    return np.stack([840 * draws.integers(0, 2, number), draws.poisson(4 * entries), entries], axis=1)


def test_parts_add_up_in_any_order() -> None:
    table = games(500)
    whole = Moments.of(NAMES, table)
    for parts in ([table[:100], table[100:]], [table[300:], table[:7], table[7:300], table[:0]]):
        total = Moments.empty(NAMES)
        for part in parts:
            total.add(Moments.of(NAMES, part))
        assert (total.clusters, total.as_data()) == (500, whole.as_data())
    assert whole.as_data() == [table.sum(axis=0).tolist(), (table.T @ table).tolist()]
    with pytest.raises(ValueError, match="different columns"):
        whole.add(Moments.empty(("wins",)))


def test_products_are_exact_beyond_what_floats_hold() -> None:
    table = np.array([[2**30 + 1, 3], [2**30 - 1, 2**30 + 3]])
    assert multiply(table).tolist() == [
        [sum(int(a) * int(b) for a, b in zip(table[:, i], table[:, j], strict=True)) for j in (0, 1)] for i in (0, 1)
    ]


def test_variances_are_those_of_the_clusters() -> None:
    table = games(300)
    found = Moments.of(NAMES, table)
    wins, points = found.mean("wins", 840), found.mean("points")
    assert float(wins.value) == pytest.approx(table[:, 0].mean() / 840)
    assert found.covariance(wins, points) == pytest.approx(np.cov(table[:, 0] / 840, table[:, 1])[0, 1])
    assert found.variance(wins - points) == pytest.approx(np.var(table[:, 0] / 840 - table[:, 1], ddof=1))


def test_a_ratio_is_clustered() -> None:
    table = games(300)
    found = Moments.of(NAMES, table)
    points, entries = table[:, 1], table[:, 2]
    sums = (points.sum(), entries.sum(), (points**2).sum(), (points * entries).sum(), (entries**2).sum())
    expected = ratio(300, tuple(map(int, sums)))  # type: ignore[arg-type]
    assert found.ratio("points", "entries") == expected
    same = found.interval(found.per("points", "entries"))
    assert (same.value, same.low, same.high) == pytest.approx((expected.value, expected.low, expected.high))


def test_variances_lose_no_precision() -> None:
    """Two columns that agree have no variance; a trillion clusters of which one differs have some."""
    number = 10**12
    sums = np.array([10**6 * number, 10**6 * number])
    square = 10**6 * (10**6 * number)
    alike = Moments(("a", "b"), number, sums, np.full((2, 2), square, object))
    assert alike.variance(alike.mean("a") - alike.mean("b")) == 0
    assert alike.variance(alike.per("a", "b")) == 0
    products = np.array([[square + 2 * 10**6 + 1, square + 10**6], [square + 10**6, square]], object)
    differ = Moments(("a", "b"), number, sums + np.array([1, 0]), products)
    assert differ.variance(differ.mean("a") - differ.mean("b")) == pytest.approx(1e-12)


def rare(draws: np.random.Generator, deals: int, plays: int, rate: float, alike: float) -> Moments:
    """Wins of two arms: one never wins, the other rarely; with `alike` the plays of a deal share their luck."""
    same = draws.random((deals, 1)) < alike
    luck = np.where(same, draws.random((deals, 1)), draws.random((deals, plays)))
    wins = (luck < rate).sum(axis=1)
    return Moments.of(("mine", "theirs"), np.stack([wins, np.zeros_like(wins)], axis=1))


@repeated(100, 1000)
@pytest.mark.parametrize(("plays", "alike"), [(1, 0.0), (4, 0.0), (4, 1.0), (4, 0.5)])
def test_rare_wins_are_covered(plays: int, alike: float, runs: int) -> None:
    """0.39% against none, as in WAVE's nazare: one play of a deal, or a rotation with several."""
    draws, deals, rate, covered, naive = np.random.default_rng(plays), 200, 0.0039, 0, 0
    for _ in range(runs):
        sums = rare(draws, deals, plays, rate, alike=alike)
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


def test_independent_intervals_add_in_squares() -> None:
    found = Estimate(0.5, 0.4, 0.7, 10).difference(Estimate(0.2, 0.1, 0.3, 10))
    assert found.value == pytest.approx(0.3)
    assert found.low == pytest.approx(0.3 - 0.02**0.5)
    assert found.high == pytest.approx(0.3 + 0.05**0.5)


def test_few_clusters_give_no_interval() -> None:
    empty, one = Moments.empty(NAMES), Moments.of(NAMES, games(1))
    assert math.isnan(float(empty.per("points", "entries").value))
    for found in (empty, one):
        wins, points = found.mean("wins", 840), found.mean("points")
        assert found.interval(points).half == math.inf
        assert (found.rate(wins).low, found.rate(wins).high) == (0, 1)
        assert (found.rate_difference(wins, wins).low, found.rate_difference(wins, wins).high) == (-1, 1)
