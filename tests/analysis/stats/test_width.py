"""Runs that stop on width: ordinary intervals keep their coverage, and few games are needed."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import wilson
from houle.analysis.stats.width import AT_WIDTH, forecast, half_width, looks
from houle.solver.run.tally import Tally
from tests.support.repeated import check_coverage, repeated
from tests.support.synthetic import SETUP

pytestmark = pytest.mark.quick


def stops(rate: float, precision: float, seed: int, runs: int) -> list[Estimate]:
    """Runs of games won at a rate, each with its interval at the stop."""
    draws, found = np.random.default_rng(seed), []
    # All unfinished runs have equally many games, so runs with the same number of wins are judged together.
    wins, before = np.zeros(runs, np.int64), 0
    for n in looks(10**7):
        wins += draws.binomial(n - before, rate, len(wins))
        before = n
        judged = {int(total): wilson(total / n, n, AT_WIDTH) for total in np.unique(wins)}
        enough = np.array([100 * judged[int(total)].half <= precision for total in wins])
        found += [judged[int(total)] for total in wins[enough]]
        wins = wins[~enough]
        if not len(wins):
            break
    return found


@pytest.mark.compiled
@repeated(400, 2_000)
@pytest.mark.parametrize("rate", [0.3, 0.05, 0.01])
def test_the_interval_at_the_stop_covers(rate: float, runs: int) -> None:
    found = stops(rate, 0.3, 7, runs)
    assert len(found) == runs
    check_coverage(sum(one.low <= rate <= one.high for one in found), runs, 0.935)
    assert max(100 * one.half for one in found) <= 0.3


@repeated(200, 2_000)
def test_a_precise_rate_takes_few_games(runs: int) -> None:
    assert max(one.n for one in stops(0.3, 0.3, 8, runs)) <= 100_000
    assert forecast(0.3, 0.3, 10**12) <= 100_000
    assert forecast(0.3, 0.3, 5_000) == 5_000


def test_open_games_do_not_delay_the_stop() -> None:
    """Otherwise a run would never end, because more games do not solve a deal."""
    tally = Tally.empty(SETUP)
    tally.totals[0].games = 100_000
    tally.totals[0].unresolved = 40_000
    tally.moments[0].share = 840 * 20_000
    assert half_width(tally) == pytest.approx(100 * wilson(0.2, 100_000, AT_WIDTH).half)
