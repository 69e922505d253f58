"""What a person at a table may see: the position, the possible moves, and what the others did, in words.

The position is drawn in a world that the seat cannot tell from the real one (`Table.imagine`): what the seat may not
know cannot be drawn, because it is not there. Moves of others have the words of what the seat saw of them; what came of
a move is told as far as the game says that this seat sees it (`told` in its view.py), and not at all where it does not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from houle.analysis.advice.trace import events
from houle.analysis.play.sitting import Course, Made, choices
from houle.analysis.result import shown_side
from houle.solver import defaults
from houle.solver.errors import InputError
from houle.solver.match import Match
from houle.solver.record.position import FILL, Position, move_name, words_of, write_position
from houle.solver.ruleset import Setup
from houle.solver.views import Row, view_of

SOMETHING = "moves, unseen"  # what is told of a move that a game has no words for


@dataclass(frozen=True)
class Choice:
    """A move that a person can make: its place among the possible ones, and its words."""

    place: int
    words: str  # as the seat sees it; seats count from 1
    name: str  # canonical, in a world that the seat imagines: which cards it is about


@dataclass(frozen=True)
class Heard:
    """A move as a seat saw it, and what came of it as far as the seat sees that."""

    number: int
    seat: int
    words: str
    events: tuple[str, ...]


@dataclass(frozen=True)
class SeatView:
    """What one seat sees when it has to move."""

    seat: int
    hand: str  # with whose hand it plays, where that is another than its own
    rows: list[Row]
    choices: tuple[Choice, ...]
    news: tuple[Heard, ...]  # since its own last move, that one included


def seat_view(course: Course) -> SeatView:
    """What the person sees who has to move."""
    table, seat = course.table, course.to_move
    rows = view_of(table.imagine(seat, FILL).state, table.setup, seat)
    return SeatView(seat, _hand(course.setup, table, seat), rows, possible_moves(table), news(course, seat))


def position_of(course: Course) -> Position:
    """The position for who has to move, as `advise` takes it."""
    return write_position(course.table)


def possible_moves(match: Match) -> tuple[Choice, ...]:
    """The moves that differ to who has to move, as that seat sees them."""
    possible, seat = match.moves(), match.to_move()
    world = match.imagine(seat, FILL)
    return tuple(
        Choice(place, shown_side(_name(match, possible[place], seat, done=False)), world.name(possible[place]))
        for place in choices(match)
    )


def _hand(setup: Setup, match: Match, seat: int) -> str:
    acting = int(getattr(match.state, "acting", seat))
    if acting == seat:
        return ""
    call = getattr(setup.game.file("text"), "hand_name", None)
    return shown_side(call(setup, acting) if call else f"seat {acting}")


def _name(match: Match, action: int, seat: int, done: bool) -> str:
    """A move as a seat sees it; a game from outside says by `observed` whether everybody sees everything."""
    try:
        words_of(match.setup)
    except InputError:
        open_to_all = match.setup.game.functions["observed"] is defaults.observed
        return match.name(action) if open_to_all or match.to_move() == seat else SOMETHING
    return move_name(match, action, seat, done)


def news(course: Course, seat: int) -> tuple[Heard, ...]:
    """What happened since the seat's last move, that one included."""
    last = max((made.number for made in course.made if made.seat == seat), default=0)
    return tuple(heard(course, made, seat) for made in course.made[max(last - 1, 0) :])


def heard(course: Course, made: Made, seat: int, with_events: bool = True) -> Heard:
    """One move as a seat saw it."""
    table = course.table_before(made)
    words = shown_side(_name(table, made.action, seat, done=True))
    told = _events(course, made, seat) if with_events else ()
    return Heard(made.number, made.seat, words, tuple(shown_side(line) for line in told))


def _events(course: Course, made: Made, seat: int) -> tuple[str, ...]:
    setup = course.setup
    tell: Callable[..., Any] | None = getattr(setup.game.file("view"), "told", None)
    if tell is None:
        return ()
    table = course.table_before(made)
    table.states = made.after.copy()
    lines = events(table, made.before, made.action)
    return tuple(tell(made.before[0], made.after[0], setup, made.action, seat, lines))
