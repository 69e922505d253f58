"""Broken invariants: where they were seen and what differs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from houle.solver.matches.match import Match
from houle.solver.rules import Setup


class InvariantBroken(AssertionError):  # noqa: N818
    """A game breaks an invariant. The message has setup, seed, game and ply, so `houle trace` can show the rest."""


def demand(holds: bool, match: Match, what: str) -> None:
    """Raises InvariantBroken with the place in the match, unless the invariant holds."""
    if not holds:
        raise InvariantBroken(f"{place(match)}: {what}")


def place(match: Match) -> str:
    return f"{name(match.setup)}, seed {match.seed}, game {match.game}, ply {match.ply}"


def name(setup: Setup) -> str:
    """A setup in a few words: the game, the players, the variants and every knob the user set."""
    knobs = [f"{knob}={setup.options[knob]}" for knob in setup.changed]
    return " ".join([setup.ruleset.name, f"p{setup.players}", *setup.variants, *knobs])


def difference(one: Any, other: Any, path: str = "") -> str:
    """The first difference between two pieces of plain data; empty if they are equal."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in [*one, *(key for key in other if key not in one)]:
            if key not in one or key not in other:
                return f"{path}{key} is in one of them only"
            if one[key] != other[key]:
                return difference(one[key], other[key], f"{path}{key} ")
    return f"{path}is {one!r} and {other!r}" if one != other else ""
