"""Sequential tests: error rates, numbers of games, and intervals that agree with the verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

from houle.analysis.stats.differences import pair_rates
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import normal_quantile
from houle.analysis.stats.sequential_tests import (
    ACCEPT,
    AT_STOP,
    REJECT,
    Decision,
    detectable,
    evidence,
    games_to_show,
    looks,
    mirrored,
)

pytestmark = pytest.mark.quick

MARGIN = 0.005
CHANGED = 0.384  # of WAVE's pairs change hands: a spread of 0.62
MOST = 3_000_000
RUNS = 100
Z = normal_quantile(AT_STOP)


@dataclass(frozen=True)
class Stop:
    """Where a run of synthetic pairs ended."""

    kind: str | None
    games: int
    interval: Estimate  # as it is shown


def run(truth: float, changed: float, draws: np.random.Generator, margin: float = MARGIN, most: int = MOST) -> Stop:
    """Pairs that differ by -1, 0 or 1, until the tests have ended."""
    chances = [(changed + truth) / 2, (changed - truth) / 2, 1 - changed]
    decision, before, won, lost = Decision(margin), 0, 0, 0
    for n in looks(most):
        more, fewer, _ = draws.multinomial(n - before, chances)
        before, won, lost = n, won + int(more), lost + int(fewer)
        value = (won - lost) / n
        variance = (won + lost - n * value**2) / (n - 1)
        found = pair_rates(value, variance, n, AT_STOP)
        decision.look(found)
        if decision.kind is not None:
            break
    return Stop(decision.kind, n, found)


def runs(truth: float, changed: float = CHANGED, seed: int = 1, number: int = RUNS) -> list[Stop]:
    draws = np.random.default_rng(seed)
    return [run(truth, changed, draws) for _ in range(number)]


def share(stops: list[Stop], *kinds: str) -> float:
    return sum(stop.kind in kinds for stop in stops) / len(stops)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("truth", "false", "most_games"),
    [
        (0.0, ("more", "less"), 160_000),
        (0.001, ("less",), 180_000),
        (0.005, ("same", "less"), 130_000),
        (0.01, ("same", "less"), 45_000),
    ],
)
def test_false_verdicts_are_rare_and_intervals_hold(truth: float, false: tuple[str, ...], most_games: int) -> None:
    stops = runs(truth)
    assert share(stops, *false) <= 0.08
    assert np.mean([stop.games for stop in stops]) <= most_games
    assert np.mean([stop.interval.low <= truth <= stop.interval.high for stop in stops]) >= 0.92
    for stop in stops:
        low, high = stop.interval.low, stop.interval.high
        agrees = {"more": low > 0, "less": high < 0, "same": max(-low, high) <= MARGIN}
        assert stop.kind is not None
        assert agrees[stop.kind], stop


@pytest.mark.parametrize("changed", [0.0, 0.002, 0.006])
def test_rare_changes_are_not_missed(changed: float) -> None:
    """All changes go in one direction and appear late."""
    truth = changed
    stops = runs(truth, changed, seed=3)
    if truth >= MARGIN:
        assert share(stops, "same", "less") <= 0.07
    else:
        assert share(stops, "less") == 0
    if truth == 0:
        assert share(stops, "same") == 1
        assert min(stop.games for stop in stops) >= 3 / MARGIN  # the rule of three


def test_a_wrong_spread_is_detected() -> None:
    """With half the true spread there are many false verdicts, so the test above can fail."""
    draws, false = np.random.default_rng(1), 0
    for _ in range(40):
        decision, before, total = Decision(MARGIN), 0, 0.0
        for n in looks(MOST):
            total += 0.62 * (n - before) ** 0.5 * draws.standard_normal()
            half = Z * 0.31 / n**0.5
            decision.look(Estimate(total / n, total / n - half, total / n + half, n))
            before = n
            if decision.kind:
                break
        false += decision.kind != "same"
    assert false >= 6


def test_evidence_is_that_of_a_normal_mean() -> None:
    found = Estimate(0.004, 0.004 - Z * 0.002, 0.004 + Z * 0.002, 1000)
    exact = ((0.004 - 0.0) ** 2 - (0.004 - 0.005) ** 2) / (2 * 0.002**2)
    assert evidence(found, 0.005) == pytest.approx(exact, rel=1e-5)
    assert evidence(mirrored(found), 0.005) < REJECT < 0 < exact < ACCEPT
    assert evidence(Estimate(0.0, -np.inf, np.inf, 1), 0.005) == 0


def test_decisions_are_final() -> None:
    decision = Decision(MARGIN)
    decision.look(Estimate(0.05, 0.04, 0.06, 1000))
    assert decision.kind == "more"
    decision.look(Estimate(-0.05, -0.06, -0.04, 2000))
    assert decision.kind == "more"
    assert decision.games(2000) == 2000


def test_looks_are_fixed_and_end_at_the_limit() -> None:
    found = list(looks(10_000))
    assert found[:3] == [200, 250, 300]
    assert found[-1] == 10_000
    assert all(one < other <= 1.25 * one for one, other in pairwise(found))
    assert found[:-1] == [n for n in looks(20_000) if n < 10_000]
    assert list(looks(2)) == [2]


def test_detectable_differences_are_shown_four_in_five() -> None:
    draws, n = np.random.default_rng(5), 10_000
    half = 1.959964 * 0.62 / n**0.5
    size = detectable(Estimate(0.0, -half, half, n), 0.95)
    means = size + 0.62 / n**0.5 * draws.standard_normal(4_000)
    assert np.mean(means > half) == pytest.approx(0.8, abs=0.02)
    assert games_to_show(Estimate(0.0, -half, half, n), size, 0.95) == pytest.approx(n)
