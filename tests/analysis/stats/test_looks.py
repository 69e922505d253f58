"""Looks share their confidence, whichever look ends a run; results of people fit their own kind of player."""

from __future__ import annotations

import math

import numpy as np
import pytest

from houle.analysis.stats import simulated_test
from houle.analysis.stats.differences import near_end
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import clopper_pearson, wilson
from houle.analysis.stats.looks import (
    FEW,
    confidence_at,
    doublings,
    end_of,
    exact_rate,
    few,
    games_needed,
    joint,
    stand,
    win_rate_at,
)
from houle.analysis.stats.simulated_test import FITS, Counted, Numbers, fits_of, settling_number
from tests.coverage import looks
from tests.coverage.cells import wave_setup
from tests.support.amounts import repeated

pytestmark = pytest.mark.quick


def around(value: float, error: float) -> Estimate:
    return Estimate(value, value - 1.96 * error, value + 1.96 * error, 100)


def test_looks_and_differences_share_the_error() -> None:
    assert confidence_at(1) == confidence_at(1, 0) == pytest.approx(0.95)
    assert confidence_at(9) == pytest.approx(1 - 0.05 / 9)
    assert confidence_at(1, 20) == pytest.approx(0.9975)
    assert confidence_at(7, 64) == pytest.approx(1 - 0.05 / (7 * 64))


def test_looks_double_up_to_the_most() -> None:
    assert doublings(640_000) == (10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 640_000)
    assert doublings(1_000) == (125, 250, 500, 1_000)
    assert doublings(99) == (99,)
    for most in (1, 100, 101, 6_401, 10**10):
        ends = doublings(most)
        assert ends[-1] == most
        assert len(ends) <= 7
        assert list(ends) == sorted(set(ends))


def tally_of(won: int, games: int, unresolved: int = 0) -> looks.Tally:
    tally = looks.Tally.empty(wave_setup())
    tally.totals[0].games, tally.totals[0].unresolved = games, unresolved
    tally.moments[0].share, tally.moments[0].share_squared = won * looks.WHOLE_WIN, won * looks.WHOLE_WIN**2
    return tally


def test_few_wins_or_losses_are_exact() -> None:
    for won in (0, FEW - 1, 100 - FEW + 1, 100):
        assert few(won, 100)
        assert win_rate_at(tally_of(won, 100), 0, 0.99) == clopper_pearson(won, 100, 0.99)
    for won in (FEW, 50, 100 - FEW):
        assert win_rate_at(tally_of(won, 100), 0, 0.99) == wilson(won / 100, 100, 0.99)
    opened = win_rate_at(tally_of(3, 100, unresolved=20), 0, 0.99)
    assert (opened.low, opened.high) == (clopper_pearson(3, 100, 0.99).low, clopper_pearson(23, 100, 0.99).high)
    shared = exact_rate(2.5, 2.5, 100, 0.99)
    assert (shared.value, shared.low, shared.high) == (
        0.025,
        clopper_pearson(2, 100, 0.99).low,
        clopper_pearson(3, 100, 0.99).high,
    )
    assert math.isnan(exact_rate(0.0, 0.0, 0, 0.99).value)


@repeated(2_000, 10_000)
@pytest.mark.parametrize("rate", looks.RATES)
def test_all_looks_at_a_win_rate_hold(rate: float, runs: int) -> None:
    assert looks.rates_hold(rate, runs, np.random.default_rng(6)) >= 0.95


@pytest.mark.compiled  # a class in plain Python is also shown after four games; there 92% hold
@repeated(400, 10_000)
def test_all_looks_at_a_score_hold(runs: int) -> None:
    assert looks.scores_hold(runs, np.random.default_rng(6)) >= 0.95


@repeated(200, 2_000)
@pytest.mark.parametrize("rate", [0.05, 1 / 3])
def test_all_looks_at_every_seat_hold(rate: float, runs: int) -> None:
    assert looks.seats_hold(rate, runs, np.random.default_rng(6)) >= 0.95


@repeated(500, 10_000)
@pytest.mark.parametrize("arms", looks.ARMS)
@pytest.mark.parametrize("truth", looks.TRUTHS)
def test_runs_that_stop_themselves_hold(arms: int, truth: float, runs: int) -> None:
    ended = looks.until_sure(arms, truth, runs, np.random.default_rng(7))
    assert ended.held >= 0.95
    assert ended.false <= 0.05


def test_many_runs_are_drawn_as_played() -> None:
    draws = np.random.default_rng(3)
    assert all(looks.agrees(draws) for _ in range(200))


def test_a_difference_ends_by_its_interval() -> None:
    assert end_of(Estimate(0.3, 0.1, 0.5, 9), 0.2) == "more"
    assert end_of(Estimate(-0.3, -0.5, -0.1, 9), 0.2) == "less"
    assert end_of(Estimate(0.0, -0.2, 0.1, 9), 0.2) == "same"
    assert end_of(Estimate(0.0, -0.21, 0.1, 9), 0.2) is None
    assert end_of(Estimate(math.nan, -math.inf, math.inf, 0), 0.2) is None


def test_half_widths_shrink_with_the_root_of_games() -> None:
    assert games_needed(Estimate(0.1, 0.0, 0.2, 1_000), 0.05) == pytest.approx(4_000)


def test_joint_intervals_hold_for_the_largest() -> None:
    """Of twelve equal rates the largest is too high; its own interval misses often, a joint one seldom."""
    largest = np.random.default_rng(4).binomial(300, 0.3, (4000, 12)).max(axis=1)
    alone = np.mean([wilson(hits / 300, 300).low <= 0.3 for hits in largest])
    held = np.mean([joint(wilson(hits / 300, 300), 12).low <= 0.3 for hits in largest])
    assert alone < 0.85
    assert held > 0.95
    assert joint(wilson(0.5, 100), 1) == wilson(0.5, 100)
    assert joint(wilson(0.001, 100), 1000).low == 0.0


def test_44_null_differences_raise_few_alarms() -> None:
    values = np.random.default_rng(2).normal(size=(600, 44))
    alarms = sum(any(stand([around(value, 1.0) for value in row])) for row in values)
    alone = sum(bool((abs(row) > 1.96).any()) for row in values)
    assert alarms / 600 < 0.07
    assert alone / 600 > 0.8
    assert stand([around(9, 1), None, around(1, 1)]) == [True, False, False]
    assert stand([around(2.1, 1), around(0, 1)]) == [False, False]
    assert stand([around(2.1, 1), None]) == [True, False]


def test_the_near_end_is_the_one_by_zero() -> None:
    assert near_end(Estimate(-3.0, -5.0, -1.0, 9)) == 1
    assert near_end(Estimate(-3.0, -7.0, 1.0, 9)) == -1


WIN_RATES = (0.07, 0.19, 0.32, 0.44)  # of the four levels in WAVE for three
CARDS = np.arange(35)
TIMES = 60


def scores(win: float) -> Numbers:
    """Cards left, much as in WAVE: none after a win, often few, sometimes nearly all."""
    few, many = np.exp(-CARDS / 4), np.exp(-(34 - CARDS) / 6)
    lost = (0.3 + win) * few / few.sum() + (0.7 - win) * many / many.sum()
    lost[0] = 0
    shares: Numbers = (1 - win) * lost / lost.sum()
    shares[0] = win
    return shares


WINS = (np.array([0, 1]), np.array([[1 - win, win] for win in WIN_RATES]))
SCORES = (CARDS, np.array([scores(win) for win in WIN_RATES]))


def counted(values: Numbers, seen: Numbers, simulated: Numbers) -> Counted:
    kinds = [dict(zip(values.tolist(), row.tolist(), strict=True)) for row in simulated]
    return Counted.of(dict(zip(values.tolist(), seen.tolist(), strict=True)), kinds)


@pytest.mark.parametrize("draws", [200, pytest.param(simulated_test.DRAWS, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("number", "games"), [(20, 4_000), (60, 500)])
@pytest.mark.parametrize(("values", "chances"), [WINS, SCORES], ids=["wins", "scores"])
def test_own_kind_fits_and_far_kinds_do_not(
    values: Numbers, chances: Numbers, number: int, games: int, draws: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """About 95% of 240 cases, with any number of draws: also with so few simulated games that their noise counts."""
    monkeypatch.setattr(simulated_test, "DRAWS", draws)
    rng = np.random.default_rng(number + games)
    own, ruled_out = 0, 0
    for time in range(TIMES):
        simulated = np.array([rng.multinomial(games, row) for row in chances])
        for kind, row in enumerate(chances):
            fits = fits_of([counted(values, rng.multinomial(number, row), simulated)], time)
            own += fits[kind] >= FITS
            ruled_out += sum(fit < FITS for fit in fits)
    assert 0.91 <= own / (4 * TIMES) <= 0.985
    assert ruled_out / (4 * TIMES) >= {20: 1.3, 60: 2.0}[number]


def test_results_beyond_all_kinds_fit_none() -> None:
    simulated = np.round(4_000 * WINS[1])
    assert max(fits_of([counted(WINS[0], np.array([5, 55]), simulated)], 1)) < FITS


def test_setups_that_disagree_fit_no_kind() -> None:
    """As many wins as the first kind in one setup, as many as the last in the other: none fits both."""
    simulated = np.round(4_000 * WINS[1])
    weak, strong = (counted(WINS[0], np.array([100 - won, won]), simulated) for won in (7, 44))
    assert fits_of([weak], 1)[0] > FITS
    assert fits_of([strong], 1)[3] > FITS
    assert max(fits_of([weak, strong], 1)) < FITS


def test_more_results_tell_near_kinds_apart() -> None:
    sort = counted(WINS[0], np.array([16, 4]), np.round(4_000 * WINS[1]))
    far, near = settling_number([(sort, 20)], [0, 3], 1), settling_number([(sort, 20)], [2, 3], 1)
    assert 10 <= far < 80 <= near
    alike = counted(WINS[0], np.array([16, 4]), np.round(4_000 * WINS[1][[1, 1]]))
    assert settling_number([(alike, 20)], [0, 1], 1) == math.inf


def test_rare_wins_need_many_results() -> None:
    """Who wins a tenth of games wins none of 20 in 12% of cases, and none of 40 in 1.5%."""
    sort = counted(WINS[0], np.array([20, 0]), np.round(4_000 * np.array([[0.995, 0.005], [0.9, 0.1]])))
    assert settling_number([(sort, 20)], [0, 1], 1) == 40


def test_kinds_with_equal_means_are_told_apart() -> None:
    """By the whole distribution of scores."""
    values, chances = np.array([0, 10, 20]), np.array([[0.45, 0.1, 0.45], [0.1, 0.8, 0.1]])
    for kind, row in enumerate(chances):
        fits = fits_of([counted(values, np.round(40 * row), np.round(4_000 * chances))], 1)
        assert [fit >= FITS for fit in fits] == [kind == 0, kind == 1]
