"""A table at which people sit: which game, which deal, who sits where, and all moves so far.

Nothing else is remembered: whatever is shown is worked out from these by playing the moves again. So undo is a shorter
list of moves, "what if" is another end of it, and whoever has the list has the game. Players that are no people decide
with the luck that the deal has for them at that move, as in the simulated game: the same moves bring the same replies.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from houle.analysis.advice.playouts import distinct_moves
from houle.analysis.limits import MOST_SEED, check_int
from houle.analysis.sampling.lineups import usual_strategy
from houle.analysis.sampling.players import read_strategy
from houle.solver.errors import InputError
from houle.solver.match import Match
from houle.solver.record.game import Record, read_record
from houle.solver.record.position import MOST_GAME
from houle.solver.ruleset import Setup
from houle.solver.strategies.player import LineUp, seat_strategies

PERSON = "person"
MOST_MOVES = 20_000


@dataclass(frozen=True)
class Made:
    """A move that was made: who decided, with whose hand, and the states before and after it."""

    number: int  # from 1
    seat: int
    acting: int
    action: int
    before: Any
    after: Any


@dataclass(frozen=True)
class Sitting:
    """Who sits at which table, and the moves so far, each by its place among those that were possible."""

    setup: Setup
    seed: int
    game: int
    seats: tuple[str, ...]  # PERSON, or who decides
    moves: tuple[int, ...] = ()

    @property
    def people(self) -> tuple[int, ...]:
        return tuple(seat for seat, who in enumerate(self.seats) if who == PERSON)

    def until(self, moves: int) -> Sitting:
        """The same table after so many of its moves."""
        return replace(self, moves=self.moves[:moves])

    def as_dealt(self) -> Sitting:
        """The same deal, before the first move of a person."""
        return go_on(self.until(0))


class Course:
    """A sitting played up to where it stands: the table now, and every move with the states around it."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting, self.setup = sitting, sitting.setup
        self.table = Match(sitting.setup, sitting.seed, sitting.game)
        self.made: list[Made] = []
        for place in sitting.moves:
            possible = self.table.moves()
            if not 0 <= place < len(possible):
                raise InputError(f"move {len(self.made) + 1}: there is no such move here")
            self._make(possible[place])

    def _make(self, action: int) -> None:
        table, number = self.table, len(self.made) + 1
        seat, before = table.to_move(), self.made[-1].after if self.made else table.states.copy()
        acting = int(getattr(table.state, "acting", seat))
        table.apply(action)
        self.made.append(Made(number, seat, acting, action, before, table.states.copy()))

    @property
    def to_move(self) -> int:
        """The seat of the person who has to move; -1 when the game is over."""
        return self.table.to_move()

    @property
    def over(self) -> bool:
        return self.table.to_move() < 0

    def table_before(self, made: Made) -> Match:
        """The table as it was before a move."""
        table = copy(self.table)
        table.states, table.ply = made.before.copy(), made.number - 1
        return table

    def own_decisions(self) -> list[int]:
        """Numbers of moves after which a person had to decide: where undo and "what if" lead."""
        return [made.number - 1 for made in self.made if self.sitting.seats[made.seat] == PERSON]

    def undone(self) -> Sitting | None:
        """The table before the last move of a person, or None where none was made."""
        before = self.own_decisions()
        return self.sitting.until(before[-1]) if before else None

    def record(self) -> Record:
        """The game so far by the names of its moves; its deal is in the seed, no card is written."""
        moves = []
        for made in self.made:
            table = self.table_before(made)
            moves.append((made.seat, table.name(made.action)))
        strategies = dict.fromkeys(who for who in self.sitting.seats if who != PERSON)
        return Record(
            self.setup, self.sitting.seed, self.sitting.game, tuple(strategies), tuple(moves), broken_off=not self.over
        )


def sit_down(setup: Setup, seats: Iterable[str], seed: int, game: int = 0) -> Sitting:
    """A new table: one word a seat, `person` or a strategy; players move until a person has to decide."""
    check_int("seed", seed, 0, MOST_SEED)
    check_int("game", game, 0, MOST_GAME)
    return go_on(Sitting(setup, seed, game, checked_seats(setup, seats)))


def checked_seats(setup: Setup, seats: Iterable[str]) -> tuple[str, ...]:
    """Who sits where, in full, or a RulesetError of one line."""
    found = tuple(who if who == PERSON else read_strategy(who, setup).text for who in seats)
    if len(found) != setup.players:
        raise InputError(f"seats: {len(found)} are given; this table has {setup.players}")
    if PERSON not in found:
        raise InputError("seats: nobody is a person; `houle trace` shows games that players play alone")
    if any(who.startswith("clairvoyant") for who in found):
        raise InputError("seats: clairvoyant finds whole games with all cards known, it cannot sit at a table")
    _line_up(setup, found)
    return found


def people_and(setup: Setup, people: Iterable[int], others: Iterable[str]) -> tuple[str, ...]:
    """People in some seats; the rest are `others`, one for all of them or one each, or the usual player."""
    where, named = set(people), list(others) or [usual_strategy(setup)]
    free = [seat for seat in range(setup.players) if seat not in where]
    if len(named) not in (1, len(free)):
        raise InputError(f"-s: {len(named)} players for {len(free)} seats; give one for all, or one each")
    rest = iter(named * len(free) if len(named) == 1 else named)
    return checked_seats(setup, [PERSON if seat in where else next(rest) for seat in range(setup.players)])


def _line_up(setup: Setup, seats: tuple[str, ...]) -> LineUp:
    """The players; a person's seat has somebody who is never asked."""
    usual = usual_strategy(setup)
    return seat_strategies(setup, tuple(usual if who == PERSON else who for who in seats))


def choose(sitting: Sitting, place: int) -> Sitting:
    """A person's move, by its place among the possible ones; the other players reply."""
    course = Course(sitting)
    if course.over:
        raise InputError("the game is over")
    possible = course.table.moves()
    if not 0 <= place < len(possible):
        raise InputError("there is no such move here")
    course.table.apply(possible[place])
    return _reply(replace(sitting, moves=(*sitting.moves, place)), course.table)


def go_on(sitting: Sitting) -> Sitting:
    """The table where a person has to decide next, or where the game is over."""
    return _reply(sitting, Course(sitting).table)


def _reply(sitting: Sitting, match: Match) -> Sitting:
    """Players that are no people move, from the table as it is after the moves so far."""
    moves, line_up = list(sitting.moves), _line_up(sitting.setup, sitting.seats)
    while (seat := match.to_move()) >= 0 and sitting.seats[seat] != PERSON:
        possible = match.moves()
        action = match.decide(line_up)
        moves.append(possible.index(action))
        match.apply(action)
        if len(moves) > MOST_MOVES:
            raise InputError(f"more than {MOST_MOVES:,} moves")
    return replace(sitting, moves=tuple(moves))


def choices(match: Match) -> list[int]:
    """Places of the moves that differ to who makes them."""
    possible = match.moves()
    return [possible.index(action) for action in distinct_moves(match)]


def from_record(text: str, seats: Iterable[str] | None = None, setup: Setup | None = None) -> Sitting:
    """The table of a record, whole or not; without `seats` a person sits where the first move was made."""
    record = read_record(text, setup)
    if record.dealt is not None:
        raise InputError("record: its cards were typed in; a game can be played on where its deal has a seed")
    table, places = Match(record.setup, record.seed, record.game), []
    for number, (seat, name) in enumerate(record.moves, 1):
        names = [known.lower() for known in table.names()]
        if table.to_move() != seat or name.lower() not in names:
            raise InputError(f"record: move {number}: seat {seat + 1} {name!r} is not possible here")
        places.append(names.index(name.lower()))
        table.apply(table.moves()[places[-1]])
    first = record.moves[0][0] if record.moves else 0
    found = people_and(record.setup, [first], ()) if seats is None else checked_seats(record.setup, seats)
    return go_on(Sitting(record.setup, record.seed, record.game, found, tuple(places)))
