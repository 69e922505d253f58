"""Backends: what plays a chunk of games. Kernels are one, classes in plain Python in other processes another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np

from houle.analysis.players.line_ups import has_search, thinks
from houle.solver.errors import RulesError
from houle.solver.interface import blank
from houle.solver.os_calls import default_threads
from houle.solver.plain.processes import Pool
from houle.solver.plain.whole_games import can_play, play_whole_games
from houle.solver.players.kinds import THUMB
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup
from houle.solver.run.chunks import FIRST_CHUNK
from houle.solver.run.playout import Filled, play_chunk
from houle.solver.run.tally import Tally, blank_ledger

THINKING_CHUNK = 20  # games: a chunk costs about a millisecond for its memory and sums, a game of people who think too


@dataclass(frozen=True, eq=False)
class Play:
    """A way to play each game: who sits where, and which of several plays of the deal it is."""

    line_up: LineUp
    replay: int = 0
    offset: int = 0  # added to the game numbers, for line-ups with deals of their own


@dataclass(frozen=True)
class Keep:
    """What is kept of every game beside the tally."""

    ledger: bool = False
    openings: bool = False
    final_states: bool = False

    @property
    def states(self) -> bool:
        return self.openings or self.final_states


TALLY, LEDGER, OPENINGS, FINAL_STATES = Keep(), Keep(ledger=True), Keep(True, openings=True), Keep(final_states=True)


@dataclass(frozen=True)
class Chunk:
    """Some games of one line-up; arrays that were not kept are None."""

    tally: Tally
    ledger: Any = None  # LEDGER records, game x side
    openings: Any = None  # states after the deal
    final_states: Any = None


def check_scores(setup: Setup, tally: Tally) -> None:
    """Refuses games with scores outside the declared range, which kernels count at wrong places without notice.

    A score above the range is missing in the row of its side. One below it is counted as another score, which is
    noticed by the sum of points if all games have equally many entries.
    """
    games, entries, histogram = tally.games, tally.entries, tally.histogram
    missing = (histogram.sum(axis=1) != entries).any()
    if games * tally.entries_squared == entries**2:
        points = histogram @ np.arange(tally.lowest, tally.lowest + histogram.shape[1])
        missing |= (points * entries != tally.moments.points_entries * games).any()
    if missing:
        low, high = setup.score_range
        raise RulesError(f"{setup.ruleset.name}: scores are not within {low} to {high}, the declared range")


class Backend(Protocol):
    """Plays chunks of games."""

    def play(self, play: Play, seed: int, first: int, number: int, keep: Keep) -> Chunk: ...

    def first_chunk(self, play: Play) -> int:
        """The number of games of the first chunk, whose speed sets the size of the others; these are not smaller."""

    def workers(self, threads: int | None) -> int:
        """The number of threads that play chunks."""


class Kernels:
    """Compiled games."""

    def play(self, play: Play, seed: int, first: int, number: int, keep: Keep) -> Chunk:
        setup = play.line_up.setup
        ledger = blank_ledger(number, int(setup.rules[0].sides)) if keep.ledger else None
        openings = blank(setup.game.STATE, number) if keep.openings else None
        final_states = blank(setup.game.STATE, number) if keep.final_states else None
        kept = Filled(ledger=ledger, openings=openings, final_states=final_states)
        tally = play_chunk(play.line_up, seed, first + play.offset, number, replay=play.replay, **kept)
        check_scores(setup, tally)
        return Chunk(tally, ledger, openings, final_states)

    def first_chunk(self, play: Play) -> int:
        return 1 if has_search(play.line_up) else THINKING_CHUNK if thinks(play.line_up) else FIRST_CHUNK

    def workers(self, threads: int | None) -> int:
        return threads or default_threads()


def play_class(play: Play, seed: int, first: int, number: int, keep: Keep) -> Chunk:
    """A chunk of a class in plain Python: without states, unless somebody searches or states are kept."""
    line_up = play.line_up
    if keep.states or not can_play(line_up):
        return Kernels().play(play, seed, first, number, keep=keep)
    ledger = blank_ledger(number, int(line_up.setup.rules[0].sides)) if keep.ledger else None
    return Chunk(
        play_whole_games(line_up, seed, first + play.offset, number, replay=play.replay, ledger=ledger), ledger
    )


class Processes:
    """Games in plain Python: a process plays each chunk."""

    def __init__(self, play: Play) -> None:
        self.number = Pool.add(partial(play_class, play))

    def play(self, play: Play, seed: int, first: int, number: int, keep: Keep) -> Chunk:
        if number == 0:
            Pool.start()
        chunk: Chunk = Pool.call(self.number, seed, first, number, keep)
        return chunk

    def first_chunk(self, play: Play) -> int:
        return 4 if play.line_up.level <= THUMB else 1

    def workers(self, threads: int | None) -> int:
        return threads or default_threads()


class InThisProcess:
    """Games in plain Python without other processes."""

    def play(self, play: Play, seed: int, first: int, number: int, keep: Keep) -> Chunk:
        return play_class(play, seed, first, number, keep=keep)

    def first_chunk(self, play: Play) -> int:
        return 1

    def workers(self, threads: int | None) -> int:
        return 1


def backend_for(play: Play, threads: int | None = None) -> Backend:
    """The backend that plays a line-up."""
    if play.line_up.setup.game.is_compiled:
        return Kernels()
    return Processes(play) if threads != 1 else InThisProcess()


def count_games(line_up: LineUp, seed: int, first: int, number: int) -> Tally:
    """Play some games of a line-up in one go, in this process."""
    play = Play(line_up)
    if not line_up.setup.game.is_compiled:
        return play_class(play, seed, first, number, keep=TALLY).tally
    return Kernels().play(play, seed, first, number, keep=TALLY).tally
