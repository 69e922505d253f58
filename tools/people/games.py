"""Recorded games of people: read and checked line by line, then replayed in compiled Hanabi.

A file has the format of examples/games/hanabi/people: one JSON object a line, also compressed (.gz). A person's
decisions come in the order of the games and moves, at most DECISIONS of them.
"""

from __future__ import annotations

import gzip
import importlib
import json
import sys
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import houle
from houle.solver.errors import InputError
from houle.solver.matches.match import Match
from houle.solver.matches.record.game import read_record

HANABI = Path(__file__).parents[2] / "examples" / "games" / "hanabi"
PARTNER, PERSON = 0, 1  # their seats
DECISIONS = 200  # per person, the first ones
KEPT_BACK = 3  # people whose number can be divided by this are kept for a later test
KINDS = {"game": str, "person": str, "nth": int, "partner": str, "deck": list, "moves": list, "score": int}


@dataclass(frozen=True)
class Decision:
    """One move of a person: the match before it, and the action."""

    person: str
    experience: str | None  # what the person answered; None without an answer
    nth: int  # the person's nth game
    match: Match
    action: int

    @property
    def is_kept_back(self) -> bool:
        return _is_kept_back(self.person)


def converter() -> Any:
    """The module that writes records of houle from lines of a file."""
    if str(HANABI / "hanabi") not in sys.path:
        sys.path.append(str(HANABI / "hanabi"))
    houle.look_in(HANABI)
    return importlib.import_module("people")


def read_games(path: Path) -> list[dict[str, Any]]:
    """The games of a file. Raises InputError, one line, for the first line that is not a game."""
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
            games = [_game(f"{path}: line {number}", line) for number, line in enumerate(lines, 1)]
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as fault:
        raise InputError(f"{path}: cannot be read: {str(fault).splitlines()[0]}") from None
    if not games:
        raise InputError(f"{path}: the file has no games; allowed: one JSON object a line")
    return games


def _game(place: str, line: str) -> dict[str, Any]:
    try:
        game = json.loads(line)
    except ValueError:
        raise InputError(f"{place}: this is no JSON object; allowed: one game a line") from None
    if not isinstance(game, dict):
        raise InputError(f"{place}: this is no JSON object; allowed: one game a line")
    for name, kind in KINDS.items():
        if not isinstance(game.get(name), kind) or isinstance(game[name], bool):
            wanted = {str: "a text", int: "a whole number", list: "a list"}[kind]
            raise InputError(f"{place}: {name}: {str(game.get(name))[:40]!r} is not allowed; allowed: {wanted}")
    try:
        int(game["person"], 16)
        for card in game["deck"]:
            assert len(card) == 2 and 0 <= int(card[0]) <= 4 and 1 <= int(card[1]) <= 5  # noqa: PT018
        for move in game["moves"]:
            seat, action, card, target, colour, number = move
            assert seat in (0, 1) and action in (0, 1, 2, 3)  # noqa: PT018
            assert [
                target in (0, 1) and colour in range(5),
                target in (0, 1) and number in range(1, 6),
                card in range(5),
                card in range(5),
            ][action]
    except (TypeError, ValueError, AssertionError):
        raise InputError(f"{place}: person, deck or moves are not written as people/README.md says") from None
    return game


def is_kept_back(game: dict[str, Any]) -> bool:
    return _is_kept_back(game["person"])


def _is_kept_back(person: str) -> bool:
    return int(person, 16) % KEPT_BACK == 0


def read_decisions(
    games: Iterable[dict[str, Any]], path: Path, progress: Callable[[int], None] | None = None
) -> tuple[list[Decision], int]:
    """The first decisions of each person, and the number of games that are against the rules and left out.

    Raises InputError for a game with an impossible move or another score.
    """
    people, decisions, left_out = converter(), list[Decision](), 0
    made: dict[str, int] = {}
    for number, game in enumerate(sorted(games, key=lambda game: (game["person"], game["nth"]))):
        person = game["person"]
        if progress is not None:
            progress(number)
        if made.get(person, 0) >= DECISIONS:
            continue
        if people.has_changed_places(game):
            left_out += 1
            continue
        try:
            played = read_record(people.record_of(game)).played()
        except InputError as fault:
            raise InputError(f"{path}: game {game['game']}: {fault}") from None
        score = played.match.result()["scores"][0]
        if score != game["score"]:
            raise InputError(f"{path}: game {game['game']}: the moves give {score} points, not {game['score']}")
        for match, action in zip(played.befores, played.actions, strict=True):
            if match.to_move() == PERSON and made.get(person, 0) < DECISIONS:
                made[person] = made.get(person, 0) + 1
                decisions.append(
                    Decision(
                        person=person, experience=game.get("experience"), nth=game["nth"], match=match, action=action
                    )
                )
    return decisions, left_out
