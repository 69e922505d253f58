"""LAND UNTER: which seats notice a change of each field of the state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from houle.solver.games.land_unter.rules import STATE
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from tests.support.seen import Change, Row, flipped, put, wrongly_noticed

pytestmark = pytest.mark.compiled

ALL = {0, 1, 2, 3}
PUBLIC = (
    "taking",
    "trick",
    "rounds",
    "eliminations",
    "tricks",
    "moves",
    "out",
    "pile_left",
    "gaps",
    "added",
    "level",
    "belts",
    "points",
    "seen",
    "water",
    "pile",
)
OPEN = ("mover", "waiting", "leader")  # in secret play nobody sees these
HIDDEN = ("root", "deal", "chance", "choice", "stack", "stacked")
OF_CARDS = ("hand", "pack", "committed")


def a_match(cards: int = 1, **settings: Any) -> Match:
    """The first trick after some cards of it were chosen."""
    match = Match(make_setup("land-unter", 4, (), settings), 5)
    for _ in range(cards):
        match.apply(match.moves()[0])
    return match


def in_round(number: int, **settings: Any) -> Match:
    """A match in a later round, in which nobody has seen a card of a pack before."""
    match = a_match(0, **settings)
    match.state.rounds = number - 1
    return match


def first_of(state: Any) -> int:
    """The seat that has chosen a card."""
    return next(seat for seat in range(4) if state.committed[seat])


def chosen_otherwise(state: Any) -> None:
    """The first player takes the card back and chooses the highest one."""
    seat = first_of(state)
    back, card = int(state.committed[seat]), int(state.hand[seat]).bit_length()
    state.hand[seat] = int(state.hand[seat]) & ~(1 << card - 1) | 1 << back - 1
    state.committed[seat] = card


def not_chosen(state: Any) -> None:
    """The first player takes the card back."""
    seat = first_of(state)
    state.hand[seat] |= 1 << int(state.committed[seat]) - 1
    state.committed[seat], state.mover, state.waiting = 0, seat, int(state.waiting) | 1 << seat


def played_before(state: Any) -> None:
    state.hand[1] = int(state.hand[1]) & int(state.hand[1]) - 1


def drawn_water(state: Any) -> None:
    state.pile[int(state.pile_left)] ^= 1


def exchanged(with_lifebelt: bool = False) -> Change:
    """A change: seat 1 gives seat 2 a card without lifebelts and gets such a card, or one with a lifebelt."""
    without = [*range(12), *range(48, 60)]

    def change(state: Any) -> None:
        given = next(card for card in without if int(state.pack[1]) >> card & 1)
        got = next(card for card in (range(24, 36) if with_lifebelt else without) if int(state.pack[2]) >> card & 1)
        for seat, gone, came in ((1, given, got), (2, got, given)):
            for cards in (state.hand, state.pack):
                if int(cards[seat]):
                    cards[seat] = int(cards[seat]) & ~(1 << gone) | 1 << came

    return change


def table() -> Iterator[Row]:
    secret, open_play = a_match(), a_match(play="open")
    for field in PUBLIC:
        yield field, secret, flipped(field), ALL
        yield f"{field}, open play", open_play, flipped(field), ALL
    for field in HIDDEN:
        yield field, secret, flipped(field), set()
    yield "water cards that were drawn have left the pile", secret, drawn_water, set()
    for field in OPEN:
        yield field, secret, flipped(field), set()
        yield f"{field}, open play", open_play, flipped(field), ALL
    taking = a_match(4, winner_takes="choice")
    assert taking.state.taking
    yield "who takes water", taking, flipped("mover"), ALL
    yield "cards of the trick while water is taken", taking, flipped("committed"), ALL
    yield "the end", secret, put("mover", None, -1), ALL
    # A card that was chosen in secret stays in the hand for everybody, its owner included.
    yield "another chosen card", secret, chosen_otherwise, set()
    yield "another chosen card, open play", open_play, chosen_otherwise, ALL
    yield "a card not chosen yet", secret, not_chosen, set()
    yield "a card not chosen yet, open play", open_play, not_chosen, ALL
    yield "cards played before", secret, played_before, ALL
    yield "a pack, by its owner", in_round(1), exchanged(), {1, 2}
    yield "a pack, by its owner, open play", in_round(1, play="open"), exchanged(), {1, 2}
    yield "a pack, by who held it a round ago", in_round(2), exchanged(), {0, 1, 2}
    yield "a pack, by who held it two rounds ago", in_round(3), exchanged(), ALL
    yield "a pack of before, memory of a round", in_round(2, memory="round"), exchanged(), {1, 2}
    yield "lifebelts of packs", in_round(1), exchanged(with_lifebelt=True), ALL
    out = in_round(1)
    out.state.out, out.state.hand[1] = 1 << 1, 0
    yield "the pack of a player who is out", out, exchanged(), {1, 2}


def test_every_field_is_tested() -> None:
    assert {*PUBLIC, *OPEN, *HIDDEN, *OF_CARDS, "land_unter"} == set(STATE.names or ())


def test_who_notices_a_change() -> None:
    assert wrongly_noticed(table()) == {}
