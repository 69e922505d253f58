"""`houle trace`: one game move by move, the same game that `simulate` plays with this seed and number.

Every move comes with its effects in the words of the game (`happened` in its text.py: draws, dice, tricks).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from houle.analysis.arguments import checked
from houle.analysis.limits import SEED
from houle.analysis.players.line_ups import Strategies, as_setup, line_up, usual_strategy
from houle.analysis.result import command_line, setup_as_json, words_of_setup
from houle.solver.errors import RulesError, StrategyError
from houle.solver.language.seats import authored, from_0, from_1
from houle.solver.matches.match import Match
from houle.solver.matches.record.game import Record, read_record
from houle.solver.matches.record.line_parser import as_text
from houle.solver.matches.record.position import lines_of
from houle.solver.matches.record.replaying import events
from houle.solver.rules import Setup


@dataclass(frozen=True)
class Ply:
    """One move: who made it, what was possible, what it did, and the state after it."""

    number: int  # from 1
    seat: int
    acting: int  # whose hand is used; differs from `seat` when a dummy's cards are played
    possible: tuple[str, ...]
    action: str
    spoken: str  # the move as people say it
    others: tuple[str, ...]  # the other moves as people say them, each once
    hand: str  # whose hand is used, for people
    events: tuple[str, ...]  # what else happened, in words: draws, dice, tricks, missed turns
    after: dict[str, Any]
    shown: str  # the state after it, as the game shows it

    def as_json(self) -> dict[str, Any]:
        return {
            "ply": self.number,
            "seat": self.seat,
            "acting": self.acting,
            "possible": list(self.possible),
            "action": self.action,
            "words": self.spoken,
            "events": list(self.events),
            "after": self.after,
        }


@dataclass(frozen=True, repr=False)
class Trace:
    """One game, move by move."""

    setup: Setup
    strategies: tuple[str, ...]
    seed: int
    game: int
    start: dict[str, Any]
    shown: str  # the start, as the game shows it
    plies: tuple[Ply, ...]
    ending: tuple[str, ...]  # why it is over, in words
    result: dict[str, Any] | None  # None if the game was not finished
    record_file: str = ""  # the file of a replayed record
    recorded: Record | None = None  # what was replayed

    @property
    def headline(self) -> str:
        end = "; ".join(from_1(line) for line in self.ending) or "not finished"
        return f"{len(self.plies)} moves, {end}"

    def __repr__(self) -> str:
        return f"Trace({self.setup.ruleset.name}, {self.setup.players} players, game {self.game}: {self.headline})"

    def record(self) -> Record:
        """The game as a record that can be replayed."""
        if self.recorded is not None:
            return self.recorded
        moves = tuple((ply.seat, ply.action) for ply in self.plies)
        return Record(
            self.setup, seed=self.seed, game=self.game, strategies=tuple(dict.fromkeys(self.strategies)), moves=moves
        )

    def as_json(self) -> dict[str, Any]:
        """What `houle trace --json` prints."""
        return {
            **setup_as_json(self.setup),
            "strategies": list(self.strategies),
            "seed": self.seed,
            "index": self.game,
            "rules_digest": self.setup.digest,
            "notes": list(self.setup.notes),
            "start": self.start,
            "plies": [ply.as_json() for ply in self.plies],
            "ending": list(self.ending),
            "result": self.result,
        }

    def repeat(self, setup_words: list[str] | None = None) -> str:
        """The command that shows this game again; `setup_words` is the setup as the user typed it."""
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
) -> Trace:
    """Show one simulated game move by move.

    Parameters
    ----------
    strategies : str or iterable of str, optional
        Who plays: one for all players, or one each. Default: `thumb`, or `random` in a game without rules of thumb.
    seed, game : int
        Number `game` of the games that `simulate` plays with this seed.

    Returns
    -------
    Trace
        Every move with what was possible, what it did, and the state after it.

    Examples
    --------
    >>> import houle
    >>> game = houle.trace("wave", strategies="random", seed=7, game=3)
    >>> [(ply.seat, ply.action) for ply in game.plies[:3]]
    [(1, 'point none'), (2, 'point 4'), (0, 'play white 3')]
    >>> game.plies[2].events
    ('reverse: play now goes anticlockwise', 'draws red 2 as a front card')
    """
    setup = as_setup(setup)
    seated = line_up(setup, usual_strategy(setup) if strategies is None else strategies)
    if any(strategy.name == "clairvoyant" for strategy in seated.strategies):
        raise StrategyError("strategies: clairvoyant solves whole games and cannot be traced move by move")
    match = Match(setup, seed, game)
    start, shown = _snapshot(match), match.show()
    plies: list[Ply] = []
    while match.to_move() >= 0:
        plies.append(step(match, match.decide(seated), len(plies) + 1))
    return Trace(
        setup,
        strategies=seated.names,
        seed=seed,
        game=game,
        start=start,
        shown=shown,
        plies=tuple(plies),
        ending=ending(match),
        result=match.result(),
    )


@checked
def replay(record: str, *, setup: Setup | str | None = None, file: str = "") -> Trace:
    """Show a recorded game move by move.

    Parameters
    ----------
    record : str
        The text of a record, from `Trace.record().as_text()`, from `houle trace --record`, or typed in from a real
        game (houle.solver.matches.record.game says how).
    file : str
        The file of the record, for the command that shows it again.

    Returns
    -------
    Trace
        An impossible move is a PositionError of one line: which move, and why.

    Examples
    --------
    >>> import houle
    >>> game = houle.trace("wave", seed=7, game=3)
    >>> houle.replay(game.record().as_text()).plies == game.plies
    True
    """
    read = read_record(record, None if isinstance(setup, str) else setup, setup if isinstance(setup, str) else None)
    played, viewer = read.played(), read.seen_by
    first = played.befores[0] if played.befores else played.match
    start, shown = _seen(first, viewer)
    plies: list[Ply] = []
    for number, (before, action) in enumerate(zip(played.befores, played.actions, strict=True), 1):
        after = played.befores[number] if number < len(played.befores) else played.match
        ply = step(before.copied(), action, number)
        snapshot, words = _seen(after, viewer)
        if viewer is not None and ply.seat != viewer:  # notes do not hold what the other seats knew
            ply = replace(ply, possible=(), others=())
        plies.append(replace(ply, after=snapshot, shown=words, events=_heard(ply, read, number)))
    over = played.match.to_move() < 0
    seat = played.match.to_move() + 1
    end = ending(played.match) if over else (f"broken off: seat {seat} has to move",)
    return Trace(
        read.setup,
        strategies=read.strategies or ("as recorded",),
        seed=read.seed,
        game=read.game,
        start=start,
        shown=shown,
        plies=tuple(plies),
        ending=end,
        result=played.match.result() if over else None,
        record_file=file,
        recorded=read,
    )


def _seen(match: Match, viewer: int | None) -> tuple[dict[str, Any], str]:
    """The state as data and as text; with a viewer, only what that seat sees."""
    if viewer is None:
        return _snapshot(match), match.show()
    lines = lines_of(match, viewer)
    return dict(lines), as_text(lines).rstrip()


def _snapshot(match: Match) -> dict[str, Any]:
    """The state as data that a file can hold."""
    data = match.snapshot()
    for name, value in data.items():
        try:
            json.dumps(value)
        except (TypeError, ValueError):
            kinds = "a dict of numbers, texts, lists and dicts"
            where = f"{match.setup.ruleset.name}: the field {name} ({type(value).__name__})"
            raise RulesError(f"{where} cannot be written; write snapshot(): {kinds}") from None
    return data


def _heard(ply: Ply, record: Record, number: int) -> tuple[str, ...]:
    """The effects of a move; in one seat's notes, those written there."""
    if record.seen_by is None:
        return ply.events
    came = record.outcomes.get(number)
    drawn = [f"drawn: {', '.join(came.drawn)}"] if came is not None and came.drawn else []
    return tuple(from_0(line) for line in (*drawn, *(came.events if came is not None else ())))


def step(match: Match, action: int, number: int) -> Ply:
    """Make a move; returns what it was and what it did."""
    setup, seat = match.setup, match.to_move()
    name, possible = match.name(action), tuple(match.names())
    moves = match.moves()
    spoken = _spoken(match, moves)
    mine = spoken[moves.index(action)]
    others = tuple(words for words in dict.fromkeys(spoken) if words != mine)
    acting = int(getattr(match.state, "acting", seat))
    call_hand = setup.game.words.hand_name
    hand = call_hand(setup, acting) if call_hand else f"seat {acting}"
    before = match.states.copy()
    match.apply(action)
    effects = events(match, before, action)
    return Ply(
        number=number,
        seat=seat,
        acting=acting,
        possible=possible,
        action=name,
        spoken=mine,
        others=others,
        hand=hand,
        events=effects,
        after=_snapshot(match),
        shown=match.show(),
    )


def _spoken(match: Match, moves: list[int]) -> list[str]:
    """Moves as people say them; their canonical names if the game has no other words."""
    speak = match.setup.game.words.spoken
    game = match.setup.game
    return [authored(game, speak(match.state, match.setup, move)) if speak else match.name(move) for move in moves]


def ending(match: Match) -> tuple[str, ...]:
    """Why a game is over, in the words of its game."""
    say = match.setup.game.words.ending
    return tuple(authored(match.setup.game, line) for line in say(match.state, match.setup)) if say else ()
