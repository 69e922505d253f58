"""SEA CHANGE: which seats notice a change of each field of the state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from tests.support.seen import Row, flipped, put, wrongly_noticed

pytestmark = pytest.mark.compiled

ALL = {0, 1, 2}
PUBLIC = ("mover", "leader", "starter", "led", "trump", "value", "changes", "all_changes", "moves", "rounds", "ended",
          "tricks_left", "won", "pile_left")  # fmt: skip
OF_ALL = {"void": (2,), "vp": (2,), "points": (2,), "scores": (2,), "captured": (1, 0)}
HIDDEN = ("root", "deal", "chance", "choice", "turns", "pile")  # turns follow from rounds and tricks left


def after_some_moves(players: int = 3) -> Match:
    match = Match(make_setup("sea-change", players), 5)
    for _ in range(4):
        match.apply(match.random_move())
    return match


def swapped(state: Any) -> None:
    """Seats 1 and 2 exchange their lowest cards."""
    one, other = (int(state.hand[seat, 0]) & -int(state.hand[seat, 0]) for seat in (1, 2))
    for seat, gone, came in ((1, one, other), (2, other, one)):
        state.hand[seat, 0] = int(state.hand[seat, 0]) & ~gone | came


def table() -> Iterator[Row]:
    match = after_some_moves()
    yield from ((field, match, flipped(field), ALL) for field in PUBLIC)
    yield from ((field, match, flipped(field, *place), ALL) for field, place in OF_ALL.items())
    yield from ((field, match, flipped(field), set()) for field in HIDDEN)
    yield "cards of two hands", match, swapped, {1, 2}
    yield "cards of the trick", match, flipped("trick", 0), ALL
    two = after_some_moves(2)
    yield "what a hand cannot hold", two, put("barred", (1, 2), int(two.state.barred[1, 2]) + 1), {0, 1}


def test_who_notices_a_change() -> None:
    assert wrongly_noticed(table()) == {}
