"""A law that does not hold: where it was seen and what differs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from houle.solver.match import Match
from houle.solver.ruleset import Setup


class InvariantBroken(AssertionError):  # noqa: N818
    """A game breaks a law. The text names the table, the seed, the game and the ply: `houle trace` shows the rest."""


def demand(holds: bool, match: Match, what: str) -> None:
    """Raises InvariantBroken, with the place of the table, unless the law holds there."""
    if not holds:
        raise InvariantBroken(f"{place(match)}: {what}")


def place(match: Match) -> str:
    return f"{name(match.setup)}, seed {match.seed}, game {match.game}, ply {match.ply}"


def name(setup: Setup) -> str:
    """A table in a few words: the game, the players, the variants and every knob the user set."""
    knobs = [f"{knob}={setup.options[knob]}" for knob in setup.changed]
    return " ".join([setup.ruleset.name, f"p{setup.players}", *setup.variants, *knobs])


def difference(one: Any, other: Any, path: str = "") -> str:
    """The first thing in which two pieces of plain data differ."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in [*one, *(key for key in other if key not in one)]:
            if key not in one or key not in other:
                return f"{path}{key} is there once only"
            if one[key] != other[key]:
                return difference(one[key], other[key], f"{path}{key} ")
    return f"{path}is {one!r} and {other!r}" if one != other else ""
