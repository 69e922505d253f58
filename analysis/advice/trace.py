"""One game move by move, as data: the game that `simulate` counts under the same seed and number.

Every move comes with what it brought about, in the words of its game (`happened` in its text.py: draws, dice, tricks);
on demand with why it was made and with the chance of its side before and after it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from houle.analysis.advice.chances import chance
from houle.analysis.advice.reasons import Reasons, reasons
from houle.analysis.arguments import checked
from houle.analysis.limits import MOST_INDEX, MOST_SEED, SEED, check_int
from houle.analysis.result import command_line, interval_as_json, setup_as_json, words_of_setup
from houle.analysis.sampling.lineups import Strategies, as_setup, line_up
from houle.analysis.stats.intervals import Interval
from houle.solver.errors import InputError
from houle.solver.match import Match
from houle.solver.record.events import events, words
from houle.solver.record.game import Record, read_record
from houle.solver.record.lines import as_text, from_0
from houle.solver.record.notes import notes_of
from houle.solver.record.position import words_of
from houle.solver.record.replaying import copied
from houle.solver.ruleset import Setup
from houle.solver.strategies.player import LineUp

__all__ = ["Ply", "Trace", "ending", "events", "notes_of", "replay", "step", "trace"]

MOST_WORLDS = 100_000


@dataclass(frozen=True)
class Ply:
    """One decision: who moved with whose hand, what was possible, what was done, and the table after it."""

    number: int  # from 1
    seat: int
    acting: int  # whose hand is used; another one where a dummy's cards are played
    possible: tuple[str, ...]
    action: str
    spoken: str  # the move for people, where the game has another name for it than the canonical one
    others: tuple[str, ...]  # the other moves for people, each once
    hand: str  # whose hand is used, for people
    events: tuple[str, ...]  # what else happened, in words: draws, dice, tricks, turns that were missed
    after: dict[str, Any]
    shown: str  # the table after it, as the game shows it
    why: Reasons | None = None  # asked for, and there are rules of thumb and another move
    rival: str = ""  # the move it is held against there, for people
    chances: tuple[Interval, Interval] | None = None  # of the side of who moved, before and after it

    def as_json(self) -> dict[str, Any]:
        data = {
            "ply": self.number,
            "seat": self.seat,
            "acting": self.acting,
            "possible": list(self.possible),
            "action": self.action,
            "words": self.spoken,
            "events": list(self.events),
            "after": self.after,
        }
        if self.why is not None:
            data["why"] = self.why.as_json(self.rival)
        if self.chances is not None:
            data["chance"] = {
                when: interval_as_json(found) for when, found in zip(("before", "after"), self.chances, strict=True)
            }
        return data


@dataclass(frozen=True)
class Trace:
    """A whole game."""

    setup: Setup
    strategies: tuple[str, ...]
    seed: int
    game: int
    start: dict[str, Any]
    shown: str  # the table at the start, as the game shows it
    plies: tuple[Ply, ...]
    ending: tuple[str, ...]  # why it is over, in words
    result: dict[str, Any] | None  # None: the game was broken off
    worlds: int = 0  # imagined for every chance; 0: none was asked for
    record_file: str = ""  # where the moves were read from, if they were
    recorded: Record | None = None  # what was replayed

    def record(self) -> Record:
        """The game as text that can be replayed: the moves by name."""
        if self.recorded is not None:
            return self.recorded
        moves = tuple((ply.seat, ply.action) for ply in self.plies)
        return Record(self.setup, self.seed, self.game, tuple(dict.fromkeys(self.strategies)), moves)

    def as_json(self) -> dict[str, Any]:
        """The object that `houle trace --json` prints."""
        return {
            **setup_as_json(self.setup),
            "strategies": list(self.strategies),
            "seed": self.seed,
            "index": self.game,
            "rules_digest": self.setup.digest,
            "notes": list(self.setup.notes),
            "worlds": self.worlds or None,
            "start": self.start,
            "plies": [ply.as_json() for ply in self.plies],
            "ending": list(self.ending),
            "result": self.result,
        }

    def repeat(self, setup_words: list[str] | None = None) -> str:
        """The command that shows this game again; `setup_words` where the table was typed as a command."""
        if self.record_file:
            return command_line(["trace", self.record_file], self.setup)
        words = ["trace", *(words_of_setup(self.setup) if setup_words is None else setup_words), "-s"]
        words.append(self.strategies[0] if len(set(self.strategies)) == 1 else ",".join(self.strategies))
        return command_line([*words, "--seed", str(self.seed), "--game", str(self.game)], self.setup)


@checked
def trace(
    setup: Setup | str,
    *,
    strategies: Strategies = None,
    seed: int = SEED,
    game: int = 0,
    why: bool = False,
    chances: int = 0,
) -> Trace:
    """Replay one game move by move.

    Parameters
    ----------
    setup : Setup or str
        A table, as `houle.setup` makes it, or a game's name for its usual one.
    strategies : str or iterable of str, optional
        Who decides: one for all players, or one each; the thumb where the game has one.
    seed, game : int
        Which game: the one that `simulate` counts under this number of the seed.
    why : bool
        Whether every move is held against the next best one, rule of thumb by rule of thumb.
    chances : int
        Worlds to imagine for the chance of the mover's side, before and after every move; 0 for none.

    Returns
    -------
    Trace
        What was possible and what was done at every decision, what came of it, and the table after it.

    Examples
    --------
    >>> import houle
    >>> game = houle.trace("wave", strategies="random", seed=7, game=3)
    >>> game.plies[0].seat, game.plies[0].action
    (0, 'play white 3')
    >>> game.plies[0].events
    ('reverse: play now goes anticlockwise', 'draws red 2 as a front card')
    """
    table_setup = as_setup(setup)
    check_int("seed", seed, 0, MOST_SEED)
    check_int("game", game, 0, MOST_INDEX)
    check_int("chances", chances, 0, MOST_WORLDS)
    seated = line_up(table_setup, strategies)
    if any(strategy.name == "clairvoyant" for strategy in seated.strategies):
        raise InputError("strategies: clairvoyant finds whole games, it cannot be traced move by move")
    match = Match(table_setup, seed, game)
    start, shown = match.snapshot(), _shown(match)
    plies: list[Ply] = []
    while match.to_move() >= 0:
        plies.append(_commented(match, seated, len(plies) + 1, why, chances))
    return Trace(
        table_setup, seated.names, seed, game, start, shown, tuple(plies), ending(match), match.result(), chances
    )  # fmt: skip


@checked
def replay(
    record: str, *, setup: Setup | str | None = None, why: bool = False, chances: int = 0, file: str = ""
) -> Trace:
    """Replay a game that was recorded, move by move.

    Parameters
    ----------
    record : str
        The text of a record, as `Trace.record().as_text()` or `houle trace --record` write it, or as somebody typed
        it in from a real table (houle.solver.record.game says how).
    setup : Setup or str, optional
        The table, where the text does not say it.
    why, chances
        As in `trace`.
    file : str
        Where the text comes from, for the command that shows it again.

    Returns
    -------
    Trace
        A fault in it is a RulesetError of one line: which move, and why it is not possible.

    Examples
    --------
    >>> import houle
    >>> game = houle.trace("wave", seed=7, game=3)
    >>> houle.replay(game.record().as_text()).plies == game.plies
    True
    """
    check_int("chances", chances, 0, MOST_WORLDS)
    read = read_record(record, None if isinstance(setup, str) else setup, setup if isinstance(setup, str) else None)
    played, viewer = read.played(), read.seen_by
    first = played.befores[0] if played.befores else played.match
    start, shown = _seen(first, viewer)
    seated = line_up(read.setup, read.strategies or None)
    plies: list[Ply] = []
    for number, (before, action) in enumerate(zip(played.befores, played.actions, strict=True), 1):
        here, after = copied(before), played.befores[number] if number < len(played.befores) else played.match
        asked = viewer is None or before.to_move() == viewer  # what the others knew is not in one seat's notes
        ply = _commented(here, seated, number, why and asked, chances if asked else 0, action)
        snapshot, words = _seen(after, viewer)
        if viewer is not None and not asked:
            ply = replace(ply, possible=(), others=())
        plies.append(replace(ply, after=snapshot, shown=words, events=_heard(ply, read, number)))
    over = played.match.to_move() < 0
    seat = played.match.to_move() + 1
    told = ending(played.match) if over else (f"broken off: seat {seat} has to move",)
    return Trace(
        read.setup, read.strategies or ("as recorded",), read.seed, read.game, start, shown, tuple(plies),
        told, played.match.result() if over else None, chances, file, read,
    )  # fmt: skip


def _seen(match: Match, viewer: int | None) -> tuple[dict[str, Any], str]:
    """The table as data and as text; with a viewer, what that seat sees of it."""
    if viewer is None:
        return match.snapshot(), _shown(match)
    lines = words_of(match.setup).write(match.state, match.setup, viewer)
    return dict(lines), as_text(lines).rstrip()


def _heard(ply: Ply, record: Record, number: int) -> tuple[str, ...]:
    """What came of a move; in one seat's notes, what these say."""
    if record.seen_by is None:
        return ply.events
    came = record.outcomes.get(number)
    drawn = [f"drawn: {', '.join(came.drawn)}"] if came is not None and came.drawn else []
    return tuple(from_0(line) for line in (*drawn, *(came.events if came is not None else ())))


def _commented(match: Match, seated: LineUp, number: int, why: bool, worlds: int, made: int | None = None) -> Ply:
    """The next move, with what was asked for beside it; nothing of that touches the luck of the game.

    The players decide, unless it is known what was `made`.
    """
    seat, action = match.to_move(), match.decide(seated) if made is None else made
    held_against = reasons(match, seated, action) if why else None
    rival = _spoken(match, [held_against.rival])[0] if held_against is not None else ""
    before = chance(match, seat, worlds) if worlds else None
    ply = step(match, action, number)
    chances = (before, chance(match, seat, worlds, action)) if before is not None else None
    return replace(ply, why=held_against, rival=rival, chances=chances)


def step(match: Match, action: int, number: int) -> Ply:
    """Makes a move, and tells what it was and what came of it."""
    setup, seat = match.setup, match.to_move()
    name, possible = match.name(action), tuple(match.names())
    moves = match.moves()
    spoken = _spoken(match, moves)
    mine = spoken[moves.index(action)]
    others = tuple(words for words in dict.fromkeys(spoken) if words != mine)
    acting = int(getattr(match.state, "acting", seat))
    call_hand = words(setup, "hand_name")
    hand = call_hand(setup, acting) if call_hand else f"seat {acting}"
    before = match.states.copy()
    match.apply(action)
    told = events(match, before, action)
    return Ply(number, seat, acting, possible, name, mine, others, hand, told, match.snapshot(), _shown(match))


def _spoken(match: Match, moves: list[int]) -> list[str]:
    """Moves for people: by their canonical names unless the game has others."""
    speak = words(match.setup, "spoken")
    return [str(speak(match.state, match.setup, move)) if speak else match.name(move) for move in moves]


def ending(match: Match) -> tuple[str, ...]:
    """Why a game is over, in the words of its game."""
    tell = words(match.setup, "ending")
    return tuple(tell(match.state, match.setup)) if tell else ()


def _shown(match: Match) -> str:
    return str(match.setup.game.show(match.state, match.setup))
