"""Exact sums over clusters add up in any order without rounding, and give the right estimates."""

from __future__ import annotations

import math

import numpy as np
import pytest

from houle.analysis.stats.intervals import ratio
from houle.analysis.stats.moments import Moments, multiply

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


def test_few_clusters_give_no_interval() -> None:
    empty, one = Moments.empty(NAMES), Moments.of(NAMES, games(1))
    assert math.isnan(float(empty.per("points", "entries").value))
    for found in (empty, one):
        wins, points = found.mean("wins", 840), found.mean("points")
        assert found.interval(points).half == math.inf
        assert (found.rate(wins).low, found.rate(wins).high) == (0, 1)
        assert (found.rate_difference(wins, wins).low, found.rate_difference(wins, wins).high) == (-1, 1)
