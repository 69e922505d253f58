"""Which kinds of players results fit: the kind that they come from does, far ones do not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from houle.analysis.stats import simulated_test
from houle.analysis.stats.simulated_test import FITS, Counted, Numbers, fits_of, settling_number

pytestmark = pytest.mark.quick

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


def test_kinds_with_equal_means_are_told_apart() -> None:
    """By the whole distribution of scores."""
    values, chances = np.array([0, 10, 20]), np.array([[0.45, 0.1, 0.45], [0.1, 0.8, 0.1]])
    for kind, row in enumerate(chances):
        fits = fits_of([counted(values, np.round(40 * row), np.round(4_000 * chances))], 1)
        assert [fit >= FITS for fit in fits] == [kind == 0, kind == 1]
