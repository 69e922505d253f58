"""Start a game with people: from a new deal, a link or a record."""

from __future__ import annotations

from collections.abc import Iterable

from houle.analysis.play.link import read_link
from houle.analysis.play.table_game import Course, Sitting, from_record, people_and, sit_down
from houle.analysis.players.line_ups import names_of
from houle.solver.errors import InputError
from houle.solver.matches.record.game import read_record
from houle.solver.rules import Setup
from houle.solver.texts import typed_number


def seats_of_people(typed: str, players: int) -> list[int]:
    """The seats named by `1,3` or `all`, counted from 0."""
    words = [word.strip() for word in typed.split(",") if word.strip()]
    if words == ["all"]:
        return list(range(players))
    numbers = [typed_number(word) for word in words]
    seats = [number - 1 for number in numbers if number is not None and 1 <= number <= players]
    if not words or len(seats) < len(words):
        raise InputError(f"--seats: {typed!r} is not allowed; allowed: seats from 1 to {players}, as 1,2, or all")
    return seats


def new(setup: Setup, people: str, others: Iterable[str], seed: int, game: int) -> Sitting:
    """A game on a new deal."""
    where = seats_of_people(people, setup.players)
    return sit_down(setup, people_and(setup, where, names_of(tuple(others))), seed, game)


def of_link(link: str) -> Sitting:
    """The game of a link, at the next decision of a person."""
    return Course(read_link(link)).go_on().sitting


def of_record(text: str, people: str, others: Iterable[str], setup: Setup | None = None) -> Sitting:
    """The game of a record; a record does not say who sits where."""
    own = read_record(text, setup).setup
    seats = people_and(own, seats_of_people(people, own.players), names_of(tuple(others)))
    return from_record(text, seats, setup)
