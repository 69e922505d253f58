"""Which seats notice that a state was changed: what a seat sees, tested from outside the table that states it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from houle.solver.matches.match import Match


def noticing(match: Match, change: Callable[[Any], None]) -> set[int]:
    """The seats that know something else after the state was changed."""
    other = match.copied()
    change(other.state)
    return {seat for seat in range(match.setup.players) if other.knows(seat) != match.knows(seat)}
