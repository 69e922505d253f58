"""What a move brought about, in the words of its game: draws, dice, tricks, turns that were missed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

from houle.solver.match import Match
from houle.solver.ruleset import Setup


def events(match: Match, before: Any, action: int) -> tuple[str, ...]:
    """What a move that was just made brought about, in the words of its game; `before`: the states before it."""
    tell = words(match.setup, "happened")

    def again(**rules: Any) -> Any:
        """The state after the same move from the same state, with some fields of the rules record changed."""
        other = copy(match)
        other.states = before.copy()
        other.setup = replace(match.setup)
        changed = match.setup.rules.copy()
        for field, value in rules.items():
            changed[0][field] = value
        vars(other.setup)["rules"] = changed  # in the place of what the knobs mean
        other.apply(action)
        return other.state

    return tuple(tell(before[0], match.state, match.setup, action, again)) if tell else ()


def words(setup: Setup, name: str) -> Callable[..., Any] | None:
    """A function of the game's text.py that a game need not have."""
    package = setup.game.package
    found: Callable[..., Any] | None = getattr(setup.game.file("text") or sys.modules[package], name, None)
    return found
