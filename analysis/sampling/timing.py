"""How fast a table is played here, and how long a grid will take: a few games of every kind, timed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.solver.ruleset import Setup
from houle.solver.run import default_threads, play_chunk
from houle.solver.strategies.names import THUMB

PILOT_SECONDS = 0.02  # of play that tell how fast a table is


@dataclass(frozen=True)
class Pilot:
    """A few games of a table."""

    rate: float  # games a second on one thread
    shares: tuple[float, ...]  # each side's win rate, for forecasts


def play_pilot(setup: Setup, strategies: tuple[str, ...], seed: int, most: int) -> Pilot:
    """Plays the first games of a seed, at most so many, until they took long enough to tell."""
    play_chunk(setup, strategies, seed, 0, 0)  # compiles, outside the clock
    number = 1
    while True:
        start = time.perf_counter()
        tally = play_chunk(setup, strategies, seed, 0, number)
        seconds = max(time.perf_counter() - start, 1e-7)
        if seconds >= PILOT_SECONDS or number >= most:
            break
        number = min(most, number * max(2, min(16, int(PILOT_SECONDS / seconds) + 1)))
    return Pilot(number / seconds, tuple((int(row.share) / WHOLE_WIN + 0.5) / (number + 1) for row in tally.moments))


@dataclass(frozen=True)
class TimeNeeded:
    """What a run will take."""

    games: int
    seconds: float
    threads: int


def time_needed(parts: Iterable[tuple[Sequence[Arm], int]], seed: int, threads: int | None = None) -> TimeNeeded:
    """What so many games of every arm take, for each part of a run.

    Arms that search cost seconds to try: of those that differ in knobs alone, one stands for all.
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
                rates[kind] = play_pilot(arm.setup, arm.strategies, seed, number).rate
            games, seconds = games + number, seconds + number / rates[kind]
    return TimeNeeded(games, seconds / workers, workers)
