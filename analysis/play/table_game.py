"""A game with people: the setup, the deal, who sits where, and all moves so far.

Nothing else is stored: everything shown is computed by playing the moves again. So undo is a shorter list of moves, and
"what if" is another end of it. Computer players decide with the luck that the deal holds for them at that move, as in
the simulated game, so the same moves get the same replies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from houle.analysis.limits import MOST_SEED, check_int
from houle.analysis.play.playouts import distinct_moves
from houle.analysis.players.line_ups import line_up, read_strategy, usual_strategy
from houle.solver.cards.bits import U8
from houle.solver.cards.streams import derive
from houle.solver.errors import InputError, PositionError, StrategyError
from houle.solver.matches.match import Match
from houle.solver.matches.record.game import Record
from houle.solver.matches.record.position import MOST_GAME, read_position
from houle.solver.players.player import LineUp
from houle.solver.players.reading.memory import Past
from houle.solver.rules import Setup
from houle.solver.texts import typed_number

PERSON = "person"
MOST_MOVES = 20_000
MOST_NAME = 20  # characters of a player's name
COMPUTERS = ("Teva", "Moana", "Malo", "Lani", "Ronan", "Nalu", "Nora", "Kai")  # what computers are called, by seat


@dataclass(frozen=True)
class Made:
    """A move that was made: by whom, with whose hand, and the states before and after it."""

    number: int  # from 1
    index: int  # among the possible moves
    seat: int
    acting: int
    action: int
    before: Any
    after: Any
    past: Past
    # Its words and events as each seat saw them: pages show the whole game again and again.
    told: dict[tuple[int, bool], tuple[str, tuple[str, ...], str]] = field(
        default_factory=dict, init=False, compare=False
    )


@dataclass(frozen=True)
class Sitting:
    """A setup, a deal, who sits where, and the moves so far, each by its index among the possible moves."""

    setup: Setup
    seed: int
    game: int
    seats: tuple[str, ...]  # PERSON or a strategy
    moves: tuple[int, ...] = ()
    names: tuple[str, ...] = ()  # of the players; empty texts for those without
    start: str = ""  # the text of a position, instead of a deal; the seed then chooses its hidden cards

    @property
    def people(self) -> tuple[int, ...]:
        return tuple(seat for seat, who in enumerate(self.seats) if who == PERSON)

    @property
    def called(self) -> tuple[str, ...]:
        """The names of all seats: those that were given, and names for computers; empty texts for those without."""
        given = (*self.names, *[""] * len(self.seats))
        ours = (*COMPUTERS, *[""] * len(self.seats))
        return tuple(
            given[seat] or (ours[seat] if who != PERSON and ours[seat] not in given else "")
            for seat, who in enumerate(self.seats)
        )

    def until(self, moves: int) -> Sitting:
        """The same game after its first `moves` moves."""
        return replace(self, moves=self.moves[:moves])


class Course:
    """A sitting played up to now: the match, and every move with the states around it.

    Making one replays the game. A move, the replies to it and an earlier position are courses of their own, which are
    made from the states that are kept, without a replay.
    """

    def __init__(self, sitting: Sitting) -> None:
        self.dealt, self.setup = sitting.until(0), sitting.setup
        self._sitting: Sitting | None = None
        self.match = _first_match(sitting)
        self.made: list[Made] = []
        for index in sitting.moves:
            self._make(index)

    def _make(self, index: int) -> None:
        match, number, possible = self.match, len(self.made) + 1, self.match.moves()
        if not 0 <= index < len(possible):
            raise PositionError(f"move {number}: there is no such move here")
        seat, before = match.to_move(), self.made[-1].after if self.made else match.states.copy()
        acting, past = int(getattr(match.state, "acting", seat)), match.past
        match.apply(possible[index])
        self._sitting = None
        self.made.append(
            Made(
                number=number,
                index=index,
                seat=seat,
                acting=acting,
                action=possible[index],
                before=before,
                after=match.states.copy(),
                past=past,
            )
        )

    @property
    def sitting(self) -> Sitting:
        """The game as it can be written down: the deal and the moves."""
        if self._sitting is None:
            self._sitting = replace(self.dealt, moves=tuple(made.index for made in self.made))
        return self._sitting

    def copied(self) -> Course:
        """The same course, which another thread can read at the same time."""
        other = copy(self)
        other.match, other.made = self.match.copied(), list(self.made)
        return other

    def until(self, moves: int) -> Course:
        """The same game after its first `moves` moves."""
        other = self.copied()
        if moves < len(self.made):
            other.match, other.made, other._sitting = self.match_before(self.made[moves]), self.made[:moves], None
        return other

    def choose(self, place: int | None) -> Course:
        """The game after a person's move and the replies; `place` is its index, None the usual player's move."""
        if self.over:
            raise PositionError("the game is over")
        after, luck = self.copied(), self.match.copied()
        possible = luck.moves()
        if place is None:
            place = possible.index(luck.decide(_line_up(self.setup, (PERSON,) * self.setup.players)))
        if not 0 <= place < len(possible):
            raise PositionError("there is no such move here")
        luck.apply(possible[place])
        after._make(place)
        return after._replied(luck)

    def go_on(self) -> Course:
        """The game after computer players moved until a person has to decide or the game is over."""
        return self.copied()._replied(self.match.copied())

    def _replied(self, luck: Match) -> Course:
        """Adds the moves of computer players. They decide in `luck`, because a decision may draw random numbers."""
        seated, seats = _line_up(self.setup, self.dealt.seats), self.dealt.seats
        while (seat := luck.to_move()) >= 0 and seats[seat] != PERSON:
            possible = luck.moves()
            action = luck.decide(seated)
            luck.apply(action)
            self._make(possible.index(action))
            if len(self.made) > MOST_MOVES:
                raise PositionError(f"more than {MOST_MOVES:,} moves")
        return self

    @property
    def to_move(self) -> int:
        """The seat of the person to move; -1 when the game is over."""
        return self.match.to_move()

    @property
    def over(self) -> bool:
        return self.match.to_move() < 0

    @property
    def waits_for_a_person(self) -> bool:
        return not self.over and self.dealt.seats[self.to_move] == PERSON

    def is_revealed(self, made: Made) -> bool | None:
        """Whether everyone knows a move by now; None in games without secret moves."""
        shown_later = self.setup.game.table.is_revealed
        return shown_later(made.before[0], self.match.state) if shown_later else None

    def match_before(self, made: Made) -> Match:
        """The match as it was before a move."""
        match = self.match.copied()
        match.states, match.ply, match.past = made.before.copy(), made.number - 1, made.past
        return match

    def own_decisions(self) -> list[int]:
        """Numbers of moves after which a person decided; undo and "what if" go back to these."""
        return [made.number - 1 for made in self.made if self.dealt.seats[made.seat] == PERSON]

    def undone(self) -> Course | None:
        """The game before the last move of a person; None if there is none."""
        before = self.own_decisions()
        return self.until(before[-1]) if before else None

    def record(self) -> Record:
        """The game so far by the names of its moves; the seed holds the deal, no card is written.

        It ends before a secret move of another player that is not revealed yet.
        """
        if self.dealt.start:
            raise PositionError("record: a game from a position that was set up cannot be saved; copy its link")
        known: list[tuple[int, str]] = []
        for made in self.made:
            if not self.over and made.seat != self.to_move and self.is_revealed(made) is False:
                break
            known.append((made.seat, self.match_before(made).name(made.action)))
        strategies = dict.fromkeys(who for who in self.dealt.seats if who != PERSON)
        return Record(
            self.setup,
            seed=self.dealt.seed,
            game=self.dealt.game,
            strategies=tuple(strategies),
            moves=tuple(known),
            broken_off=not self.over,
        )


def _first_match(sitting: Sitting) -> Match:
    """The match before the first move: a deal, or a position whose hidden cards the seed chooses."""
    if not sitting.start:
        return Match(sitting.setup, sitting.seed, sitting.game)
    position = read_position(sitting.start, sitting.setup)
    match = position.match()
    match.seed, match.game = sitting.seed, sitting.game
    key = int(derive(U8(sitting.seed), U8(sitting.game)))
    match = match.imagine(position.seat, key)
    match.forgotten = None
    return match


def sit_down(setup: Setup, seats: Iterable[str], seed: int, game: int = 0, names: Iterable[str] = ()) -> Sitting:
    """A new game: each seat is `person` or a strategy; computer players move until a person has to decide."""
    check_int("seed", seed, 0, MOST_SEED)
    check_int("game", game, 0, MOST_GAME)
    first = Sitting(
        setup, seed=seed, game=game, seats=checked_seats(setup, seats), moves=(), names=checked_names(setup, names)
    )
    return Course(first).go_on().sitting


def checked_names(setup: Setup, names: Iterable[str]) -> tuple[str, ...]:
    """Names of players, the first for the first seat; an InputError of one line if a name is not allowed."""
    given = tuple(" ".join(name.split()) for name in names)
    if len(given) > setup.players:
        raise InputError(f"names: {len(given)} are given; this setup has {setup.players} seats")
    for name in given:
        if len(name) > MOST_NAME or not re.fullmatch(r"[\w .'’-]*", name) or re.search(r"(^| )\d+$", name):
            allowed = f"up to {MOST_NAME} letters and digits, without a number after a space"
            raise InputError(f"names: {name[:40]!r} is not allowed; allowed: {allowed}")
    return given if any(given) else ()


def checked_seats(setup: Setup, seats: Iterable[str]) -> tuple[str, ...]:
    """Who sits where, with strategies in full; a StrategyError of one line if that is not possible."""
    players = tuple(who if who == PERSON else read_strategy(who, setup).text for who in seats)
    if len(players) != setup.players:
        raise StrategyError(f"seats: {len(players)} are given; this setup has {setup.players}")
    if PERSON not in players:
        raise StrategyError("seats: nobody is a person; `houle trace` shows games without people")
    if any(who.startswith("clairvoyant") for who in players):
        raise StrategyError("seats: clairvoyant solves whole games and cannot play with people")
    _line_up(setup, players)
    return players


def people_and(setup: Setup, people: Iterable[int], others: Iterable[str]) -> tuple[str, ...]:
    """People in some seats; in the others `others` (one for all, or one each) or the usual player."""
    where, named = set(people), list(others) or [usual_strategy(setup)]
    free = [seat for seat in range(setup.players) if seat not in where]
    if len(named) not in (1, len(free)):
        raise StrategyError(f"-s: {len(named)} players for {len(free)} seats; give one for all, or one each")
    rest = iter(named * len(free) if len(named) == 1 else named)
    return checked_seats(setup, [PERSON if seat in where else next(rest) for seat in range(setup.players)])


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


def _line_up(setup: Setup, seats: tuple[str, ...]) -> LineUp:
    """The players; a person's seat holds a strategy that is never asked."""
    usual = usual_strategy(setup)
    return line_up(setup, [usual if who == PERSON else who for who in seats])


def choices(match: Match) -> list[int]:
    """Indices of the moves that differ for the player to move."""
    possible = match.moves()
    return [possible.index(action) for action in distinct_moves(match)]


def from_record(record: Record, seats: Iterable[str]) -> Sitting:
    """The game of a record, finished or not. A record does not say who sits where."""
    if record.dealt is not None or record.deck is not None:
        raise PositionError("record: its cards were typed in; only a game with a seed can be continued")
    course = Course(Sitting(record.setup, record.seed, record.game, checked_seats(record.setup, seats)))
    for number, (seat, name) in enumerate(record.moves, 1):
        names = [known.lower() for known in course.match.names()]
        if course.to_move != seat or name.lower() not in names:
            raise PositionError(f"record: move {number}: seat {seat + 1} {name!r} is not possible here")
        course._make(names.index(name.lower()))
    return course.go_on().sitting
