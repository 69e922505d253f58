"""A position: what the seat to move knows, written as text, read back, and turned into a match."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from houle.solver import interface
from houle.solver.cards.streams import STEP, STREAM_FIELDS
from houle.solver.compiler.types import States
from houle.solver.errors import PositionError, WorldError
from houle.solver.matches.match import Forgotten, Match
from houle.solver.matches.record.declared_position import can_be_written, read_declared
from houle.solver.matches.record.known_lines import known_lines, read_plain
from houle.solver.matches.record.line_parser import Lines, Places, as_data, as_text, read_lines
from houle.solver.matches.record.named_cards import check_seen
from houle.solver.matches.record.setup_head import read_head, write_head
from houle.solver.matches.seen_moves import seen_name
from houle.solver.matches.views import FILL as FILL
from houle.solver.players.reading.memory import Past
from houle.solver.rules import Setup

WORD = 2**64
MOST_SEED, MOST_GAME, MOST_PLY = WORD - 1, 2**62, 2**32
MOST_MOVES = 20_000


@dataclass(frozen=True)
class OwnLuck:
    """The source of a seat's own luck: the game, the ply, and the number of random choices so far."""

    seed: int = 0
    game: int = 0
    ply: int = 0
    drawn: int = 0

    def __str__(self) -> str:
        text = f"{self.seed}/{self.game}/{self.ply}"
        return text if self.drawn == self.ply else f"{text}/{self.drawn}"

    def choice(self, setup: Setup) -> int:
        """The stream of random choices."""
        return (int(Match(setup, self.seed, self.game).state.choice) + self.drawn * int(STEP)) % WORD


@dataclass(frozen=True)
class Position:
    """What a seat knows. `places` holds the game's own lines."""

    setup: Setup
    seat: int
    places: Places
    luck: OwnLuck | None = None
    moves: tuple[str, ...] | None = None  # so far, as the seat saw them; None: unknown
    _states: Any = field(default=None, repr=False, compare=False)
    _past: Past | None = field(default=None, repr=False, compare=False)
    forgotten: Forgotten | None = field(default=None, repr=False, compare=False)  # seen cards that it leaves open
    notes: str = field(default="", repr=False, compare=False)  # the notes of the game, if it comes from notes

    def lines(self) -> Places:
        """All lines, the head included."""
        lines = write_head(self.setup) | {"seat": [str(self.seat + 1)]} | self.places
        lines |= {"luck": [str(self.luck)]} if self.luck is not None else {}
        return lines | ({"moves": list(self.moves)} if self.moves is not None else {})

    def as_text(self) -> str:
        return as_text(self.lines())

    def as_json(self) -> dict[str, Any]:
        """The lines as plain data. Seats count from 1, as in the text."""
        return as_data(self.lines())

    def match(self) -> Match:
        """A match in which the seat has to move and knows exactly this."""
        luck = self.luck or OwnLuck()
        match = Match(self.setup, luck.seed, luck.game)
        match.ply = luck.ply
        match.states = self._states.copy()
        match.past = self._past or match.past
        match.forgotten = self.forgotten
        match.states[0].choice = luck.choice(self.setup)
        return match


def has_positions(setup: Setup) -> bool:
    """Whether positions of a game can be written and read."""
    declared = setup.game.declared
    return setup.game.positions.read is not None or (declared is not None and can_be_written(declared))


def lines_of(match: Match, seat: int) -> Places:
    """What a seat knows, as the lines of a position."""
    game, setup = match.setup.game, match.setup
    if not has_positions(setup):
        if not game.is_compiled:
            raise PositionError(f"{setup.ruleset.name}: a class in plain Python has no positions; declare its fields")
        raise PositionError(f"{setup.ruleset.name} cannot write positions: it has no position.py")
    return known_lines(match.known(seat))


def read_state(lines: Lines, setup: Setup, seat: int) -> tuple[States, Any]:
    """A state that agrees with the lines, and how to place cards that they leave open although players have seen them.

    Cards that the seat cannot see are dealt in any way.
    """
    states = interface.blank(setup.game.STATE)
    state = states[0]
    state.mover = seat
    read_plain(lines, setup, state, seat)
    forgotten = (setup.game.positions.read or read_declared)(lines, setup, state, seat)
    check_seen(lines, setup, state, seat)
    return states, forgotten


def write_position(match: Match, moves: Sequence[str] | None = None) -> Position:
    """The position of the seat to move; `moves` are the moves so far as the seat saw them."""
    seat = match.to_move()
    if seat < 0:
        raise PositionError("position: the game is over, so nobody has to move")
    start = int(Match(match.setup, match.seed, match.game).state.choice)
    drawn = (int(match.state.choice) - start) * pow(int(STEP), -1, WORD) % WORD
    luck = OwnLuck(match.seed, match.game, match.ply, drawn)
    places = lines_of(match, seat)
    world = match.imagine(seat, FILL)
    seen = None if moves is None else tuple(moves)
    return Position(
        match.setup, seat=seat, places=places, luck=luck, moves=seen, _states=world.states, _past=world.past
    )


def move_name(match: Match, action: int, seat: int, done: bool = False) -> str:
    """The name of a move as `seat` sees it, before the move or once it is `done`; seats count from 0."""
    name = match.setup.game.positions.move_name
    return str(name(match.state, match.setup, action, seat, done)) if name else seen_name(match, action, seat)


def _asked(match: Match) -> set[str]:
    """The lines that the reader of a game asks for, found by reading the position of a new game."""
    setup, seat = match.setup, match.to_move()
    first = Lines(lines_of(match, seat), "position")
    read_state(first, setup, seat)
    return {*first.places, *first.known}


def read_position(text: str, setup: Setup | None = None, game: str | None = None) -> Position:
    """Reads a position. Raises PositionError if it is malformed or impossible.

    The head gives the setup; with a `setup` the head may be incomplete but must agree with it.
    """
    lines = read_lines(text)
    setup = read_head(lines, setup, game)
    luck, moves = _read_luck(lines), _read_moves(lines, setup)
    seat = lines.seat("seat", setup.players)
    match = Match(setup, 0)
    lines_of(match, match.to_move())  # refuses games without positions
    try:
        states, forgotten = read_state(lines, setup, seat)
    except PositionError:
        lines.refuse_typos(_asked(match))
        raise
    lines.refuse_the_rest()
    for name, _ in STREAM_FIELDS:
        states[0][name] = match.state[name]
    match.states = states
    if forgotten is not None:
        match.forgotten = Forgotten(states.copy(), *forgotten)
    try:
        match = match.imagine(seat, FILL)
    except WorldError:
        raise PositionError("position: no deal agrees with all lines about hidden cards") from None
    if match.to_move() != seat or not match.moves():
        raise lines.fault("seat", f"seat {seat + 1} has no legal move here, so the game is over")
    places = lines_of(match, seat)
    places |= match.forgotten.lines if match.forgotten is not None else {}
    return Position(
        setup,
        seat=seat,
        places=places,
        luck=luck,
        moves=moves,
        _states=match.states,
        _past=match.told_past(),
        forgotten=match.forgotten,
    )


def _read_luck(lines: Lines) -> OwnLuck | None:
    words = lines.words("luck")
    if not words:
        return None
    match = re.fullmatch(r"(\d{1,20})/(\d{1,19})/(\d{1,10})(?:/(\d{1,10}))?", " ".join(words).replace(" ", ""))
    if not match or int(match[1]) > MOST_SEED or int(match[2]) > MOST_GAME or int(match[3]) > MOST_PLY:
        raise lines.fault("luck", f"{' '.join(words)!r}: write SEED/GAME/PLY in whole numbers, as 1/0/5")
    seed, game, ply = (int(match[part]) for part in (1, 2, 3))
    return OwnLuck(seed, game, ply, int(match[4]) if match[4] else ply)


def _read_moves(lines: Lines, setup: Setup) -> tuple[str, ...] | None:
    words = lines.words("moves")
    if words is None:
        return None
    for number, move in enumerate(words, 1):
        match = re.match(r"seat (\d{1,3}) \S", move.lower())
        if not match or not 1 <= int(match[1]) <= setup.players:
            allowed = f"write who did what, as `seat 1 ...`, seats from 1 to {setup.players}"
            raise lines.fault("moves", f"move {number}, {move[:40]!r}: {allowed}")
    return tuple(words)


def text_of(position: Position, form: str) -> str:
    """A position as text or as JSON."""
    return json.dumps(position.as_json(), indent=2) + "\n" if form == "json" else position.as_text()
