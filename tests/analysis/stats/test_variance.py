"""Variance components are recovered, and their intervals keep their coverage."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.stats.variance import VARIANCE_PARTS, common_part, variance_parts
from tests.support.repeated import check_coverage, repeated

pytestmark = pytest.mark.quick


def synthetic(draws: np.random.Generator, deals: int, replays: int) -> np.ndarray:
    """deal x replay x player x seat with variances 1 (players), 0.5 (seats), 2 (deals) and 1.5 (the rest)."""
    players, seats = np.array([1.0, 1.0, -2.0]) / np.sqrt(2), np.array([1.0, 0.0, -1.0]) * np.sqrt(0.75)
    dealt = draws.normal(0, np.sqrt(2), (deals, 1, 3, 3))
    rest = draws.normal(0, np.sqrt(1.5), (deals, replays, 3, 3))
    return np.asarray(players[:, None] + seats + dealt + rest)


@repeated(200, 400)
def test_components_keep_their_coverage(runs: int) -> None:
    """100 deals of three replays, three players at three seats. The estimates have almost no bias."""
    draws = np.random.default_rng(2)
    truth = dict(zip(VARIANCE_PARTS, np.array([1.0, 0.5, 2.0, 1.5]) / 5, strict=True))
    covered, sums = dict.fromkeys(VARIANCE_PARTS, 0), dict.fromkeys(VARIANCE_PARTS, 0.0)
    for _ in range(runs):
        found = variance_parts(synthetic(draws, 100, 3))
        assert found is not None
        assert sum(one.value for one in found.values()) == pytest.approx(1)
        for part, one in found.items():
            covered[part] += one.low <= truth[part] <= one.high
            sums[part] += one.value / runs
    for hits in covered.values():
        check_coverage(hits, runs, 0.92, 0.98)
    assert sums == pytest.approx(truth, abs=0.005)


@pytest.mark.parametrize(("rate", "share"), [(0.5, 0.0), (0.5, 0.05), (0.25, 0.3), (0.5, 0.8)])
@repeated(100, 400)
def test_the_deal_component_is_covered_for_wins(rate: float, share: float, runs: int) -> None:
    """Wins and losses, 300 deals of four replays; `share` is the variance of the deals' chances."""
    draws = np.random.default_rng(5)
    covered, values = 0, []
    for _ in range(runs):
        size = 1 / share - 1 if share else 0.0
        chances = draws.beta(rate * size, (1 - rate) * size, 300) if share else np.full(300, rate)
        wins = draws.random((300, 4)) < chances[:, None]
        found = variance_parts(wins.astype(float)[:, :, None, None])
        assert found is not None
        covered += found["deal"].low <= share <= found["deal"].high
        values.append(found["deal"].value)
    check_coverage(covered, runs, 0.92, 0.985)
    assert np.mean(values) == pytest.approx(share, abs=0.12 / runs**0.5)


def test_intervals_of_few_deals_stay_shares() -> None:
    """A share is at most 1; with four deals the jackknife alone would say up to 1.7."""
    draws = np.random.default_rng(6)
    for _ in range(50):
        found = variance_parts(synthetic(draws, 4, 2))
        assert found is not None
        for one in found.values():
            assert min(one.value, 0.0) <= one.low <= one.value <= one.high <= max(one.value, 1.0)


def test_constant_outcomes_have_no_components() -> None:
    assert variance_parts(np.zeros((10, 3, 1, 2))) is None


@pytest.mark.parametrize(("deals", "share"), [(200, 0.1), (200, 0.5), (2000, 0.99)])
@repeated(100, 500)
def test_the_common_part_is_covered(deals: int, share: float, runs: int) -> None:
    """Two players win three in ten: `share` of the deals decide for both, the others are tosses.

    At 99% about four deals in a thousand differ between the players.
    """
    draws = np.random.default_rng(6)
    covered, values = 0, []
    for _ in range(runs):
        decided, both = draws.random((deals, 1)) < share, draws.random((deals, 1)) < 0.3
        own = draws.random((2, deals, 1)) < 0.3
        one, other = np.where(decided, both, own).astype(float)
        found = common_part(one, other)
        assert found is not None
        covered += found.low <= share <= found.high
        values.append(found.value)
    check_coverage(covered, runs, 0.925, 0.99)
    assert np.mean(values) == pytest.approx(share, abs=0.22 / runs**0.5)


def test_players_who_always_agreed_have_an_interval() -> None:
    wins = (np.arange(300) % 3 == 0).astype(float)[:, None]
    found = common_part(wins, wins)
    assert found is not None
    assert (found.value, found.high) == pytest.approx((1, 1))
    assert 0.95 < found.low < 0.99
    assert common_part(np.zeros((9, 2)), np.zeros((9, 2))) is None
