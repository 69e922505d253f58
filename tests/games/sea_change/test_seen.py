"""SEA CHANGE: which seats notice a change of each field of the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from tests.support.seen import noticing

pytestmark = pytest.mark.compiled

PUBLIC = ("mover", "leader", "starter", "led", "trump", "value", "changes", "all_changes", "moves", "rounds", "ended",
          "tricks_left", "won", "pile_left")  # fmt: skip
OF_ALL = ("void", "vp", "points", "scores", "captured")
HIDDEN = ("root", "deal", "chance", "choice", "turns", "pile")  # turns follow from rounds and tricks left


def after_some_moves(players: int = 3) -> Match:
    match = Match(make_setup("sea-change", players), 5)
    for _ in range(4):
        match.apply(match.random_move())
    return match


@pytest.mark.parametrize("field", PUBLIC)
def test_everyone_sees_public_numbers(field: str) -> None:
    def change(state: Any) -> None:
        state[field] ^= 1

    assert noticing(after_some_moves(), change) == {0, 1, 2}


@pytest.mark.parametrize("field", OF_ALL)
def test_everyone_sees_what_lies_before_players(field: str) -> None:
    def change(state: Any) -> None:
        state[field].flat[2] ^= 1

    assert noticing(after_some_moves(), change) == {0, 1, 2}


@pytest.mark.parametrize("field", HIDDEN)
def test_nobody_sees_streams_and_the_pile(field: str) -> None:
    def change(state: Any) -> None:
        if state[field].shape:
            state[field][0] ^= 1
        else:
            state[field] ^= 1

    assert noticing(after_some_moves(), change) == set()


def swapped(first: int, second: int) -> Callable[[Any], None]:
    """A change: two seats exchange their lowest cards."""

    def change(state: Any) -> None:
        one, other = (int(state.hand[seat, 0]) & -int(state.hand[seat, 0]) for seat in (first, second))
        for seat, gone, came in ((first, one, other), (second, other, one)):
            state.hand[seat, 0] = int(state.hand[seat, 0]) & ~gone | came

    return change


def test_only_owners_see_their_hands() -> None:
    assert noticing(after_some_moves(), swapped(1, 2)) == {1, 2}


def test_cards_of_the_trick_are_seen() -> None:
    def change(state: Any) -> None:
        state.trick[0] ^= 1

    assert noticing(after_some_moves(), change) == {0, 1, 2}


def test_two_players_see_what_a_hand_cannot_hold() -> None:
    def change(state: Any) -> None:
        state.barred[1, 2] += 1

    assert noticing(after_some_moves(2), change) == {0, 1}
