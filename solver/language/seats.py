"""Sentences about seats: counted from 1, with the names of players, in the second person.

Games with kernels and records of their own count seats from 0 in all words. The words of a class and of a declared game
stay as their author wrote them: they are `Authored`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from houle.solver.rules import Setup

SUBJECT = "\0"  # marks a `you` that does something, until its second verb is found
_SECOND_VERB = re.compile(rf"(you{SUBJECT} [^;:.()]*? and )([a-z]+s)(?= (?:an?|the)\b| [a-z]+ed\b)")
VERBS = {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go"}  # after `you`


class Authored(str):
    """Words of the author of a class or of a declared game; seats in them are neither counted anew nor named."""

    __slots__ = ()


def authored(game: Any, words: object) -> str:
    """Words that a game gave, marked if they stay as they are."""
    return Authored(words) if game.class_view is not None or game.declared is not None else str(words)


def from_1(words: str) -> str:
    """Counts seats, teams and players from 1: `seat 0` becomes `seat 1`."""
    if isinstance(words, Authored):
        return words
    return re.sub(r"\b(seat|team|player) (\d+)\b", lambda match: f"{match[1]} {int(match[2]) + 1}", words)


def from_0(words: str) -> str:
    """Counts seats, teams and players from 0: `seat 1` becomes `seat 0`."""
    if isinstance(words, Authored):
        return words
    return re.sub(r"\b(seat|team|player) (\d{1,9})\b", lambda match: f"{match[1]} {int(match[2]) - 1}", words)


def seat_names(setup: Setup, viewer: int | None = None, given: Sequence[str] = ()) -> list[str]:
    """What every seat is called: `you`, a name that was given, or the game's word for a player and its number."""
    names = [
        given[seat] if seat < len(given) and given[seat] else f"{setup.ruleset.player} {seat + 1}"
        for seat in range(setup.players)
    ]
    return ["you" if seat == viewer else name for seat, name in enumerate(names)]


def with_names(words: str, names: Sequence[str]) -> str:
    """Words about seats, counted from 1, with names: `seat 1 is stuck` becomes `you are stuck`."""
    if isinstance(words, Authored):
        return words

    def named(match: re.Match[str]) -> str:
        name, verb = names[int(match[1]) - 1] if 1 <= int(match[1]) <= len(names) else f"seat {match[1]}", match[3]
        if name == "you" and match[2]:
            return f"your{match[2][2:]}" + (f" {verb}" if verb else "")
        if name == "you" and verb:
            return f"you{SUBJECT} {second_person(verb)}"
        return f"{name}{match[2] or ''}" + (f" {verb}" if verb else "")

    words = re.sub(r"\bseat (\d+)('s)?(?: ((?:now )?[a-z]+)\b)?", named, words)
    words = _SECOND_VERB.sub(lambda match: match[1] + second_person(match[2]), words).replace(SUBJECT, "")
    return re.sub(r"\b(?:the )?(hand|road|places|dice) of you\b", r"your \1", words)


def to_player(setup: Setup, words: str, viewer: int, names: Sequence[str]) -> str:
    """Words of a game (seats count from 0) as a player hears them, with names and `your team`."""
    if isinstance(words, Authored):
        return words
    words = from_1(words)
    for name, seats in setup.game.side_names(setup):
        if len(seats) > 1 and viewer in seats and name.startswith("team "):
            words = re.sub(rf"\b{from_1(name)}\b", "your team", words)
        elif name == "player":  # the only one
            words = re.sub(r"\bplayer\b", f"seat {seats[0] + 1}", words)
    for old, new in setup.game.table.CALLED.items():
        words = re.sub(rf"\b{old}\b", new, words)
    return with_names(words, names)


def third_person(move: str) -> str:
    """A move as what somebody else does: `play 3` -> `plays 3`, `do not lend it` -> `does not lend it`."""
    verb, space, rest = move.partition(" ")
    by_you = {after_you: verb for verb, after_you in VERBS.items()}
    if verb not in by_you:
        ending = "ies" if re.search(r"[^aeiou]y$", verb) else "es" if re.search(r"(s|x|ch|sh|o)$", verb) else "s"
        verb = (verb[:-1] if ending == "ies" else verb) + ending
    return f"{by_you.get(verb, verb)}{space}{rest}"


def second_person(verb: str) -> str:
    """`draws` -> `draw`, `reaches` -> `reach`, `now has` -> `now have`; other words stay."""
    if verb.startswith("now "):
        return f"now {second_person(verb[4:])}"
    if verb in VERBS:
        return VERBS[verb]
    if re.search(r"(ss|ch|sh|x)es$", verb):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith(("ss", "us")) else verb
