"""WAVE: every rule of thumb in hand-made positions of a small deck: white, red, navy, each 0, 1, 2; zeros reverse.

A card fits on another whose colour or number is lower, so white 0 fits on nothing and navy 2 on all others.
"""

from __future__ import annotations

from typing import Any

import pytest

from houle.solver.games.wave.thumbs import RISK, SHARE
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from tests.games.wave import scene as scenes
from tests.games.wave.scene import Hand, small_deck
from tests.support.scenes import rated

pytestmark = pytest.mark.quick


def scene(
    top: str, hands: list[Hand], pile: list[str], variants: tuple[str, ...] = (), virage: str = "", **settings: Any
) -> Match:
    """A position of the small deck, with open hands unless the settings say otherwise."""
    return scenes.scene(
        make_setup("wave", 3, variants, small_deck(talk="open") | settings), top, hands, pile, virage=virage
    )


HANDS: list[Hand] = [(["red 1"], ["white 2"]), (["red 0"], ["navy 0"]), (["navy 1"], ["white 0"])]
PILE = ["red 2", "navy 2"]


def test_two_cards_when_everything_is_known() -> None:
    """White 2, red 2 and the navy cards fit on a red 1; all red and navy cards fit on a white 2."""
    assert rated(scene("white 1", HANDS, PILE)) == {
        "play red 1": {
            "room": 5,  # white 2, red 2, navy 0, 1, 2
            "next_ready": 1,  # by navy 0
            "next_choice": 1,
            "second_ready": 1,  # navy 1 on navy 0
            "awkward": 3,  # of the seven cards left it does not fit on red 2, navy 1 and navy 2
            "own_choice": 1,  # white 2
            "keeps_awkward": 3,  # white 2 does not fit on itself, red 2 and navy 2
        },
        "play white 2": {
            "room": 6,
            "next_ready": 1,
            "next_choice": 2,  # red 0 and navy 0
            "second_ready": 1,
            "awkward": 2,  # it does not fit on red 2 and navy 2
            "own_choice": 1,  # red 1
            "keeps_awkward": 4,  # red 1 does not fit on itself, red 2, navy 1 and navy 2
            "from_back": 1,
        },
    }


def test_risk_is_chance_that_nothing_hidden_fits() -> None:
    """Three cards are hidden from seat 0: two front cards and one in the pile. Two of them, the 2s, fit on a navy 1."""
    hands: list[Hand] = [(["navy 1"], []), (["red 2"], []), (["navy 2"], [])]
    match = scene("white 1", hands, ["red 0"], talk="known")
    assert rated(match)["play navy 1"]["next_risk"] == RISK // 3
    match = scene("white 1", [(["navy 1"], []), (["red 2"], ["navy 0"]), (["navy 2"], [])], ["red 0"], talk="known")
    assert rated(match)["play navy 1"]["next_risk"] == RISK // 3  # the back card is seen, and does not fit
    match = scene("white 1", [(["navy 1"], []), (["red 2"], ["white 2"]), (["navy 2"], [])], ["red 0"], talk="known")
    assert "next_risk" not in rated(match)["play navy 1"]  # the back card is seen, and fits


def test_reversing_card_makes_previous_seat_next() -> None:
    hands: list[Hand] = [(["red 0"], ["red 1"]), (["white 0"], ["navy 0"]), (["navy 1"], ["navy 2"])]
    rows = rated(scene("white 1", hands, ["white 2", "red 2"]))
    assert rows["play red 0"]["reverses"] == 1
    assert rows["play red 0"]["next_choice"] == 2  # navy 1 and navy 2 of the seat before
    assert "reverses" not in rows["play red 1"]
    assert rows["play red 1"]["next_choice"] == 1  # navy 0 of the seat after
    match = scene("white 1", hands, ["white 2", "red 2"])
    match.state.turned = 1
    assert rated(match)["play red 0"]["next_choice"] == 1  # turned again: navy 0 of the seat after


def virage(hand: Hand, pile: list[str]) -> dict[str, dict[str, int]]:
    """Seat 0 may swap a card for the navy 2."""
    return rated(scene("white 1", [hand, *HANDS[1:]], pile, ("virage",), virage="navy 2"))


def test_swaps_count_the_taken_card_and_what_can_follow() -> None:
    """Of eight cards left navy 2 fits on seven, red 1 on four (all white ones, 0s), white 2 on five (0s and 1s).

    None of them can follow navy 2 (the Virage card, laid last), five red 1, and six white 2.
    """
    rows = virage(HANDS[0], ["red 2"])
    assert rows["no swap"] == {}
    for name, fits, follow in (("swap red 1", 4, 5), ("swap white 2", 5, 6)):
        assert rows[name]["swap"] == 1
        assert rows[name]["swap_gain"] == SHARE * (7 - fits) // 8
        assert rows[name]["swap_last"] == SHARE // (follow + 1) - SHARE
    # Without a pile the gain is a loss: of seven cards left navy 2 fits on six, red 1 on four.
    assert virage(HANDS[0], [])["swap red 1"]["swap_gain"] == -(SHARE * (6 - 4) // 7)


@pytest.mark.compiled
@pytest.mark.parametrize("talk", ["silent", "points", "known", "open"])
def test_every_feature_comes_up_in_some_game(talk: str) -> None:
    """With every kind of talk each feature differs between some moves, except those that talk makes constant."""
    setup = make_setup("wave", 3, ["virage", "nazare"], {"talk": talk, "facedown": "free"})
    names, seen = [name for name, _ in setup.game.FEATURES], set[str]()
    for game in range(12):
        match = Match(setup, 4, game)
        while match.to_move() >= 0:
            rows = match.features()
            seen |= {name for name, values in zip(names, rows.T, strict=True) if len(set(values.tolist())) > 1}
            match.apply(match.random_move())
    signals = {name for name in names if name.startswith(("point", "follow"))}
    assert set(names) - seen <= {"lone"} | ({"next_risk"} if talk == "open" else set()) | (
        set() if talk == "points" else signals
    )
