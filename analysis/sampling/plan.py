"""What an analysis will play, known before it plays: dry runs, progress bars and estimates of time come from here.

A plan has stages, one after another. In a stage every line-up plays the same games. Each analysis has a function that
makes its plan, and plays by it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.backends import count_games
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.solver.players.kinds import CLAIRVOYANT, FLAT, ISMCTS, LEVEL, RANDOM, THUMB
from houle.solver.players.names import KINDS
from houle.solver.players.player import LineUp
from houle.solver.run import default_threads

# Rough work per game, in units of a game of random play; for searches per world or simulation.
WORK = {RANDOM: 1, THUMB: 10, FLAT: 100, ISMCTS: 30, CLAIRVOYANT: 1_000, LEVEL: 100}
PILOT_SECONDS = 0.02  # of play, enough to measure the speed of a setup


def work_of(line_up: LineUp) -> float:
    """Rough work of a game of these players, for progress bars: a search is more work than many games without."""
    return sum(WORK[KINDS[each.name]] * max(1, each.budget) for each in line_up.strategies)


@dataclass(frozen=True)
class Stage:
    """Line-ups that play the same games."""

    name: str  # for people
    line_ups: Sequence[LineUp]
    games: int  # of each line-up

    @property
    def total(self) -> int:
        return self.games * len(self.line_ups)


@dataclass(frozen=True)
class Plan:
    """The stages of a run."""

    stages: tuple[Stage, ...]
    left_out: tuple[tuple[str, str], ...] = ()  # players that cannot play, and why

    @classmethod
    def of(cls, *stages: tuple[str, Sequence[LineUp], int], left_out: Iterable[tuple[str, str]] = ()) -> Plan:
        """Stages by name, line-ups and games; those without games are dropped."""
        every = [Stage(*stage) for stage in stages]
        return cls(tuple(stage for stage in every if stage.total), tuple(left_out))

    def __add__(self, other: Plan) -> Plan:
        return Plan(self.stages + other.stages, self.left_out + other.left_out)

    @property
    def games(self) -> int:
        return sum(stage.total for stage in self.stages)

    @property
    def work(self) -> float:
        return sum(stage.games * sum(map(work_of, stage.line_ups)) for stage in self.stages)

    def seconds(self, spec: RunSpec) -> float:
        """About how long the run takes on this machine, from a few games of every line-up.

        A game with a search takes long to time. If several such line-ups differ only in knobs, one is timed for all.
        """
        rates: dict[object, float] = {}
        seconds = 0.0
        for stage in self.stages:
            for line_up in stage.line_ups:
                setup, who = line_up.setup, line_up.names
                alike: object = (setup.digest, who) if line_up.level <= THUMB else (setup.players, setup.variants, who)
                if alike not in rates:
                    rates[alike] = play_pilot(line_up, spec.seed, stage.games).rate
                seconds += stage.games / rates[alike]
        return seconds / (spec.threads or default_threads())


@dataclass(frozen=True)
class Pilot:
    """What a few games show."""

    rate: float  # games a second on one thread
    shares: tuple[float, ...]  # each side's win rate, for forecasts


def play_pilot(line_up: LineUp, seed: int, most: int, enough: float = PILOT_SECONDS) -> Pilot:
    """Play the first games of a seed, at most `most`, until they took long enough to measure.

    Time is that of this thread, so that others on the machine do not count; classes are played by other processes.
    """
    clock = time.thread_time if line_up.setup.game.is_compiled else time.perf_counter
    count_games(line_up, seed, 0, 0)  # compiles before the time is taken
    number = 1
    while True:
        start = clock()
        tally = count_games(line_up, seed, 0, number)
        seconds = max(clock() - start, 1e-7)
        if seconds >= enough or number >= most:
            break
        number = min(most, number * max(2, min(16, int(enough / seconds) + 1)))
    return Pilot(number / seconds, tuple((int(row.share) / WHOLE_WIN + 0.5) / (number + 1) for row in tally.moments))
