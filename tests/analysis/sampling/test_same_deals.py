"""Line-ups on the same deals: clustered intervals that hold what they promise, pairs, and rotation over the seats."""

from __future__ import annotations

import math

import numpy as np
import pytest

from houle.analysis.sampling.rotation import rotate_line_up as rotate
from houle.analysis.sampling.same_deals import COLUMNS, Deals, against, same_deals
from houle.analysis.sampling.simulation import simulate_games
from houle.analysis.stats.intervals import clustered_rate, wilson
from houle.solver.ruleset import make_setup
from houle.solver.strategies.names import Strategy, parse

# Every move rated alike: a player as strong as random that draws its luck differently.
EVEN = Strategy("thumb", "thumb", 0, {}, {"weights": {}})


def as_deals(shares: np.ndarray, plays: int) -> Deals:
    """Deals of one arm from the wins of its plays."""
    table = np.zeros((len(shares), len(COLUMNS)), np.int64)
    table[:, 0] = 840 * shares
    return Deals.of((plays,), table)


@pytest.mark.parametrize(("rate", "alike"), [(0.25, 4.0), (0.25, 0.3), (0.03, 0.5), (0.9, 0.3)])
def test_clustered_intervals_cover_as_often_as_they_say(rate: float, alike: float) -> None:
    """Four plays a deal, of which the deal's own luck makes some alike; 200 deals, 1,500 runs."""
    draws = np.random.default_rng(5)
    chances = draws.beta(rate * alike, (1 - rate) * alike, size=(1500, 200))
    wins = draws.binomial(4, chances)
    covered = 0
    for run in wins:
        found = as_deals(run, 4).win(0)
        covered += found.low <= rate <= found.high
    assert 0.93 <= covered / len(wins) <= 0.985
    naive = [wilson(run.sum() / 800, 800) for run in wins]
    assert np.mean([one.low <= rate <= one.high for one in naive]) < covered / len(wins)


def test_a_cluster_of_one_play_is_a_plain_rate() -> None:
    wins = np.random.default_rng(1).integers(0, 2, 5000)
    clustered, plain = as_deals(wins, 1).win(0), wilson(wins.mean(), 5000)
    assert clustered.value == pytest.approx(plain.value)
    assert clustered.low == pytest.approx(plain.low, abs=1e-5)
    assert clustered.high == pytest.approx(plain.high, abs=1e-5)


def test_ends_of_the_scale() -> None:
    assert clustered_rate(0.0, 0.0, 100).low == 0.0
    assert 0.03 < clustered_rate(0.0, 0.0, 100).high < 0.05
    assert clustered_rate(1.0, 0.0, 100).high == 1.0
    assert (clustered_rate(0.5, math.inf, 1).low, clustered_rate(0.5, math.inf, 1).high) == (0.0, 1.0)


def test_what_never_varied_is_certain_for_equal_players_alone() -> None:
    """A rotation in which each deal gave one win of two: by chance, or because both players are the same."""
    always = as_deals(np.ones(100, np.int64), 2).win(0)
    assert always.value == 0.5
    assert 0.48 < always.low < 0.4855
    assert 0.5145 < always.high < 0.52
    setup = make_setup("land-unter", 3)
    dealt = same_deals(setup, [against(setup, parse("random"), parse(name)) for name in ("random", "thumb")], 1, 20)
    assert dealt.win(0).low == dealt.win(0).high == pytest.approx(1 / 3)
    assert dealt.win(1).low < dealt.win(1).high


def test_arms_are_the_games_that_simulate_counts() -> None:
    setup = make_setup("wave", 3)
    arms = [against(setup, parse(name), None) for name in ("random", "thumb")]
    deals = same_deals(setup, arms, 3, 3000)
    for arm, name in enumerate(("random", "thumb")):
        side = simulate_games(setup, name, 3000, 3).sides[0]
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
    one, many = (same_deals(setup, arms, 3, 1000, threads=threads) for threads in (1, 5))
    assert one.as_data() == many.as_data()


def test_four_identical_players_get_a_quarter_each() -> None:
    """Whoever sits where, the same games are played: the quarter is exact."""
    found = rotate(make_setup("land-unter", 4), "random", 300, seed=2)
    assert [player.win.value for player in found.players] == pytest.approx([0.25] * 4)
    assert (found.games, found.plays) == (300, 1200)


def test_rotation_takes_the_seats_worth_away() -> None:
    """Players of equal strength that draw differently: a quarter each within the interval, whatever the seats."""
    setup = make_setup("land-unter", 4)
    arm = against(setup, EVEN, parse("random"))
    assert sorted(side for _, side in arm) == [0, 1, 2, 3]
    found = same_deals(setup, [arm], 2, 4000).win(0)
    assert found.low < 0.25 < found.high
    assert found.high - found.low < 0.03


def test_rotation_of_a_team_is_one_row() -> None:
    found = rotate(make_setup("wave", 3), ["thumb", "random", "random"], 500)
    assert [(player.name, player.strategy) for player in found.players] == [("team", "thumb, random")]
    assert len(found.frame()) == 1
    assert found.as_json()["games"] == 1500


def test_rotation_is_named_by_its_integers() -> None:
    setup = make_setup("land-unter", 3)
    digests = {rotate(setup, "random", 200, seed, threads=threads).digest for seed in (1, 1, 2) for threads in (1, 3)}
    assert len(digests) == 2
