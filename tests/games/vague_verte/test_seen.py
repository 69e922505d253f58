"""VAGUE VERTE: which seats notice a change of each field of the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from houle.solver.cards.piles import GAP
from houle.solver.errors import PositionError
from houle.solver.games.vague_verte.rules import LIT, MAX_CARDS, MAX_ROAD, STARTED, STATE, build_deck
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import read_position
from tests.games.vague_verte.test_rules import do, match_with
from tests.support.seen import noticing

pytestmark = pytest.mark.compiled

ALL = {0, 1, 2}
PUBLIC = ("mover", "seat", "stage", "turns", "plays", "discards", "reshuffles", "winner", "pile_left", "faceup_left",
          "bottom")  # fmt: skip
OF_ALL = ("filled", "last", "missed")
FOLLOWING = ("own", "follow")  # from roads and lights
STREAMS = ("root", "deal", "chance", "choice", "stacked")
OF_CARDS = (
    "hand",
    "shown",
    "drawn",
    "not_in",
    "last_seen",
    "targets",
    "light",
    "road",
    "faceup",
    "pile",
    "gaps",
    "added",
    "stack",
)
HANDS = [
    ["car red 1", "car red 2", "tow", "green light", "car blue 3"],
    ["car blue 1", "breakdown red", "red light", "ducks", "car green 3"],
    ["car yellow 1", "car yellow 2", "red light", "tow", "car blue 2"],
]


def a_match(**settings: Any) -> Match:
    """Seat 1 is to draw. It took blue 4 from the face-up pile, where ducks are left. The road of seat 0 has a tow."""
    match = match_with(HANDS, ["ducks", "car blue 4"], **settings)
    do(match, "play car red 1", "draw face-up", "play car blue 1", "play car yellow 1", "play car red 2")
    do(match, "play breakdown red on seat 0", "play red light at row 5", "play tow")
    return match


def in_hand(match: Match, seat: int, name: str) -> int:
    """A card of a hand."""
    deck = build_deck(match.setup.options)
    return next(card for card in range(len(deck)) if int(match.state.hand[seat]) >> card & 1 and deck[card] == name)


def flipped(field: str, *place: int) -> Callable[[Any], None]:
    """A change: another number, or another one of several in a place."""

    def change(state: Any) -> None:
        if place:
            state[field][place] ^= 2
        else:
            state[field] ^= 1

    return change


def exchanged(seat: int, card: int, other: int | None, came: int) -> Callable[[Any], None]:
    """A change: a card of a hand is exchanged with a card of another hand, or of the stock."""

    def change(state: Any) -> None:
        state.hand[seat] ^= 1 << card | 1 << came
        if other is None:
            place = state.pile.tolist().index(came)
            state.pile[place] = card
        else:
            state.hand[other] ^= 1 << card | 1 << came

    return change


def test_every_field_is_tested() -> None:
    assert {*PUBLIC, *OF_ALL, *FOLLOWING, *STREAMS, *OF_CARDS, "vague_verte"} == set(STATE.names or ())


@pytest.mark.parametrize("field", PUBLIC)
def test_everyone_sees_public_numbers(field: str) -> None:
    assert noticing(a_match(), flipped(field)) == ALL


@pytest.mark.parametrize("field", OF_ALL)
def test_everyone_sees_the_numbers_of_players(field: str) -> None:
    assert noticing(a_match(), flipped(field, 1)) == ALL


@pytest.mark.parametrize("field", STREAMS)
def test_nobody_sees_streams(field: str) -> None:
    assert noticing(a_match(), flipped(field)) == set()


@pytest.mark.parametrize("field", FOLLOWING)
def test_what_a_road_allows_follows_from_the_cards(field: str) -> None:
    assert noticing(a_match(), flipped(field, 1)) == set()


def test_everyone_sees_red_lights() -> None:
    def change(bit: int) -> Callable[[Any], None]:
        def flip(state: Any) -> None:
            state.targets ^= 1 << bit

        return flip

    assert noticing(a_match(), change(LIT + 3)) == ALL
    assert noticing(a_match(), change(STARTED + 2)) == set()  # it follows from the road
    assert noticing(a_match(), flipped("light", 5)) == set()  # all red lights are equal


def test_everyone_sees_roads() -> None:
    assert noticing(a_match(), flipped("road", 1, 0)) == ALL
    assert noticing(a_match(), flipped("road", 1, 1)) == set()  # an empty square
    assert noticing(a_match(), flipped("road", 0, MAX_ROAD + 2)) == set()  # all tows are equal


def test_everyone_sees_the_face_up_pile() -> None:
    match = a_match()
    bottom = int(match.state.bottom)
    assert noticing(match, flipped("faceup", bottom)) == ALL
    assert noticing(match, flipped("faceup", bottom + 1)) == set()  # above the pile


def test_only_owners_see_their_hands() -> None:
    match = a_match()
    green, yellow, stock = in_hand(match, 1, "car green 3"), in_hand(match, 2, "car yellow 2"), int(match.state.pile[0])
    assert noticing(match, exchanged(1, green, 2, yellow)) == {1, 2}
    assert noticing(match, exchanged(1, green, None, stock)) == {1}


def test_nobody_tells_equal_cards_apart() -> None:
    match = a_match()
    green = in_hand(match, 1, "car green 3")
    copies = {card for card in range(MAX_CARDS) if int(match.setup.rules[0].same[green]) >> card & 1}
    (other,) = copies - {green}
    assert other in match.state.pile[: int(match.state.pile_left)]
    assert noticing(match, exchanged(1, green, None, other)) == set()


def test_everyone_sees_cards_taken_from_the_pile() -> None:
    match = a_match()
    blue, green = in_hand(match, 1, "car blue 4"), in_hand(match, 1, "car green 3")

    def other(state: Any) -> None:
        state.shown[1] ^= 1 << blue | 1 << green

    def one_more(state: Any) -> None:
        state.shown[1] |= 1 << green

    assert noticing(match, other) == noticing(match, one_more) == ALL


def test_only_the_owner_sees_a_card_drawn_from_the_stock() -> None:
    match = a_match()
    do(match, "draw stock")

    def change(state: Any) -> None:
        state.drawn = in_hand(match, 1, "car green 3")

    assert noticing(match, change) == {1}


def test_everyone_sees_which_card_was_taken() -> None:
    match = a_match()
    do(match, "draw face-up")

    def change(state: Any) -> None:
        state.drawn = in_hand(match, 1, "car blue 4")

    assert noticing(match, change) == ALL


@pytest.mark.parametrize(("forced", "seats"), [(True, {0, 2}), (False, set())])
def test_others_know_what_a_hidden_card_is_not(forced: bool, seats: set[int]) -> None:
    """With forced play; the owner sees the card itself."""
    match = a_match(forced_play=forced)
    assert noticing(match, flipped("not_in", in_hand(match, 1, "car green 3"))) == seats
    assert noticing(match, flipped("not_in", in_hand(match, 1, "car blue 4"))) == set()  # all know this card
    assert noticing(match, flipped("not_in", int(match.state.pile[0]))) == set()


def test_players_remember_when_hidden_cards_were_seen() -> None:
    match = a_match()
    assert noticing(match, flipped("last_seen", in_hand(match, 1, "car green 3"))) == {0, 2}
    assert noticing(match, flipped("last_seen", int(match.state.pile[0]))) == ALL
    assert noticing(match, flipped("last_seen", int(match.state.faceup[match.state.bottom]))) == set()


def test_nobody_sees_the_order_of_the_stock() -> None:
    def exchange(state: Any) -> None:
        state.pile[0], state.pile[1] = int(state.pile[1]), int(state.pile[0])

    def with_gap(state: Any) -> None:
        state.pile[int(state.pile_left)] = GAP
        state.gaps += 1

    def with_added(state: Any) -> None:
        state.pile[MAX_CARDS - 1] = state.pile[int(state.pile_left) - 1]
        state.added += 1

    for change in (exchange, with_gap, with_added, flipped("vague_verte")):
        assert noticing(a_match(), change) == set()


def test_a_position_has_no_larger_hands_than_a_draw_makes() -> None:
    text = "game: vague-verte; players: 2; seat: 1; face-up: ducks; seat 1 hand: tow; seat 2 hand: "
    assert read_position(f"{text} 6 ?").places["seat 2 hand"] == ["?"] * 6
    with pytest.raises(PositionError, match="seat 2 hand: 7 hidden cards; a hand has at most 6"):
        read_position(f"{text} 5 ?, 2 ?")
