"""What a person in a game may see: the position, the possible moves, and what the others did, in words.

The position is drawn from a world (`Match.imagine`), so what the seat may not know cannot be drawn: it is not there.
Moves of others are shown as the seat saw them. Their effects are shown only as far as the game says that this seat sees
them (`visible_events` in its view.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from houle.analysis.advice.trace import events
from houle.analysis.play.sitting import Course, Made, choices
from houle.analysis.result import shown_side
from houle.solver.matches.match import Match
from houle.solver.matches.record.position import FILL, Position, move_name, write_position
from houle.solver.matches.views import Row, move_in_words, view_of
from houle.solver.rules import Setup


@dataclass(frozen=True)
class Choice:
    """A move that a person can make: its index among the possible moves, and its words."""

    place: int
    words: str  # as the seat sees it; seats count from 1
    name: str  # canonical, in a world of the seat: which cards it is about


@dataclass(frozen=True)
class Heard:
    """A move and its effects as a seat saw them."""

    number: int
    seat: int
    words: str
    events: tuple[str, ...]


@dataclass(frozen=True)
class SeatView:
    """What one seat sees when it has to move."""

    seat: int
    hand: str  # whose hand it plays, if not its own
    signals: bool  # whether it signals to another player
    rows: list[Row]
    choices: tuple[Choice, ...]
    news: tuple[Heard, ...]  # since its own last move, including that one


def seat_view(course: Course) -> SeatView:
    """What the person to move sees."""
    match, seat = course.match, course.to_move
    rows = view_of(match.imagine(seat, FILL).state, match.setup, seat)
    hand, signals = _hand(course.setup, match, seat), match.is_signal()
    return SeatView(seat, hand, signals, rows, possible_moves(match), news(course, seat))


def position_of(course: Course) -> Position:
    """The position of the player to move, for `advise`."""
    return write_position(course.match)


def possible_moves(match: Match) -> tuple[Choice, ...]:
    """The different moves of the player to move, as that seat sees them."""
    possible, seat = match.moves(), match.to_move()
    world = match.imagine(seat, FILL)
    return tuple(
        Choice(place, _words(match, possible[place], seat, done=False), world.name(possible[place]))
        for place in choices(match)
    )


def _hand(setup: Setup, match: Match, seat: int) -> str:
    acting = int(getattr(match.state, "acting", seat))
    if acting == seat:
        return ""
    call = getattr(setup.game.file("text"), "hand_name", None)
    return shown_side(call(setup, acting) if call else f"seat {acting}")


def _words(match: Match, action: int, seat: int, done: bool) -> str:
    """A move as a seat sees it, for people, with seats counted from 1."""
    return shown_side(move_in_words(match.setup, move_name(match, action, seat, done)))


def news(course: Course, seat: int) -> tuple[Heard, ...]:
    """What happened since the seat's last move, including that one."""
    last = max((made.number for made in course.made if made.seat == seat), default=0)
    return tuple(heard(course, made, seat) for made in course.made[max(last - 1, 0) :])


def heard(course: Course, made: Made, seat: int, with_events: bool = True) -> Heard:
    """One move as a seat saw it."""
    words = _words(course.match_before(made), made.action, seat, done=True)
    effects = _events(course, made, seat) if with_events else ()
    return Heard(made.number, made.seat, words, tuple(shown_side(line) for line in effects))


def _events(course: Course, made: Made, seat: int) -> tuple[str, ...]:
    setup = course.setup
    visible: Callable[..., Any] | None = getattr(setup.game.file("view"), "visible_events", None)
    if visible is None:
        return ()
    match = course.match_before(made)
    match.states = made.after.copy()
    lines = events(match, made.before, made.action)
    return tuple(visible(made.before[0], made.after[0], setup, made.action, seat, lines))
