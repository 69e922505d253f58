"""WAVE: every rule of thumb on hand-made tables of a small deck: white, red, navy, each 0, 1, 2; zeros reverse.

A card fits on another whose colour or number is lower, so white 0 fits on nothing and navy 2 on all but itself.
"""

from __future__ import annotations

from typing import Any

import pytest

from houle.solver.games.wave.features import FEATURES, RISK, SHARE
from houle.solver.games.wave.state import NONE
from houle.solver.match import Match
from houle.solver.ruleset import make_setup

NAMES = [name for name, *_ in FEATURES]
COLOURS = ("white", "red", "navy")
DECK: dict[str, Any] = {
    "deck.colours": list(COLOURS),
    "deck.numbers": [0, 1, 2],
    "deck.missing": [],
    "deck.reverse": ["* 0"],
    "hand.front": 1,
    "hand.back": 1,
}
Hand = tuple[list[str], list[str]]  # front, back


def card(name: str) -> int:
    colour, number = name.split()
    return COLOURS.index(colour) * 3 + int(number)


def cards(names: list[str]) -> int:
    return sum(1 << card(name) for name in names)


def scene(top: str, hands: list[Hand], pile: list[str], variants: tuple[str, ...] = (), **settings: Any) -> Match:
    """Seat 0 is to play on the top card; what lies nowhere was laid before."""
    knobs = {**DECK, "talk": "open", **{name.replace("__", "."): value for name, value in settings.items()}}
    match = Match(make_setup("wave", 3, variants, knobs), seed=1)
    state, rules = match.state, match.setup.rules[0]
    held = [name for front, back in hands for name in front + back]
    state.top = state.cells[0] = card(top)
    state.seen = int(rules.cards) & ~(cards(held) | cards(pile)) | cards([top])
    state.laid = state.facedown = state.order = state.turned = 0
    for seat, (front, back) in enumerate(hands):
        state.front[seat], state.back[seat] = cards(front), cards(back)
        state.held[seat] = NONE
        for slot, name in enumerate(front + back):
            state.held[seat, slot], state.slot[card(name)] = card(name), slot
    state.pile_left, state.gaps, state.added = len(pile), 0, 0
    state.pile[: len(pile)] = [card(name) for name in pile]
    state.acting = state.mover = 0
    state.asked, state.taken = 1, NONE
    state.playable = (state.front[0] | state.back[0]) & rules.beats[0, state.top]
    return match


def rated(match: Match) -> dict[str, dict[str, int]]:
    """Features that are not nothing, by the name of the move."""
    rows = match.features()
    return {
        name: {feature: int(value) for feature, value in zip(NAMES, row, strict=True) if value}
        for name, row in zip(match.names(), rows, strict=True)
    }


HANDS: list[Hand] = [(["red 1"], ["white 2"]), (["red 0"], ["navy 0"]), (["navy 1"], ["white 0"])]
PILE = ["red 2", "navy 2"]


def test_two_cards_on_a_table_where_everything_is_known() -> None:
    """By hand: what fits on a red 1 is white 2, red 2 and the navy cards; on a white 2 all red and navy ones."""
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


def test_who_cannot_follow_is_not_ready_and_leaves_nobody_to_look_at() -> None:
    row = rated(scene("white 1", [(["navy 1"], ["white 2"]), (["red 0"], ["navy 0"]), *HANDS[2:]], PILE))["play navy 1"]
    assert not {"next_ready", "next_choice", "second_ready"} & set(row)  # only a 2 fits on a navy 1
    assert row["next_risk"] == RISK  # and there is no card it might have besides


def test_risk_is_the_chance_that_no_hidden_card_fits() -> None:
    """Three cards are hidden from seat 0: two fronts and one in the pile; two of them, the 2s, fit on a navy 1."""
    hands: list[Hand] = [(["navy 1"], []), (["red 2"], []), (["navy 2"], [])]
    table = scene("white 1", hands, ["red 0"], talk="known")
    assert rated(table)["play navy 1"]["next_risk"] == RISK // 3
    table = scene("white 1", [(["navy 1"], []), (["red 2"], ["navy 0"]), (["navy 2"], [])], ["red 0"], talk="known")
    assert rated(table)["play navy 1"]["next_risk"] == RISK // 3  # the back card is seen, and does not fit
    table = scene("white 1", [(["navy 1"], []), (["red 2"], ["white 2"]), (["navy 2"], [])], ["red 0"], talk="known")
    assert "next_risk" not in rated(table)["play navy 1"]  # the back card is seen, and fits


def test_choice_of_the_next_surfer_counts_up_to_three() -> None:
    hands: list[Hand] = [(["red 0"], []), (["red 1", "red 2"], ["navy 1", "navy 2"]), (["white 0"], [])]
    table = scene("white 1", hands, ["white 2"], deck__reverse=[])
    assert rated(table)["play red 0"]["next_choice"] == 3


def test_a_zero_turns_the_direction_and_then_the_seat_before_is_next() -> None:
    hands: list[Hand] = [(["red 0"], ["red 1"]), (["white 0"], ["navy 0"]), (["navy 1"], ["navy 2"])]
    rows = rated(scene("white 1", hands, ["white 2", "red 2"]))
    assert rows["play red 0"]["reverses"] == 1
    assert rows["play red 0"]["next_choice"] == 2  # navy 1 and navy 2 of the seat before
    assert "reverses" not in rows["play red 1"]
    assert rows["play red 1"]["next_choice"] == 1  # navy 0 of the seat after
    table = scene("white 1", hands, ["white 2", "red 2"])
    table.state.turned = 1
    assert rated(table)["play red 0"]["next_choice"] == 1  # turned again: navy 0 of the seat after


def test_a_last_card_of_the_next_surfer_is_lone() -> None:
    rows = rated(scene("white 1", [HANDS[0], (["navy 0"], []), HANDS[2]], PILE))
    assert rows["play red 1"]["lone"] == rows["play white 2"]["lone"] == 1
    assert "lone" not in rated(scene("white 1", HANDS, PILE))["play red 1"]


def test_a_surfer_without_cards_is_passed_over() -> None:
    rows = rated(scene("white 1", [HANDS[0], ([], []), HANDS[2]], PILE))
    assert rows["play red 1"]["next_choice"] == 1  # navy 1 of the seat after next


def virage(hand: Hand, pile: list[str]) -> dict[str, dict[str, int]]:
    """Seat 0 may swap a card for the navy 2."""
    table = scene("white 1", [hand, *HANDS[1:]], [*pile, "navy 2"], ("virage",))
    table.state.virage, table.state.asked = card("navy 2"), 0
    table.state.pile_left -= 1
    return rated(table)


def test_a_swap_gains_by_the_card_that_is_taken() -> None:
    """Of eight cards left navy 2 fits on seven, red 1 on four (all white ones, 0s), white 2 on five (0s and 1s)."""
    rows = virage(HANDS[0], ["red 2"])
    assert rows["no swap"] == {}
    assert rows["swap red 1"]["swap_gain"] == SHARE * (7 - 4) // 8
    assert rows["swap white 2"]["swap_gain"] == SHARE * (7 - 5) // 8
    assert rows["swap red 1"]["swap"] == rows["swap white 2"]["swap"] == 1


def test_once_nothing_is_drawn_the_card_left_there_is_laid_last() -> None:
    """Seven cards are left: navy 2 fits on six, red 1 on four."""
    rows = virage(HANDS[0], [])
    assert rows["swap red 1"]["swap_gain"] == -(SHARE * (6 - 4) // 7)


def test_a_card_that_fits_now_is_not_swapped_away_least_of_all_the_only_one() -> None:
    rows = virage(HANDS[0], ["red 2"])
    assert rows["swap red 1"]["swap_fits"] == rows["swap white 2"]["swap_fits"] == 1
    rows = virage((["red 1"], ["navy 0"]), ["red 2"])
    assert rows["swap navy 0"]["swap_fits"] == 1
    rows = virage((["red 1"], ["white 0"]), ["red 2"])
    assert rows["swap red 1"]["swap_fits"] == 6
    assert "swap_fits" not in rows["swap white 0"]


def great_wave(hand: Hand, top: str) -> Match:
    return scene(top, [hand, *HANDS[1:]], ["red 2"], ("nazare",), heights=[1, 3, 5], facedown="stuck")


def test_a_card_goes_face_down_at_a_cost_and_the_most_awkward_first() -> None:
    """On a navy 2 nothing fits. Of six cards left after it, white 1 fits on three 0s, red 1 on white 0 and 0s."""
    rows = rated(great_wave((["red 1"], ["white 1"]), "navy 2"))
    assert set(rows) == {"hide red 1", "hide white 1"}
    assert rows["hide red 1"]["hide"] == rows["hide white 1"]["hide"] == 1
    assert rows["hide red 1"]["hide_awkward"] < rows["hide white 1"]["hide_awkward"]
    assert not {"awkward"} & {feature for row in rows.values() for feature in row}


def test_on_a_face_down_card_everything_fits() -> None:
    rows = rated(great_wave((["red 1"], ["white 1"]), "navy 2"))
    assert rows["hide red 1"]["room"] == rows["hide white 1"]["room"]
    assert rows["hide red 1"]["next_choice"] == 2


def test_a_card_one_does_not_know_is_the_average_of_what_it_may_be() -> None:
    """Silent: seat 0 does not see its back card, which may be a white 2, a red 2 or a navy 1; all fit on a white 1.

    Seven cards are left after it. On a white 2 six of them fit, on a red 2 three (navy ones), on a navy 1 three (2s).
    """
    table = scene("white 1", [(["red 1"], ["white 2"]), (["red 0"], ["navy 0"]), (["navy 1"], ["white 0"])], PILE,
                  talk="silent")  # fmt: skip
    table.state.may[0, table.state.slot[card("white 2")]] = cards(["white 2", "red 2", "navy 1"])
    row = rated(table)["play white 2"]
    assert row["room"] == (6 + 3 + 3) // 3
    assert row["from_back"] == 1  # that much is known
    known = rated(scene("white 1", HANDS, PILE, talk="known"))["play white 2"]
    assert known["room"] == 6


@pytest.mark.parametrize("talk", ["silent", "known", "open"])
def test_every_feature_comes_up_in_some_game(talk: str) -> None:
    """Under every kind of talk each feature tells some moves apart, except where talk leaves nothing to fear."""
    setup = make_setup("wave", 3, ["virage", "nazare"], {"talk": talk, "facedown": "free"})
    seen: set[str] = set()
    for game in range(12):
        match = Match(setup, 4, game)
        while match.to_move() >= 0:
            rows = match.features()
            seen |= {name for name, column in zip(NAMES, rows.T, strict=True) if len(set(column.tolist())) > 1}
            match.apply(match.random_move())
    assert set(NAMES) - seen <= ({"next_risk", "lone"} if talk == "open" else {"lone"})
