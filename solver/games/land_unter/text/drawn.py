"""LAND UNTER: which water cards were turned up in a move, by all names they go by."""

from __future__ import annotations

from houle.solver.ruleset import Setup
from houle.solver.types import State


def drawn(before: State, after: State, setup: Setup) -> list[tuple[str, ...]]:
    """The two water cards of the next trick, once a trick is over."""
    if int(after.tricks) == int(before.tricks) or int(after.mover) < 0:
        return []
    return [(str(int(value)), f"water {int(value)}") for value in after.water]
