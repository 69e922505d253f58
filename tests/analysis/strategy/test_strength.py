"""The ladder: rungs in order with intervals, on the same deals, and what is left out is said."""

from __future__ import annotations

import json

import pytest

from houle.analysis.sampling.players import playable, usual
from houle.analysis.strategy.strength import plan_matchups, play_strength
from houle.solver.ruleset import make_setup
from tests.support.call import good


def test_the_order_in_wave() -> None:
    setup = make_setup("wave", 3)
    strategies, left_out = playable(setup, ("random", "greedy", "thumb"))
    assert left_out == []
    strength = play_strength(plan_matchups(setup, strategies, 3000, 100), seed=3)
    random, greedy, thumb = strength.matchups
    assert random.win is not None
    assert greedy.win is not None
    assert thumb.win is not None
    assert random.win.high < greedy.win.low < greedy.win.high < thumb.win.low
    assert random.gain is None
    assert greedy.gain is not None
    assert thumb.gain is not None
    assert greedy.gain.low > 0
    assert thumb.gain.low > 0
    assert thumb.gain.value == pytest.approx(thumb.win.value - greedy.win.value)
    assert thumb.score_gain is not None
    assert thumb.score_gain.high < 0
    assert strength.fair is None


def test_a_rung_that_searches_meets_the_one_below_on_fewer_deals() -> None:
    setup = make_setup("wave", 3)
    strategies, _ = playable(setup, ("random", "thumb", "flat:3", "flat:6"))
    planned = plan_matchups(setup, strategies, 50, 10)
    assert [part.deals for part in planned.parts] == [50, 10]
    assert [len(part.arms) for part in planned.parts] == [2, 3]
    strength = play_strength(planned)
    assert [matchup.win.n if matchup.win else 0 for matchup in strength.matchups] == [50, 50, 10, 10]
    assert strength.matchups[2].gain is not None


def test_missing_rungs_are_named() -> None:
    setup = make_setup("wave", 3)
    found, left_out = playable(setup, ("random", "thumb[weights=nobody]"))
    assert [one.text for one in found] == ["random"]
    assert left_out[0][0] == "thumb[weights=nobody]"
    assert "no weights 'nobody'" in left_out[0][1]


def test_the_usual_rungs_end_with_a_clairvoyant_where_there_is_a_solver() -> None:
    matchups, left_out = usual(make_setup("wave", 3), "strength")
    assert (matchups[-1].text, left_out) == ("clairvoyant", [])
    matchups, left_out = usual(make_setup("vague-verte", 3), "strength")
    assert matchups[-1].text == "ismcts:200"
    assert left_out == [("clairvoyant", "the game has no exact solver")]


DEALS = 4_000  # far more than a search plays before it can be stopped


def test_what_an_interruption_leaves() -> None:
    """Ctrl-C while the search plays: the command of the page gives exactly what is shown."""
    setup = make_setup("wave", 3)
    strategies, _ = playable(setup, ("random", "thumb", "flat:2"))

    def stop(done: int, seconds: float) -> None:
        if done >= 2 * DEALS + 2 * 3:
            raise KeyboardInterrupt

    part = play_strength(plan_matchups(setup, strategies, DEALS, DEALS), threads=1, progress=stop)
    assert part.interrupted
    assert 3 <= part.searching.deals < DEALS
    assert f"-n {DEALS} --search-games {part.searching.deals}" in part.interruption(part.repeat())
    again = play_strength(plan_matchups(setup, strategies, DEALS, part.searching.deals))
    assert (again.digest, again.interrupted) == (part.digest, False)


def test_competitors_meet_the_rung_below_from_every_seat() -> None:
    setup = make_setup("land-unter", 4)
    strategies, _ = playable(setup, ("random", "random"))
    planned = plan_matchups(setup, strategies, 200, 10)
    assert planned.games == 800
    first, second = play_strength(planned).matchups
    assert first.win is None
    assert second.win is not None
    assert second.win.value == pytest.approx(0.25)


def test_a_gain_is_over_what_an_equal_wins() -> None:
    """Games that nobody wins are no loss; and where somebody wins each, a fair share of all games is a fair share."""
    thumbs, _ = playable(make_setup("vague-verte", 3), ("thumb", "thumb"))
    equal = play_strength(plan_matchups(make_setup("vague-verte", 3), thumbs, 300, 10)).matchups[1]
    assert equal.win is not None
    assert equal.gain is not None
    assert equal.win.high < 1 / 3
    assert equal.gain.value == pytest.approx(0)
    unlike, _ = playable(make_setup("land-unter", 4), ("random", "thumb"))
    planned = plan_matchups(make_setup("land-unter", 4), unlike, 100, 10)
    better = play_strength(planned).matchups[1]
    assert better.win is not None
    assert better.gain is not None
    assert better.gain.value == pytest.approx(better.win.value - 0.25)
    assert better.gain.low == pytest.approx(better.win.low - 0.25, abs=0.02)
    assert planned.games == 400


def test_the_command() -> None:
    words = ("strength", "wave", "-p", "3", "-s", "random,greedy", "-s", "thumb", "-n", "300")
    found = json.loads(good(*words, "--json"))
    assert [matchup["strategy"] for matchup in found["rungs"]] == ["random", "greedy", "thumb"]
    assert found["rungs"][2]["win"]["rate"] > found["rungs"][0]["win"]["rate"]
    assert list(found["rungs"][0]["win"]) == ["rate", "value", "low", "high", "n"]
    assert found["strategies"] == ["random", "greedy", "thumb"]
    page = good(*words)
    assert found["result_digest"] in page
    assert "repeat   houle strength wave -p 3 -s random,greedy,thumb -n 300" in page
    assert "about" in good(*words, "--dry-run")
