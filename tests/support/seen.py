"""Which seats notice that a state was changed: what a seat sees, tested from outside the table that states it.

Each game has a table of changes: its rows name the change and say who notices it (tests/games/*/test_seen.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from houle.solver.matches.match import Match

Change = Callable[[Any], None]
Row = tuple[str, Match, Change, set[int]]  # what is changed, where, how, and who notices


def noticing(match: Match, change: Change) -> set[int]:
    """The seats that know something else after the state was changed."""
    other = match.copied()
    change(other.state)
    return {seat for seat in range(match.setup.players) if other.knows(seat) != match.knows(seat)}


def flipped(field: str, *place: int, bit: int = 1) -> Change:
    """A change: one bit of a number is another one; of several numbers the second, or that in a place."""

    def change(state: Any) -> None:
        if place or state[field].shape:
            state[field][place or 1] = int(state[field][place or 1]) ^ bit
        else:
            state[field] = int(state[field]) ^ bit

    return change


def put(field: str, place: Any, value: int) -> Change:
    """A change: a number in a place, or (None) the field itself, is this one."""

    def change(state: Any) -> None:
        if place is None:
            state[field] = value
        else:
            state[field][place] = value

    return change


def exchanged_places(field: str, first: Any, second: Any) -> Change:
    """A change: two numbers of a field change places."""

    def change(state: Any) -> None:
        state[field][first], state[field][second] = int(state[field][second]), int(state[field][first])

    return change


def wrongly_noticed(rows: Iterable[Row]) -> dict[str, tuple[set[int], set[int]]]:
    """The changes that others notice than the table says: who does, and who should."""
    found = {what: (noticing(match, change), who) for what, match, change, who in rows}
    return {what: both for what, both in found.items() if both[0] != both[1]}
