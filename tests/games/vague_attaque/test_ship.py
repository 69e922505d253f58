"""VAGUE & ATTAQUE: a ship that two souvenirs held and that was robbed sails again in the next round (ship_resumes).

Seats are 0 to 2, and the ship sails from seat 1 to seat 0 to seat 2. Souvenirs 20, 21, 29 and 32 fit the ship.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from houle.analysis.play.trace import step
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.studies.serialize import setup_from, setup_text
from houle.solver.errors import InputError, StudyError
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import read_position, write_position
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup
from tests.games.vague_attaque.scene import act, encounter, outcomes, place, scene

pytestmark = pytest.mark.quick

P0 = place(0)
CALM = [encounter("calm", number) for number in range(4)]
SAME_ROUND = {"ship_resumes": "same_round"}


def ship(match: Match) -> tuple[int, list[int]]:
    seen = match.snapshot()
    return seen["ship_holder"], seen["ship_cards"]


def about_to_rob(seat: int, ship: tuple[int, list[int]] = (1, [20, 21]), players: int = 3, **rest: Any) -> Match:
    """A seat in phase II; everyone holds a card, and calm encounters follow."""
    hands = {other: [other] for other in range(players)} | rest.pop("hands", {})
    match = scene(players, "encounter", seat, hands=hands, ship=ship, tops=rest.pop("tops", CALM), **rest)
    match.state.turns = seat
    return match


def rob(match: Match, souvenir: int) -> Match:
    """The active seat wins a duel for this souvenir, and ends its turn."""
    seat = int(match.state.seat)
    tried = outcomes(match, f"duel souvenir {souvenir}", 40)
    won = next(other for other in tried if souvenir in other.snapshot()["hands"][seat])
    act(won, "stop")
    return won


def pass_turns(match: Match, turns: int) -> None:
    for _ in range(turns):
        act(match, "draw", "adventure", "stop")


def test_robbed_ship_stays_until_the_next_round_ends() -> None:
    match = rob(about_to_rob(seat=2), 21)
    assert ship(match) == (1, [20])
    pass_turns(match, 2)
    assert ship(match) == (1, [20])
    pass_turns(match, 1)
    assert ship(match) == (0, [20])


def test_same_round_does_not_delay_it() -> None:
    assert ship(rob(about_to_rob(seat=2, settings=SAME_ROUND), 21)) == (0, [20])


def test_only_a_won_duel_delays_the_ship() -> None:
    for match in outcomes(about_to_rob(seat=2), "duel souvenir 21", 40):
        assert match.snapshot()["ship_waits"] == (21 in match.snapshot()["hands"][2])


def test_a_ship_robbed_twice_stays_too() -> None:
    match = rob(about_to_rob(seat=1, ship=(0, [20, 21])), 21)
    act(match, "draw")
    match = rob(match, 20)
    assert ship(match) == (0, [])
    pass_turns(match, 3)
    assert ship(match) == (2, [])


def test_losing_an_only_souvenir_does_not_delay_the_ship() -> None:
    assert ship(rob(about_to_rob(seat=2, ship=(1, [20])), 20)) == (0, [])


def test_robbing_another_place_does_not_delay_it() -> None:
    assert ship(rob(about_to_rob(seat=2, ship=(1, [20]), zones={1: {P0: [4, 5]}}), 5)) == (0, [20])


def test_two_souvenirs_again_hold_it() -> None:
    match = rob(about_to_rob(seat=0, hands={1: [1, 32]}), 21)
    act(match, "draw", "adventure", "lay souvenir 32 on ship")
    pass_turns(match, 1)
    assert ship(match) == (1, [20, 32])
    assert not match.snapshot()["ship_waits"]
    pass_turns(match, 2)
    act(match, "draw")
    match = rob(match, 32)
    assert ship(match) == (1, [20]), "robbed in the second round, it stays again"


def test_an_encounter_moves_it_at_once() -> None:
    """The text stops only the move at the end of the round; an encounter is stopped by two souvenirs alone."""
    match = rob(about_to_rob(seat=0, tops=[encounter("move_ship"), *CALM]), 21)
    pass_turns(match, 1)
    assert ship(match) == (0, [20])
    pass_turns(match, 1)
    assert ship(match) == (0, [20])
    pass_turns(match, 3)
    assert ship(match) == (2, [20])


def test_a_bare_ship_won_in_a_duel_stays() -> None:
    """Robbed of both souvenirs and then won in the same round, it stays with the winner."""
    match = rob(about_to_rob(seat=0, ship=(3, [20, 21]), players=4, settings={"ship_stealable": True}), 21)
    act(match, "draw")
    match = rob(match, 20)
    act(match, "draw")
    match = next(other for other in outcomes(match, "duel ship", 60) if ship(other) == (2, []))
    act(match, "stop")
    pass_turns(match, 1)
    assert ship(match) == (2, [])


def test_teams_wait_too() -> None:
    match = rob(about_to_rob(seat=3, ship=(2, [20, 21]), players=4, variants=("teams",)), 21)
    assert ship(match) == (2, [20])
    pass_turns(match, 4)
    assert ship(match) == (1, [20])


def test_the_trace_says_why_it_stays() -> None:
    match = rob(about_to_rob(seat=1, ship=(0, [20, 21])), 21)
    assert "ship (robbed, stays this round): " in match.setup.game.show(match.state, match.setup)
    act(match, "draw", "adventure")
    (stop,) = (action for action in match.moves() if match.name(action) == "stop")
    assert step(match, stop, 1).events == ("round 1 is over: the ship stays, because it was robbed in this round",)


@pytest.mark.parametrize(("cards", "why"), [([20, 21], "two souvenirs hold it"), ([20, 21, 29], "it is validated")])
def test_the_trace_says_what_holds_it(cards: list[int], why: str) -> None:
    match = about_to_rob(seat=2, ship=(0, cards))
    act(match, "adventure")
    (stop,) = (action for action in match.moves() if match.name(action) == "stop")
    assert step(match, stop, 1).events == (f"round 1 is over: the ship stays, because {why}",)


def test_a_position_says_that_it_waits() -> None:
    match = rob(about_to_rob(seat=1, ship=(0, [20, 21])), 21)
    match.state.artefact[:3] = 94, 95, 96
    knows = match.knows(2)
    text = write_position(match).as_text()
    assert "ship waits: yes\n" in text
    assert read_position(text).match().snapshot()["ship_waits"]
    assert not read_position(text.replace("ship waits: yes\n", "")).match().snapshot()["ship_waits"]
    match.state.ship_waits = 0
    assert match.knows(2) != knows
    elsewhere = text.replace("rules: ", "set ship_resumes: same_round\n# ")
    with pytest.raises(InputError, match="ship waits: being robbed does not keep the ship in this setup"):
        read_position(elsewhere)


@pytest.mark.compiled
@pytest.mark.parametrize("players", [1, 2, 3])
def test_the_knob_matters_only_from_three_players(players: int) -> None:
    tallies = []
    for value in ("next_round", "same_round"):
        setup = make_setup("vague-attaque", players, (), {"ship_resumes": value})
        tallies.append(play_line_up(seat_strategies(setup, ["thumb"]), RunSpec(500, 4)).tally.as_data())
    assert (tallies[0] == tallies[1]) == (players < 3)


def test_a_study_with_the_rules_before_is_refused() -> None:
    setup = make_setup("vague-attaque", 3)
    of_before = replace(setup.ruleset, version=1)
    knobs, options = ({name: one for name, one in every.items() if name not in SAME_ROUND}
                      for every in (setup.ruleset.knobs, setup.options))  # fmt: skip
    without = replace(setup, ruleset=replace(of_before, knobs=knobs), options=options)
    for stored in (without, replace(setup, ruleset=of_before)):
        with pytest.raises(
            StudyError, match=r"^vague-attaque: the study was made with other rules than those"
        ) as fault:
            setup_from(setup_text(stored), stored.digest)
        assert "\n" not in str(fault.value)
