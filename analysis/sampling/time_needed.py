"""How long a run will take on this machine, measured on a few games of every kind."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from houle.analysis.sampling.backends import count_games
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.solver.players.names import THUMB
from houle.solver.players.player import LineUp
from houle.solver.run import default_threads

PILOT_SECONDS = 0.02  # of play, enough to measure the speed of a setup


@dataclass(frozen=True)
class Pilot:
    """What a few games show."""

    rate: float  # games a second on one thread
    shares: tuple[float, ...]  # each side's win rate, for forecasts


def play_pilot(line_up: LineUp, seed: int, most: int) -> Pilot:
    """Play the first games of a seed, at most `most`, until they took long enough to measure."""
    count_games(line_up, seed, 0, 0)  # compiles before the time is taken
    number = 1
    while True:
        start = time.perf_counter()
        tally = count_games(line_up, seed, 0, number)
        seconds = max(time.perf_counter() - start, 1e-7)
        if seconds >= PILOT_SECONDS or number >= most:
            break
        number = min(most, number * max(2, min(16, int(PILOT_SECONDS / seconds) + 1)))
    return Pilot(number / seconds, tuple((int(row.share) / WHOLE_WIN + 0.5) / (number + 1) for row in tally.moments))


@dataclass(frozen=True)
class TimeNeeded:
    """Games, time and threads that a run will take."""

    games: int
    seconds: float
    threads: int


def time_needed(parts: Iterable[tuple[Sequence[Arm], int]], seed: int, threads: int | None = None) -> TimeNeeded:
    """How long the parts of a run take: for each part its arms, and the games of each arm.

    Arms with players that search take seconds to time. If several differ only in knobs, one is timed for all of them.
    """
    workers = threads or default_threads()
    rates: dict[tuple[object, ...], float] = {}
    games, seconds = 0, 0.0
    for part, (arms, number) in enumerate(parts):
        for i, arm in enumerate(arms):
            kind: tuple[object, ...] = (arm.setup.players, arm.setup.variants, arm.strategies)
            if arm.line_up.level <= THUMB:
                kind = (part, i)
            if kind not in rates:
                rates[kind] = play_pilot(arm.line_up, seed, number).rate
            games, seconds = games + number, seconds + number / rates[kind]
    return TimeNeeded(games, seconds / workers, workers)
