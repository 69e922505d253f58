"""The events of a move in the words of its game: draws, dice, tricks, missed turns."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

from houle.solver.language.seats import authored
from houle.solver.matches.match import Match


def events(match: Match, before: Any, action: int) -> tuple[str, ...]:
    """The events of the move that was just made, in words; `before` holds the states before it."""
    game = match.setup.game
    if (describe := game.words.happened) is None:
        return ()
    lines = describe(before[0], match.state, match.setup, action, replay(match, before, action))
    return tuple(authored(game, line) for line in lines)


def replay(match: Match, before: Any, action: int) -> Callable[..., Any]:
    """Makes the move again with other rules; `before` holds the states before it."""

    def again(**rules: Any) -> Any:
        """The state after the same move from the same state, with some fields of the rules record changed."""
        other = copy(match)
        other.states = before.copy()
        other.setup = replace(match.setup)
        changed = match.setup.rules.copy()
        for field, value in rules.items():
            changed[0][field] = value
        vars(other.setup)["rules"] = changed  # overrides the cached property
        other.apply(action)
        return other.state

    return again
