"""Line-ups on the same deals: clustered intervals keep their coverage, arms are paired, and seats are rotated."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from houle import Rotation, simulate
from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.clustered_deals import COLUMNS, Deals, against, same_deals
from houle.analysis.sampling.rotation import rotated
from houle.analysis.stats.intervals import clustered_rate, wilson
from houle.solver.players.names import Strategy, parse
from houle.solver.rules import Setup, make_setup

pytestmark = pytest.mark.compiled

# Rates every move the same: as strong as random play, with other random numbers.
EVEN = Strategy("thumb", "thumb", 0, {}, {"weights": {}})


def rotate(setup: Setup, strategies: str | list[str], **run: Any) -> Rotation:
    result = simulate(setup, strategies=strategies, rotate=True, **run)
    assert isinstance(result, Rotation)
    return result


def as_deals(shares: np.ndarray, plays: int) -> Deals:
    """Deals of one arm from the wins of its plays."""
    rows = np.zeros((len(shares), len(COLUMNS)), np.int64)
    rows[:, 0] = 840 * shares
    return Deals.of((plays,), rows)


@pytest.mark.parametrize(("rate", "alike"), [(0.25, 4.0), (0.25, 0.3), (0.03, 0.5), (0.9, 0.3)])
def test_clustered_intervals_keep_their_coverage(rate: float, alike: float) -> None:
    """Four plays per deal that share some of its luck; 200 deals, 1,500 runs."""
    draws = np.random.default_rng(5)
    chances = draws.beta(rate * alike, (1 - rate) * alike, size=(1500, 200))
    wins = draws.binomial(4, chances)
    covered = 0
    for run in wins:
        win = as_deals(run, 4).win(0)
        covered += win.low <= rate <= win.high
    assert 0.93 <= covered / len(wins) <= 0.985
    naive = [wilson(run.sum() / 800, 800) for run in wins]
    assert np.mean([one.low <= rate <= one.high for one in naive]) < covered / len(wins)


@pytest.mark.quick
def test_one_play_per_cluster_is_plain() -> None:
    wins = np.random.default_rng(1).integers(0, 2, 5000)
    clustered, plain = as_deals(wins, 1).win(0), wilson(wins.mean(), 5000)
    assert clustered.value == pytest.approx(plain.value)
    assert clustered.low == pytest.approx(plain.low, abs=1e-5)
    assert clustered.high == pytest.approx(plain.high, abs=1e-5)


@pytest.mark.quick
def test_rates_of_0_and_1_have_intervals() -> None:
    assert clustered_rate(0.0, 0.0, 100).low == 0.0
    assert 0.03 < clustered_rate(0.0, 0.0, 100).high < 0.05
    assert clustered_rate(1.0, 0.0, 100).high == 1.0
    assert (clustered_rate(0.5, math.inf, 1).low, clustered_rate(0.5, math.inf, 1).high) == (0.0, 1.0)


def test_only_equal_players_have_intervals_without_width() -> None:
    """A rotation in which each deal gave one win of two: by chance, or because both players are the same."""
    always = as_deals(np.ones(100, np.int64), 2).win(0)
    assert always.value == 0.5
    assert 0.48 < always.low < 0.4855
    assert 0.5145 < always.high < 0.52
    setup = make_setup("land-unter", 3)
    dealt = same_deals([against(setup, parse("random"), parse(name)) for name in ("random", "thumb")], RunSpec(20))
    assert dealt.win(0).low == dealt.win(0).high == pytest.approx(1 / 3)
    assert dealt.win(1).low < dealt.win(1).high


def test_arms_agree_with_simulate() -> None:
    setup = make_setup("wave", 3)
    arms = [against(setup, parse(name), None) for name in ("random", "thumb")]
    deals = same_deals(arms, RunSpec(3000, seed=3))
    for arm, name in enumerate(("random", "thumb")):
        side = simulate(setup, strategies=name, games=3000, seed=3).sides[0]
        assert deals.share(arm) == pytest.approx(side.win.value)
        assert deals.score(arm).value == pytest.approx(side.score.interval.value)
        assert deals.score(arm).low == pytest.approx(side.score.interval.low, abs=1e-4)
    gain = deals.gain(1, 0)
    assert gain.value == pytest.approx(deals.share(1) - deals.share(0))
    assert 0.2 < gain.low < gain.value < gain.high < 0.4
    assert deals.score_gain(1, 0, most=33.0).high < 0


def test_threads_and_chunks_change_nothing() -> None:
    setup = make_setup("wave", 3)
    arms = [against(setup, parse("thumb[temperature=500]"), None)]
    one, many = (same_deals(arms, RunSpec(1000, seed=3, threads=threads)) for threads in (1, 5))
    assert one.as_data() == many.as_data()


def test_four_identical_players_get_a_quarter_each() -> None:
    """The same games are played in every rotation, so the quarter is exact."""
    result = rotate(make_setup("land-unter", 4), "random", games=300, seed=2)
    assert [player.win.value for player in result.players] == pytest.approx([0.25] * 4)
    assert (result.games, result.plays) == (300, 1200)


@pytest.mark.quick
def test_rotation_follows_each_player_over_all_seats() -> None:
    seated = line_up(make_setup("land-unter", 3), ["random", "thumb", "flat:2"])
    for player, arm in zip(seated.names, rotated(seated), strict=True):
        assert [turn.names[seat] for turn, seat in arm] == [player] * 3
        assert {seat for _, seat in arm} == {0, 1, 2}


def test_rotation_cancels_the_advantage_of_seats() -> None:
    """Equally strong players with other random numbers: a quarter each within the interval."""
    setup = make_setup("land-unter", 4)
    arm = against(setup, EVEN, parse("random"))
    assert sorted(side for _, side in arm) == [0, 1, 2, 3]
    win = same_deals([arm], RunSpec(4000, seed=2)).win(0)
    assert win.low < 0.25 < win.high
    assert win.high - win.low < 0.03


def test_rotation_of_a_team_is_one_row() -> None:
    result = rotate(make_setup("wave", 3), ["thumb", "random", "random"], games=500)
    assert [(player.name, player.strategy) for player in result.players] == [("team", "thumb, random")]
    assert len(result.frame()) == 1
    assert result.as_json()["games"] == 1500


def test_the_digest_of_a_rotation_depends_on_results() -> None:
    setup = make_setup("land-unter", 3)
    digests = {
        rotate(setup, "random", games=200, seed=seed, threads=threads).digest
        for seed in (1, 1, 2)
        for threads in (1, 3)
    }
    assert len(digests) == 2
