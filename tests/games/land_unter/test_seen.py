"""LAND UNTER: which seats notice a change of each field of the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from houle.solver.games.land_unter.rules import STATE
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from tests.support.seen import noticing

pytestmark = pytest.mark.compiled

ALL = {0, 1, 2, 3}
PUBLIC = ("taking", "trick", "rounds", "eliminations", "tricks", "moves", "out", "pile_left", "gaps", "added")
OF_ALL = ("level", "belts", "points", "seen", "water", "pile")
OPEN = ("mover", "waiting", "leader")  # in secret play nobody sees these
HIDDEN = ("root", "deal", "chance", "choice", "stack", "stacked")
OF_CARDS = ("hand", "pack", "committed")


def a_match(cards: int = 1, **settings: Any) -> Match:
    """The first trick after some cards of it were chosen."""
    match = Match(make_setup("land-unter", 4, (), settings), 5)
    for _ in range(cards):
        match.apply(match.moves()[0])
    return match


def flipped(field: str) -> Callable[[Any], None]:
    """A change: another number, or another second number of several."""

    def change(state: Any) -> None:
        if state[field].shape:
            state[field][1] ^= 1
        else:
            state[field] ^= 1

    return change


def test_every_field_is_tested() -> None:
    assert {*PUBLIC, *OF_ALL, *OPEN, *HIDDEN, *OF_CARDS, "land_unter"} == set(STATE.names or ())


@pytest.mark.parametrize("play", ["secret", "open"])
@pytest.mark.parametrize("field", [*PUBLIC, *OF_ALL])
def test_everyone_sees_public_numbers(field: str, play: str) -> None:
    assert noticing(a_match(play=play), flipped(field)) == ALL


@pytest.mark.parametrize("field", HIDDEN)
def test_nobody_sees_streams(field: str) -> None:
    assert noticing(a_match(), flipped(field)) == set()


def test_drawn_water_cards_have_left_the_pile() -> None:
    def change(state: Any) -> None:
        state.pile[int(state.pile_left)] ^= 1

    assert noticing(a_match(), change) == set()


@pytest.mark.parametrize("field", OPEN)
def test_turns_are_seen_only_in_open_play(field: str) -> None:
    assert noticing(a_match(play="open"), flipped(field)) == ALL
    assert noticing(a_match(), flipped(field)) == set()


def test_everyone_sees_who_takes_water() -> None:
    match = a_match(4, winner_takes="choice")
    assert match.state.taking
    assert noticing(match, flipped("mover")) == noticing(match, flipped("committed")) == ALL


def test_everyone_sees_the_end() -> None:
    def change(state: Any) -> None:
        state.mover = -1

    assert noticing(a_match(), change) == ALL


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


def first_of(state: Any) -> int:
    """The seat that has chosen a card."""
    return next(seat for seat in range(4) if state.committed[seat])


@pytest.mark.parametrize("change", [chosen_otherwise, not_chosen])
def test_chosen_cards_are_seen_only_in_open_play(change: Callable[[Any], None]) -> None:
    """A card that was chosen in secret stays in the hand for everybody, its owner included."""
    assert noticing(a_match(play="open"), change) == ALL
    assert noticing(a_match(), change) == set()


def test_everyone_sees_cards_played_before() -> None:
    def change(state: Any) -> None:
        state.hand[1] = int(state.hand[1]) & int(state.hand[1]) - 1

    assert noticing(a_match(), change) == ALL


def exchanged(with_lifebelt: bool = False) -> Callable[[Any], None]:
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


def in_round(number: int, **settings: Any) -> Match:
    """A match in a later round, in which nobody has seen a card of a pack before."""
    match = a_match(0, **settings)
    match.state.rounds = number - 1
    return match


@pytest.mark.parametrize("play", ["secret", "open"])
def test_players_see_their_own_packs(play: str) -> None:
    assert noticing(in_round(1, play=play), exchanged()) == {1, 2}


def test_players_remember_the_packs_they_held() -> None:
    assert noticing(in_round(2), exchanged()) == {0, 1, 2}
    assert noticing(in_round(3), exchanged()) == ALL
    assert noticing(in_round(2, memory="round"), exchanged()) == {1, 2}


def test_everyone_sees_the_lifebelts_of_packs() -> None:
    assert noticing(in_round(1), exchanged(with_lifebelt=True)) == ALL


def test_packs_of_players_who_are_out_stay_hidden() -> None:
    match = in_round(1)
    match.state.out, match.state.hand[1] = 1 << 1, 0
    assert noticing(match, exchanged()) == {1, 2}
