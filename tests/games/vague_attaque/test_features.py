"""VAGUE & ATTAQUE: rules of thumb in hand-made positions, and the ship that waits for a round."""

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
from tests.games.vague_attaque.scene import encounter, facts, outcomes, place, scene
from tests.support.scenes import act, rated

pytestmark = pytest.mark.quick


def test_completing_and_building() -> None:
    zone = {place(0): [0, 22], place(3): [6], place(5): []}
    rows = rated(scene(phase="land", hands={0: [1, 7, 10]}, zones={0: zone}))
    assert rows["lay souvenir 1 on place 0a"]["complete"] == 1
    assert rows["lay souvenir 7 on place 3a"]["build"] == 2
    assert rows["lay souvenir 10 on place 5a"] == {"build": 1}
    assert rows["stop"] == {}


def test_the_winning_place_counts_most() -> None:
    zone = {place(0): [0, 22], place(3): [6, 7, 25]}
    rows = rated(scene(phase="land", hands={0: [1]}, zones={0: zone}))
    assert rows["lay souvenir 1 on place 0a"]["complete"] == 8


def test_two_shared_souvenirs_want_a_dedicated_third() -> None:
    zone = {place(3): [22]}  # souvenirs 22 and 25 both fit place 3
    alone = rated(scene(phase="land", hands={0: [25]}, zones={0: zone}))
    assert alone["lay souvenir 25 on place 3a"]["two_shared"] == 1
    ready = rated(scene(phase="land", hands={0: [25, 6]}, zones={0: zone}))
    assert "two_shared" not in ready["lay souvenir 25 on place 3a"]
    assert ready["lay souvenir 25 on place 3a"]["follow"] == 1


def test_loading_a_ship_that_sails_on_is_bad() -> None:
    rows = rated(scene(phase="land", hands={0: [20]}))
    assert rows["lay souvenir 20 on ship"]["ship"] == 1
    held = rated(scene(phase="land", hands={0: [20]}, ship=(0, [21])))
    assert "ship" not in held["lay souvenir 20 on ship"]
    middle = rated(scene(players=2, phase="land", hands={0: [20]}, ship=(-1, [21])))
    assert middle["lay souvenir 20 on ship"]["ship"] == 2


def test_places_are_laid_for_souvenirs_in_the_hand() -> None:
    rows = rated(scene(phase="land", hands={0: [place(0), place(1), 0, 1]}))
    assert rows["lay place 0a"] == {"lay_place": 3, "places_short": 2}
    assert rows["lay place 1a"] == {"lay_place": 1, "places_short": 2}


def test_useful_souvenirs_are_kept() -> None:
    zone = {place(0): [0, 22], place(3): [6], place(5): []}
    rows = rated(scene(phase="lose", hands={0: [1, 7, 10, 12, 14, place(7)]}, zones={0: zone}))
    uses = [-rows[f"lose souvenir {card}"]["keep_useful"] for card in (1, 7, 10, 14, 12)]
    assert uses == [36, 20, 12, 8, 4]
    assert rows["lose place 7a"] == {"keep_place": -2}


def test_places_are_fetched_when_missing() -> None:
    assert rated(scene(hands={0: [12]}))["swap souvenir 12"]["places_short"] == 2
    assert "places_short" not in rated(scene(hands={0: [12, place(0), place(1)]}))["swap souvenir 12"]


def test_duels_want_useful_cards_and_no_parry() -> None:
    zones = {0: {place(0): [0, 22]}, 1: {place(0, 1): [1], place(3): [6]}}
    rows = rated(scene(phase="encounter", zones=zones))
    assert rows["adventure"] == {}
    assert rows["duel souvenir 1"]["duel_gain"] > 0
    assert "duel_gain" not in rows["duel souvenir 6"]  # as likely won as lost, and of no use
    warned = rated(scene(phase="encounter", zones=zones, hands={1: [encounter("parry")]}))
    assert 0 < warned["duel souvenir 1"]["duel_gain"] < rows["duel souvenir 1"]["duel_gain"] // 3
    armed = rated(scene(phase="encounter", zones=zones, powers={0: "sabre"}))
    assert armed["duel souvenir 1"]["duel_gain"] > rows["duel souvenir 1"]["duel_gain"]


def test_the_leader_is_robbed_first() -> None:
    zones = {1: {place(0): [0, 1, 22], place(3): [6, 7]}, 2: {place(5): [10]}}
    rows = rated(scene(phase="encounter", zones=zones))
    assert rows["duel souvenir 6"]["rob"] > rows["duel souvenir 10"]["rob"] > 0
    thief = rated(scene(phase="steal", zones=zones, hands={1: [12], 2: [13, 14]}))
    assert thief["steal from seat 1"]["rob"] > thief["steal from seat 2"]["rob"]


def test_solo_fear_grows_with_the_ships_load() -> None:
    danger = [
        rated(scene(players=1, ship=(-1, loaded), hands={0: [12]}))["draw"].get("fear_ship", 0)
        for loaded in ([], [20], [20, 21], [20, 21, 25])
    ]
    assert danger == sorted(danger)
    assert danger[3] > 2 * danger[2] > 0


CALM = [encounter("calm", number) for number in range(4)]
HELD = (1, [20, 21])


def about_to_rob(seat: int, ship: tuple[int, list[int]] = HELD, players: int = 3, **rest: Any) -> Match:
    """A seat in phase II; everyone holds a card, and calm encounters follow."""
    hands = {other: [other] for other in range(players)} | rest.pop("hands", {})
    match = scene(players, "encounter", seat, hands=hands, ship=ship, tops=rest.pop("tops", CALM), **rest)
    match.state.turns = seat
    return match


def won(match: Match, prize: str) -> Match:
    """The match after a duel that the active seat wins, for a souvenir or for the ship."""
    seat = int(match.state.seat)
    for one in outcomes(match, "duel ship" if prize == "ship" else f"duel souvenir {prize}", 60):
        if facts(one)["ship"][0] == seat if prize == "ship" else int(prize) in facts(one)["hands"][seat]:
            return one
    raise AssertionError(f"never won: {prize}")


def after(match: Match, steps: str) -> Match:
    """The match after some steps: `rob SOUVENIR` wins a duel and ends the turn, `pass` does nothing in a turn."""
    for each in steps.split(", "):
        if "draw" in match.names():
            act(match, "draw")
        if each == "pass":
            act(match, "adventure", "stop")
        elif each.startswith("rob"):
            match = won(match, each.removeprefix("rob "))
            act(match, "stop")
        else:
            act(match, "adventure", each)
    return match


@pytest.mark.parametrize(
    ("position", "steps", "holder", "load"),
    [
        ({"seat": 2}, "rob 21", 1, [20]),
        ({"seat": 2}, "rob 21, pass, pass", 1, [20]),
        ({"seat": 2}, "rob 21, pass, pass, pass", 0, [20]),
        ({"seat": 2, "settings": {"ship_resumes": "same_round"}}, "rob 21", 0, [20]),
        ({"seat": 1, "ship": (0, [20, 21])}, "rob 21, rob 20", 0, []),  # robbed twice
        ({"seat": 1, "ship": (0, [20, 21])}, "rob 21, rob 20, pass, pass, pass", 2, []),
        ({"seat": 2, "ship": (1, [20])}, "rob 20", 0, []),  # an only souvenir held nothing
        ({"seat": 2, "ship": (1, [20]), "zones": {1: {place(0): [4, 5]}}}, "rob 5", 0, [20]),  # another place
        # Two souvenirs hold it again, until it is robbed in the second round.
        ({"seat": 0, "hands": {1: [1, 32]}}, "rob 21, lay souvenir 32 on ship, pass", 1, [20, 32]),
        ({"seat": 0, "hands": {1: [1, 32]}}, "rob 21, lay souvenir 32 on ship, pass, pass, pass, rob 32", 1, [20]),
        # An encounter moves it at once.
        ({"seat": 0, "tops": [encounter("move_ship"), *CALM]}, "rob 21, pass", 0, [20]),
        ({"seat": 0, "tops": [encounter("move_ship"), *CALM]}, "rob 21, pass, pass", 0, [20]),
        ({"seat": 0, "tops": [encounter("move_ship"), *CALM]}, "rob 21, pass, pass, pass, pass, pass", 2, [20]),
        # Robbed of both souvenirs and then won in the same round, it stays with the winner.
        ({"seat": 0, "ship": (3, [20, 21]), "players": 4, "settings": {"ship_stealable": True}},
         "rob 21, rob 20, rob ship, pass", 2, []),
        ({"seat": 3, "ship": (2, [20, 21]), "players": 4, "variants": ("teams",)}, "rob 21", 2, [20]),
        ({"seat": 3, "ship": (2, [20, 21]), "players": 4, "variants": ("teams",)}, "rob 21, pass, pass, pass, pass", 1,
         [20]),
    ],
)  # fmt: skip
def test_a_robbed_ship_waits_for_a_round(position: dict[str, Any], steps: str, holder: int, load: list[int]) -> None:
    assert facts(after(about_to_rob(**position), steps))["ship"] == (holder, load)


def test_only_a_won_duel_delays_the_ship() -> None:
    for match in outcomes(about_to_rob(seat=2), "duel souvenir 21", 40):
        assert facts(match)["ship_waits"] == (21 in facts(match)["hands"][2])


def stopping(match: Match) -> tuple[str, ...]:
    """What the trace says of the end of this turn."""
    act(match, "adventure")
    (stop,) = (action for action in match.moves() if match.name(action) == "stop")
    return step(match, stop, 1).events


def test_the_trace_says_why_it_stays() -> None:
    match = after(about_to_rob(seat=1, ship=(0, [20, 21])), "rob 21")
    assert "ship (robbed, stays this round): " in match.setup.game.show(match.state, match.setup)
    act(match, "draw")
    assert stopping(match) == ("round 1 is over: the ship stays, because it was robbed in this round",)
    for cards, why in (([20, 21], "two souvenirs hold it"), ([20, 21, 29], "it is validated")):
        match = about_to_rob(seat=2, ship=(0, cards))
        assert stopping(match) == (f"round 1 is over: the ship stays, because {why}",)


def test_a_position_says_that_it_waits() -> None:
    match = after(about_to_rob(seat=1, ship=(0, [20, 21])), "rob 21")
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
    knobs, options = ({name: one for name, one in every.items() if name != "ship_resumes"}
                      for every in (setup.ruleset.knobs, setup.options))  # fmt: skip
    without = replace(setup, ruleset=replace(of_before, knobs=knobs), options=options)
    for stored in (without, replace(setup, ruleset=of_before)):
        with pytest.raises(
            StudyError, match=r"^vague-attaque: the study was made with other rules than those"
        ) as fault:
            setup_from(setup_text(stored), stored.digest)
        assert "\n" not in str(fault.value)
