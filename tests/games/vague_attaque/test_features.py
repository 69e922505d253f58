"""VAGUE & ATTAQUE: rules of thumb in hand-made positions, and the ship that waits for a round."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from houle.analysis.studies.serialize import setup_from, setup_text
from houle.solver.errors import InputError, StudyError
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import read_position, write_position
from houle.solver.rules import make_setup
from tests.games.vague_attaque.scene import encounter, facts, outcomes, place, scene
from tests.support.scenes import act, rated

pytestmark = pytest.mark.quick


def test_two_shared_souvenirs_want_a_dedicated_third() -> None:
    zone = {place(3): [22]}  # souvenirs 22 and 25 both fit place 3
    alone = rated(scene(phase="land", hands={0: [25]}, zones={0: zone}))
    assert alone["lay souvenir 25 on place 3a"]["two_shared"] == 1
    ready = rated(scene(phase="land", hands={0: [25, 6]}, zones={0: zone}))
    assert "two_shared" not in ready["lay souvenir 25 on place 3a"]
    assert ready["lay souvenir 25 on place 3a"]["follow"] == 1


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
        (
            {"seat": 0, "ship": (3, [20, 21]), "players": 4, "settings": {"ship_stealable": True}},
            "rob 21, rob 20, rob ship, pass",
            2,
            [],
        ),
        ({"seat": 3, "ship": (2, [20, 21]), "players": 4, "variants": ("teams",)}, "rob 21", 2, [20]),
        (
            {"seat": 3, "ship": (2, [20, 21]), "players": 4, "variants": ("teams",)},
            "rob 21, pass, pass, pass, pass",
            1,
            [20],
        ),
    ],
)
def test_a_robbed_ship_waits_for_a_round(position: dict[str, Any], steps: str, holder: int, load: list[int]) -> None:
    assert facts(after(about_to_rob(**position), steps))["ship"] == (holder, load)


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


def test_a_study_with_the_rules_before_is_refused() -> None:
    setup = make_setup("vague-attaque", 3)
    of_before = replace(setup.ruleset, version=1)
    knobs, options = (
        {name: one for name, one in every.items() if name != "ship_resumes"}
        for every in (setup.ruleset.knobs, setup.options)
    )
    without = replace(setup, ruleset=replace(of_before, knobs=knobs), options=options)
    for stored in (without, replace(setup, ruleset=of_before)):
        with pytest.raises(
            StudyError, match=r"^vague-attaque: the study was made with other rules than those"
        ) as fault:
            setup_from(setup_text(stored), stored.digest)
        assert "\n" not in str(fault.value)
