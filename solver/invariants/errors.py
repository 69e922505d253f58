"""Broken invariants: where they were seen and what differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from houle.solver.invariants.compile_errors import cut_error
from houle.solver.matches.match import Match
from houle.solver.rules.game_folders import fault_line


class InvariantBroken(AssertionError):  # noqa: N818
    """A game breaks an invariant. The message has setup, seed, game and ply, so `houle trace` can show the rest."""


class UnderWay:
    """The match that an invariant is playing, and the move that is being made: where an error happened."""

    match: Match | None = None
    move = ""


def begin(match: Match, action: int | None = None) -> None:
    """Notes where play is, for the words of an error."""
    UnderWay.match = match
    UnderWay.move = "" if action is None else f", seat {match.to_move()} moves {match.name(action)!r}"


def words_of_error(fault: BaseException, folder: Path) -> str:
    """An error of the game in one line: the place in the match, the line of the game's file, what is wrong."""
    line = (cut_error(str(fault), folder) or fault_line(fault, folder)).replace(f"{folder}/", "")
    match = UnderWay.match
    return f"{place(match)}{UnderWay.move}: {line}" if match is not None else line


def demand(holds: bool, match: Match, what: str) -> None:
    """Raises InvariantBroken with the place in the match, unless the invariant holds."""
    if not holds:
        raise InvariantBroken(f"{place(match)}: {what}")


def place(match: Match) -> str:
    return f"{match.setup.summary}, seed {match.seed}, game {match.game}, ply {match.ply}"


def difference(one: Any, other: Any, path: str = "") -> str:
    """The first difference between two pieces of plain data; empty if they are equal."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in [*one, *(key for key in other if key not in one)]:
            if key not in one or key not in other:
                return f"{path}{key} is in one of them only"
            if one[key] != other[key]:
                return difference(one[key], other[key], f"{path}{key} ")
    return f"{path}is {one!r} and {other!r}" if one != other else ""


PASSED, FAILED, LEFT_OUT = "passed", "FAILED", "left out"


@dataclass(frozen=True)
class Check:
    """The result of one check on all setups."""

    name: str
    verdict: str
    number: int  # of things checked
    words: str  # what failed and where, or why it was left out
    crash: str = ""  # an error of the game's code, without where it was in play
