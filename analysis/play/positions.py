"""Positions from games: what the player to move knows at a decision, as text."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import replace

from houle.analysis.arguments import checked
from houle.analysis.limits import MOST_SEED
from houle.analysis.players.line_ups import Strategies, as_setup, line_up, usual_strategy
from houle.solver.errors import FileError, InputError, PositionError
from houle.solver.language.seats import from_1
from houle.solver.matches.match import Match
from houle.solver.matches.record.game import read_record
from houle.solver.matches.record.position import MOST_GAME, OwnLuck, Position, move_name, write_position
from houle.solver.matches.record.position import read_position as read_written
from houle.solver.matches.record.replaying import AT, Replay, place_of
from houle.solver.rules import Setup
from houle.solver.rules.files import MOST_BYTES, read_text

MOST_PLIES = 100_000
NOTES = re.compile(r"(?:^|[;\n])\s*seen by\s*:", re.IGNORECASE)
WHERE = re.compile(r"(\d{1,20})/(\d{1,19})/(\d{1,10})", re.ASCII)


@checked
def position(
    setup: Setup | str, *, seed: int, game: int, ply: int, strategies: Strategies = None, moves: bool = True
) -> Position:
    """Write a position of a simulated game: what the player to move knows after so many moves.

    Parameters
    ----------
    strategies : str or iterable of str, optional
        Who plays: one for all players, or one each. Default: `thumb`, or `random` in a game without rules of thumb.
    seed, game : int
        Number `game` of the games that `simulate` plays with this seed.
    ply : int
        Number of moves already made; 0 is the first decision.
    strategies : str or iterable of str, optional
        The players so far; by default the thumb, if the game has one.

    Returns
    -------
    Position
        `as_text()` and `as_json()` write it; `match()` makes a match from it.

    Examples
    --------
    >>> import houle
    >>> here = houle.position("wave", seed=7, game=3, ply=2, moves=False)
    >>> here.places["top"], here.places["seat 1 back"]
    (['red 1'], ['?', '?'])
    >>> houle.read_position(here.as_text()) == here
    True
    """
    setup = as_setup(setup)
    seated = line_up(setup, usual_strategy(setup) if strategies is None else strategies)
    match = Match(setup, seed, game)
    made = []
    for _ in range(ply):
        if match.to_move() < 0:
            raise PositionError(f"position: game {game} of seed {seed} is over after {match.ply} moves")
        action = match.decide(seated)
        made.append((match.to_move(), action, match.states.copy()))
        match.apply(action)
    if match.to_move() < 0:
        raise PositionError(f"position: game {game} of seed {seed} is over after {match.ply} moves")
    return write_position(match, _as_seen(match, made) if moves else None)


def _as_seen(match: Match, made: list[tuple[int, int, object]]) -> list[str]:
    """The moves so far as the player to move saw them."""
    viewer, states = match.to_move(), match.states
    words = []
    for mover, action, before in made:
        match.states = before
        name = from_1(move_name(match, action, viewer, done=True))
        words.append(f"seat {mover + 1} {name}".replace(",", ""))
    match.states = states
    return words


@checked
def position_in(
    record: str, ply: int | None = None, *, setup: Setup | str | None = None, moves: bool = True
) -> Position:
    """Write a position of a recorded game: what the player to move knew after so many moves.

    Parameters
    ----------
    record : str
        The text of a record, see `replay`.
    ply : int, optional
        Number of moves already made; 0 is the first decision, by default all moves of the record.

    Returns
    -------
    Position
        If the record is one seat's notes (`seen by`), it must be that seat's turn. After all moves of notes that say
        where in a hand cards came from, a reader can read them.

    Examples
    --------
    >>> import houle
    >>> game = houle.trace("wave", seed=7, game=3)
    >>> houle.position_in(game.record().as_text(), 5) == houle.position("wave", seed=7, game=3, ply=5)
    True
    """
    read = read_record(record, None if isinstance(setup, str) else setup, setup if isinstance(setup, str) else None)
    played, ply = read.played(), len(read.moves) if ply is None else ply
    if not 0 <= ply <= len(read.moves):
        raise PositionError(f"position: the record has {len(read.moves)} moves, not {ply}")
    table = played.befores[ply] if ply < len(read.moves) else played.match
    mover = table.to_move()
    if mover < 0:
        raise PositionError(f"position: the game is over after {ply} moves")
    if read.seen_by is not None and mover != read.seen_by:
        whose = f"the record holds what seat {read.seen_by + 1} saw"
        raise PositionError(f"position: after {ply} moves it is seat {mover + 1}'s turn, but {whose}")
    made = [
        (before.to_move(), action, before.states)
        for before, action in zip(played.befores[:ply], played.actions[:ply], strict=True)
    ]
    written = write_position(table, _as_seen(table, made) if moves else None)
    if ply == len(read.moves) and read.seen_by is not None and _names_places(played, mover):
        written = replace(written, notes=read.as_text())
    return replace(written, luck=OwnLuck(read.seed, read.game, ply, ply))  # one choice per move was drawn before


def _names_places(played: Replay, seat: int) -> bool:
    """Whether the notes say, for every card that the seat had not seen, where in a hand it came from."""
    moves = zip(played.befores, played.actions, played.moves, strict=True)
    return all(AT in name or not place_of(before, action, seat) for before, action, (_, name) in moves)


def parse_where(text: str) -> tuple[int, int, int]:
    """`SEED/GAME/PLY` as typed."""
    match = WHERE.fullmatch(text.replace(" ", ""))
    limits = (MOST_SEED, MOST_GAME, MOST_PLIES)
    if not match or any(int(part) > most for part, most in zip(match.groups(), limits, strict=True)):
        raise PositionError(f"--from: {text!r} is not allowed; allowed: SEED/GAME/PLY in whole numbers, as 7/3/12")
    seed, game, ply = map(int, match.groups())
    return seed, game, ply


@checked
def read_position(text: str, setup: Setup | str | None = None) -> Position:
    """Read a position from text, from a file, or from stdin (`-`).

    Parameters
    ----------
    text : str
        Lines such as `top: white 3`, or JSON, or the name of a file with them. A seat's notes of a game so far
        (`seen by: 1`, see `position_in`) are a position too.
    setup : Setup or str, optional
        The setup, if the text does not name it; the name of a game only says which game.

    Returns
    -------
    Position
        An error in the text is a PositionError of one line: which place, which card, why.

    Examples
    --------
    >>> import houle
    >>> here = houle.read_position(
    ...     "game: wave; seat: 1; top: white 3; seat 1 front: red 2, navy 4, sky 0; seat 1 back: ?, ?;"
    ...     "seat 2 back: navy 1, white 4; seat 3 back: yellow 1, yellow 2"
    ... )
    >>> here.places["seat 2 front"], here.places["pile"]
    (['?', '?', '?'], ['18'])
    """
    game = setup if isinstance(setup, str) else None
    given = text_given(text)
    if NOTES.search(given):
        return position_in(given, setup=setup)
    return read_written(given, setup if isinstance(setup, Setup) else None, game)


def text_given(text: str) -> str:
    """The text that an argument stands for: itself, stdin (`-`), or the content of a file."""
    if text == "-":
        content = sys.stdin.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise FileError(f"stdin: larger than {MOST_BYTES:,} bytes")
        return content
    if "\n" in text or (":" in text and not os.path.isfile(text)) or text.lstrip().startswith("{"):
        return text
    try:
        return read_text(text)
    except InputError as fault:
        raise FileError(f"{fault}; nor is it the text of a position, such as `seat: 1; ...`") from None


def find_position(setup: Setup | str, where: str | None, given: str | None, strategies: Strategies = None) -> Position:
    """The position that a command names: `where` in a simulated game, or `given` as text, file or stdin."""
    if given is not None:
        return read_position(given, setup)
    seed, game, ply = parse_where(where or "")
    return position(setup, seed=seed, game=game, ply=ply, strategies=strategies)
