"""Strength: players in order with intervals, on the same deals; players left out are named."""

from __future__ import annotations

import json

import pytest

from houle.analysis.players.read_players import playable, usual
from houle.analysis.run_options import RunSpec
from houle.analysis.strategy.strength import plan_matchups, play_strength
from houle.solver.rules import make_setup
from tests.support.call import good

pytestmark = pytest.mark.compiled


def test_better_players_win_more_in_wave() -> None:
    setup = make_setup("wave", 3)
    strategies, left_out = playable(setup, ("random", "family", "thumb"))
    assert left_out == []
    strength = play_strength(plan_matchups(setup, strategies, 1500, 100), RunSpec(seed=3))
    assert strength.headline.startswith("thumb wins ")
    random, family, thumb = strength.matchups
    assert random.win is not None
    assert family.win is not None
    assert thumb.win is not None
    assert random.win.high < family.win.low < family.win.high < thumb.win.low
    assert random.gain is None
    assert family.gain is not None
    assert thumb.gain is not None
    assert family.gain.low > 0
    assert thumb.gain.low > 0
    assert thumb.gain.value == pytest.approx(thumb.win.value - family.win.value)
    assert thumb.score_gain is not None
    assert thumb.score_gain.high < 0
    assert strength.fair is None


def test_searches_play_fewer_deals() -> None:
    setup = make_setup("wave", 3)
    strategies, _ = playable(setup, ("random", "thumb", "flat:3", "flat:6"))
    planned = plan_matchups(setup, strategies, 50, 10)
    assert [part.deals for part in planned.parts] == [50, 10]
    assert [len(part.arms) for part in planned.parts] == [2, 3]
    strength = play_strength(planned, RunSpec())
    assert [matchup.win.n if matchup.win else 0 for matchup in strength.matchups] == [50, 50, 10, 10]
    assert strength.matchups[2].gain is not None


@pytest.mark.quick
def test_players_left_out_are_named() -> None:
    setup = make_setup("wave", 3)
    players, left_out = playable(setup, ("random", "thumb[weights=nobody]"))
    assert [one.text for one in players] == ["random"]
    assert left_out[0][0] == "thumb[weights=nobody]"
    assert "no weights 'nobody'" in left_out[0][1]


def test_clairvoyant_plays_only_with_a_solver() -> None:
    players, left_out = usual(make_setup("wave", 3), "strength")
    assert (players[-1].text, left_out) == ("clairvoyant", [])
    players, left_out = usual(make_setup("vague-verte", 3), "strength")
    assert players[-1].text == "expert"
    assert left_out == [("clairvoyant", "the game has no exact solver")]


DEALS = 4_000  # far more than a search plays before it can be stopped


def test_an_interrupted_run_can_be_repeated() -> None:
    """Ctrl-C while the search plays: the printed command gives exactly what is shown."""
    setup = make_setup("wave", 3)
    strategies, _ = playable(setup, ("random", "thumb", "flat:2"))

    def stop(done: int, seconds: float) -> None:
        if done >= 2 * DEALS + 2 * 3:
            raise KeyboardInterrupt

    part = play_strength(plan_matchups(setup, strategies, DEALS, DEALS), RunSpec(threads=1, progress=stop))
    assert part.interrupted
    assert 3 <= part.searching.deals < DEALS
    assert f"-n {DEALS} --search-games {part.searching.deals}" in part.interruption(part.repeat())
    again = play_strength(plan_matchups(setup, strategies, DEALS, part.searching.deals), RunSpec())
    assert (again.digest, again.interrupted) == (part.digest, False)


def test_competitors_play_from_every_seat() -> None:
    setup = make_setup("land-unter", 4)
    strategies, _ = playable(setup, ("random", "random"))
    planned = plan_matchups(setup, strategies, 200, 10)
    assert planned.plan.games == 800
    first, second = play_strength(planned, RunSpec()).matchups
    assert first.win is None
    assert second.win is not None
    assert second.win.value == pytest.approx(0.25)


def test_gains_are_above_a_fair_share() -> None:
    """Of games that somebody wins: games without a winner are no loss."""
    thumbs, _ = playable(make_setup("vague-verte", 3), ("thumb", "thumb"))
    equal = play_strength(plan_matchups(make_setup("vague-verte", 3), thumbs, 300, 10), RunSpec()).matchups[1]
    assert equal.win is not None
    assert equal.gain is not None
    assert equal.win.high < 1 / 3
    assert equal.gain.value == pytest.approx(0)
    unlike, _ = playable(make_setup("land-unter", 4), ("random", "thumb"))
    planned = plan_matchups(make_setup("land-unter", 4), unlike, 100, 10)
    better = play_strength(planned, RunSpec()).matchups[1]
    assert better.win is not None
    assert better.gain is not None
    assert better.gain.value == pytest.approx(better.win.value - 0.25)
    assert better.gain.low == pytest.approx(better.win.low - 0.25, abs=0.02)
    assert planned.plan.games == 400


def test_the_command() -> None:
    players = ["random", "thumb[forgets=50]", "thumb"]
    words = ("strength", "wave", "-p", "3", "-s", "random,thumb[forgets=50]", "-s", "thumb", "-n", "300")
    data = json.loads(good(*words, "--json"))
    assert [matchup["strategy"] for matchup in data["matchups"]] == players
    assert data["matchups"][2]["win"]["value"] > data["matchups"][0]["win"]["value"]
    assert list(data["matchups"][0]["win"]) == ["value", "low", "high", "n"]
    assert data["strategies"] == players
    page = good(*words)
    assert data["result_digest"] in page
    assert "repeat   houle strength wave -p 3 -s 'random,thumb[forgets=50],thumb' -n 300" in page
    assert "about" in good(*words, "--dry-run")
