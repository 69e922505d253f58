"""VAGUE VERTE: who notices a change of each field, and which cards of the page can be clicked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from houle.solver.cards.piles import GAP
from houle.solver.errors import PositionError
from houle.solver.games.vague_verte.rules import (
    DRAW_FACEUP,
    DRAW_STOCK,
    FACEUP,
    LIT,
    MAX_CARDS,
    MAX_ROAD,
    STARTED,
    STATE,
    build_deck,
)
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import read_position
from houle.solver.matches.views import view_of
from houle.solver.rules import make_setup
from tests.games.vague_verte.scene import do, match_with
from tests.support.seen import Change, Row, exchanged_places, flipped, put, wrongly_noticed

pytestmark = pytest.mark.compiled

ALL = {0, 1, 2}
PUBLIC = (
    "mover",
    "seat",
    "stage",
    "turns",
    "plays",
    "discards",
    "reshuffles",
    "winner",
    "pile_left",
    "faceup_left",
    "bottom",
)
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


def exchanged(seat: int, card: int, other: int | None, came: int) -> Change:
    """A card of a hand is exchanged with a card of another hand, or of the stock."""

    def change(state: Any) -> None:
        state.hand[seat] ^= 1 << card | 1 << came
        if other is None:
            state.pile[state.pile.tolist().index(came)] = card
        else:
            state.hand[other] ^= 1 << card | 1 << came

    return change


def with_gap(state: Any) -> None:
    state.pile[int(state.pile_left)] = GAP
    state.gaps += 1


def with_added(state: Any) -> None:
    state.pile[MAX_CARDS - 1] = state.pile[int(state.pile_left) - 1]
    state.added += 1


def table() -> Iterator[Row]:
    match = a_match()
    green, blue, yellow = (
        in_hand(match, seat, name) for seat, name in ((1, "car green 3"), (1, "car blue 4"), (2, "car yellow 2"))
    )
    stock, bottom = int(match.state.pile[0]), int(match.state.bottom)
    yield from ((field, match, flipped(field), ALL) for field in PUBLIC)
    yield from ((field, match, flipped(field, 1, bit=2), ALL) for field in OF_ALL)
    yield from ((field, match, flipped(field), set()) for field in (*STREAMS, "vague_verte"))
    yield from ((field, match, flipped(field, 1, bit=2), set()) for field in FOLLOWING)
    yield "a red light", match, flipped("targets", bit=1 << LIT + 3), ALL
    yield "a row has started, which follows from the road", match, flipped("targets", bit=1 << STARTED + 2), set()
    yield "which of the equal red lights", match, flipped("light", 5, bit=2), set()
    yield "a square of a road", match, flipped("road", 1, 0, bit=2), ALL
    yield "an empty square", match, flipped("road", 1, 1, bit=2), set()
    yield "which of the equal tows", match, flipped("road", 0, MAX_ROAD + 2, bit=2), set()
    yield "the face-up pile", match, flipped("faceup", bottom, bit=2), ALL
    yield "above the face-up pile", match, flipped("faceup", bottom + 1, bit=2), set()
    yield "cards of two hands", match, exchanged(1, green, 2, yellow), {1, 2}
    yield "a card of a hand", match, exchanged(1, green, None, stock), {1}
    copies = {card for card in range(MAX_CARDS) if int(match.setup.rules[0].same[green]) >> card & 1}
    (other,) = copies - {green}
    assert other in match.state.pile[: int(match.state.pile_left)]
    yield "an equal card of a hand", match, exchanged(1, green, None, other), set()
    yield "another card taken from the pile", match, flipped("shown", 1, bit=1 << blue | 1 << green), ALL
    more = int(match.state.shown[1]) | 1 << green
    yield "one more card taken from the pile", match, put("shown", 1, more), ALL
    drawn, taken = a_match(), a_match()
    do(drawn, "draw stock")
    do(taken, "draw face-up")
    yield "a card drawn from the stock", drawn, put("drawn", None, in_hand(drawn, 1, "car green 3")), {1}
    yield "a card drawn from the pile", taken, put("drawn", None, in_hand(taken, 1, "car blue 4")), ALL
    for forced, who in ((True, {0, 2}), (False, set())):
        played = a_match(forced_play=forced)
        yield f"what a hidden card is not, forced {forced}", played, flipped("not_in", green, bit=2), who
        yield f"what a known card is not, forced {forced}", played, flipped("not_in", blue, bit=2), set()
        yield f"what a card of the stock is not, forced {forced}", played, flipped("not_in", stock, bit=2), set()
    yield "when a hidden card was seen", match, flipped("last_seen", green, bit=2), {0, 2}
    yield "when a card of the stock was seen", match, flipped("last_seen", stock, bit=2), ALL
    top = int(match.state.faceup[bottom])
    yield "when a card of the pile was seen", match, flipped("last_seen", top, bit=2), set()
    yield "the order of the stock", match, exchanged_places("pile", 0, 1), set()
    yield "a gap in the stock", match, with_gap, set()
    yield "an added card in the stock", match, with_added, set()


def test_every_field_is_tested() -> None:
    assert {*PUBLIC, *OF_ALL, *FOLLOWING, *STREAMS, *OF_CARDS, "vague_verte"} == set(STATE.names or ())


def test_who_notices_a_change() -> None:
    assert wrongly_noticed(table()) == {}


def test_a_position_has_no_larger_hands_than_a_draw_makes() -> None:
    text = "game: vague-verte; players: 2; seat: 1; face-up: ducks; seat 1 hand: tow; seat 2 hand: "
    assert read_position(f"{text} 6 ?").places["seat 2 hand"] == ["?"] * 6
    with pytest.raises(PositionError, match="seat 2 hand: 7 hidden cards; a hand has at most 6"):
        read_position(f"{text} 5 ?, 2 ?")


def meant(match: Match, seat: int, *titles: str) -> set[int]:
    """The kinds of legal moves that the cards of some rows carry."""
    rows = [row for row in view_of(match.state, match.setup, seat) if row["title"] in titles]
    return legal(match) & {kind for row in rows for card in row["cards"] for kind in card.get("moves", ())}


def legal(match: Match) -> set[int]:
    return {match.seen(action, match.to_move())[1] for action in match.moves()}


def test_a_light_of_the_hand_takes_no_other_one() -> None:
    match = match_with([["green light", "car red 1"], []], ["green light"])
    assert meant(match, 0, "hand") == set()
    assert meant(match, 0, "face-up pile") == {DRAW_FACEUP}
    do(match, "draw face-up")
    assert meant(match, 0, "stock") == set()
    discards = {f"discard {name}" for name in ("car red 1", "green light")}
    named = {match.seen(action, 0)[1]: match.name(action) for action in match.moves()}
    assert {named[kind] for kind in meant(match, 0, "face-up pile")} == discards
    first, second = (
        card
        for row in view_of(match.state, match.setup, 0)
        if row["title"] == "hand"
        for card in row["cards"]
        if card["name"] == "green light"
    )
    assert first == second
    assert first["typed"] == "green light"


@pytest.mark.parametrize("players", [2, 4])
def test_every_move_can_be_clicked(players: int) -> None:
    """Draws on the piles; plays and discards on the hand, and also where the card goes."""
    match = Match(make_setup("vague-verte", players), 3)
    while (seat := match.to_move()) >= 0:
        kinds = legal(match)
        draws = kinds & {DRAW_STOCK, DRAW_FACEUP}
        discards = {kind for kind in kinds if kind // MAX_CARDS == FACEUP}
        assert meant(match, seat, "stock") == draws & {DRAW_STOCK}
        assert meant(match, seat, "face-up pile") == draws & {DRAW_FACEUP} | discards
        assert meant(match, seat, "hand") == kinds - draws
        assert meant(match, seat, "lights", "road") == kinds - draws - discards
        match.apply(match.random_move())
