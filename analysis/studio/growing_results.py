"""Games that grow while one watches: results at fixed looks, with intervals that hold at all of them.

Games are added up to fixed counts, so what is shown after n games depends on n only, and the digest is that of a
command that plays n games at once.
"""

from __future__ import annotations

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

from houle.analysis.explain.balance import CourseSums, sum_course
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.measures import estimate_of
from houle.analysis.players.line_ups import line_up, read_strategy
from houle.analysis.result import command_line, words_of_setup
from houle.analysis.run_options import Progress, RunSpec
from houle.analysis.sampling.backends import LEDGER, Chunk, Play
from houle.analysis.sampling.engine import play_games
from houle.analysis.sampling.experiment import ArmSums, Experiment, Sample, against, digest_of
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import mean_score
from houle.analysis.stats.looks import confidence_at, exact_rate, few, win_rate_at
from houle.analysis.stats.seat_gap import SeatGap, seat_gap_of
from houle.solver.compiler.kernels import JIT
from houle.solver.rules import Setup
from houle.solver.run import default_threads
from houle.solver.run.tally import Tally, blank_ledger, result_digest

FIRST = 100 if JIT else 4  # games that are shown first; uncompiled games take a quarter of a second
CHUNK_SECONDS = 0.1  # games that are not wanted any more go on for at most about so long

Stop = Callable[[], bool]


@dataclass(frozen=True)
class Pace:
    """How far a kind of player is counted."""

    ends: tuple[int, ...]  # games after which results are shown
    sure: float  # half-width at which a result is known, as in `half`


# After the last of these games every win rate is known to two points.
PEOPLE = Pace((*(() if JIT else (FIRST, 12, 40)), 100, 600, 1_300, 3_500, 4_500), 2.0)
# Where players compete, whether the seats are fair takes more games. A gap of a width of three points is known.
SEATS = Pace((*PEOPLE.ends, 10_000, 20_000), 1.5)
PLANNING = Pace((4, 8, 16, 32, 64, 96, 128), 7.0)


@dataclass
class _Both:
    """What is kept of a chunk: the tally, and the course of its games."""

    tally: Tally
    course: CourseSums

    @property
    def games(self) -> int:
        return self.tally.games

    def add(self, other: _Both) -> None:
        self.tally.add(other.tally)
        self.course.add(other.course)


Sums = TypeVar("Sums", _Both, ArmSums)


class _Countable(ABC, Generic[Sums]):
    """Games that grow from look to look. One thread at a time adds some, and an interval is computed once."""

    setup: Setup
    seed: int
    pace: Pace

    def __init__(self) -> None:
        self._adding = threading.Lock()
        self._rates: dict[int, Estimate] = {}
        self.sums: Sums = self._empty()
        self._looks: dict[int, Sums] = {}  # the sums at each look, by number of games

    def at(self, games: int) -> Self:
        """The first so many games; all of them if there was no look after so many."""
        one = copy(self)
        one.sums, one._rates = self._looks.get(games, self.sums), {}
        return one

    @property
    def shown_at(self) -> set[int]:
        """The numbers of games after which results were shown."""
        return set(self._looks)

    @property
    def games(self) -> int:
        return self.sums.games

    @property
    def confidence(self) -> float:
        """Of the interval at each look."""
        return confidence_at(len(self.pace.ends))

    @abstractmethod
    def _empty(self) -> Sums: ...

    @abstractmethod
    def _played(self, number: int, stop: Stop) -> Sums:
        """The next so many games; fewer if it was stopped before."""

    @abstractmethod
    def _rate(self, side: int) -> Estimate: ...

    def play(self, end: int, stop: Stop) -> bool:
        """Add games up to `end`; false if it was stopped before, when none are added."""
        with self._adding:
            if self.games >= end:
                return True
            part = self._played(end - self.games, stop)
            if part.games < end - self.games:
                return False
            total = self._empty()  # new sums: a page may be reading those of the last look
            total.add(self.sums)
            total.add(part)
            self.sums, self._looks, self._rates = total, {**self._looks, end: total}, {}
            return True

    def _typed(self, command: str, who: str) -> str:
        words = [command, *words_of_setup(self.setup), "-s", who, "-n", str(self.games), "--seed", str(self.seed)]
        return command_line(words, self.setup)

    @property
    def half(self) -> float:
        """The half-width in percentage points."""
        return 100 * self.rate().half if self.games else 100.0

    def rate(self, side: int = 0) -> Estimate:
        """The share of wins of a side, or the mean score where that is the goal."""
        known = self._rates
        if side not in known:
            known[side] = self._rate(side)
        return known[side]


class Growing(_Countable[_Both]):
    """Games of one line-up."""

    def __init__(self, setup: Setup, strategies: str, seed: int, pace: Pace = PEOPLE) -> None:
        self.line_up = line_up(setup, strategies)
        self.setup, self.seed, self.pace, self.goal = setup, seed, pace, Goal(setup)
        self.seconds = 0.0
        super().__init__()

    def _course(self, draws: int, ledger: object) -> CourseSums:
        rows = blank_ledger(0, int(self.setup.rules[0].sides)) if ledger is None else ledger
        return sum_course(rows, self.setup, draws)

    def _empty(self) -> _Both:
        return _Both(Tally.empty(self.setup), self._course(0, None))

    @property
    def tally(self) -> Tally:
        return self.sums.tally

    @property
    def course(self) -> CourseSums:
        return self.sums.course

    def _played(self, number: int, stop: Stop) -> _Both:
        total = self._empty()

        def fold(chunks: list[Chunk], _: int) -> _Both:
            return _Both(chunks[0].tally, self._course(chunks[0].tally.draws, chunks[0].ledger))

        spec = a_while(self.setup, number, self.seed, self.games, stop=stop)
        chunk = _chunk(number, self.games, self.seconds)
        self.seconds += play_games([Play(self.line_up)], spec, fold, total, keep=LEDGER, chunk=chunk)
        return total

    def _rate(self, side: int) -> Estimate:
        if self.goal.is_score:
            return mean_score(self.tally, side, self.confidence).interval
        return win_rate_at(self.tally, side, self.confidence)

    @property
    def gap(self) -> SeatGap | None:
        """How many more of the games the best seat wins than the worst; None where sides cannot be compared."""
        return seat_gap_of(self.tally, self.confidence) if self.pace is SEATS else None

    @property
    def half(self) -> float:
        """The half-width in percentage points, also of a gap; of scores in twentieths of their standard deviation."""
        if self.games and (gap := self.gap):
            return 100 * gap.interval.half
        if not self.goal.is_score or not self.games:
            return super().half
        return 20 * self.rate().half / max(mean_score(self.tally, 0).sd, 1e-9)

    @property
    def alike(self) -> Growing | None:
        """Games in which all seats play like this; they have lengths, scores and seats."""
        return self

    @property
    def command(self) -> str:
        """The command that plays the same games."""
        return self._typed("simulate", ",".join(dict.fromkeys(self.line_up.names)))

    @property
    def digest(self) -> str:
        """Identifies the result, as that command names it."""
        return result_digest(self.setup, self.line_up.digests, self.seed, first=0, tally=self.tally)


class GrowingAmong(_Countable[ArmSums]):
    """One better player among others, in every seat in turn; games are deals."""

    alike = None

    def __init__(self, setup: Setup, player: str, others: str, seed: int, pace: Pace = PEOPLE) -> None:
        self.arm = against(setup, read_strategy(player, setup), read_strategy(others, setup), player)
        self.line_up, self.who = self.arm.line_up, f"{others},{player}"
        self.setup, self.seed, self.pace = setup, seed, pace
        self.seconds = 0.0
        super().__init__()

    def _empty(self) -> ArmSums:
        return ArmSums.empty(self.arm)

    def _played(self, number: int, stop: Stop) -> ArmSums:
        sample = Sample(Experiment((self.arm,)), a_while(self.setup, number, self.seed, self.games, stop=stop))
        sample.play(number)
        self.seconds += sample.seconds
        return sample.sums[0]

    def _rate(self, side: int) -> Estimate:
        won = self.games * estimate_of(self.arm, self.sums, "win").value if self.games else 0.0
        if few(won, self.games):
            return exact_rate(won, won, self.games, self.confidence)
        return estimate_of(self.arm, self.sums, "win", self.confidence)

    @property
    def command(self) -> str:
        """The command that plays the same games."""
        return self._typed("strength", self.who)

    @property
    def digest(self) -> str:
        """Identifies the result, as the row of that command names it."""
        return digest_of(self.arm, self.sums, self.seed, 0)


Played = Growing | GrowingAmong


def on_same_deals(mine: Played, before: Played) -> tuple[Played, Played]:
    """Both after as many games as both have played; as they are while one of them has none."""
    games = max((mine.shown_at & before.shown_at) - {0}, default=0)
    return (mine.at(games), before.at(games)) if games else (mine, before)


def difference(mine: Played, before: Played) -> Estimate:
    """By how much more players reach with the first rules than with the second.

    Both play the same deals, which makes their difference no more uncertain than that of independent games.
    """
    return mine.rate().difference(before.rate())


def settled(one: Played) -> bool:
    return one.games > 0 and one.half <= one.pace.sure


def finished(one: Played) -> bool:
    """Whether players get no more games."""
    return one.games >= one.pace.ends[-1] or (one.games >= one.pace.ends[1] and settled(one))


@dataclass
class _Stopping(Progress):
    """A progress that ends a run as Ctrl-C does."""

    stop: Stop
    budget: float = math.inf  # a reader may leave at any time

    def __call__(self, games: int, seconds: float) -> None:
        if self.stop():
            raise KeyboardInterrupt


def a_while(setup: Setup, games: int, seed: int, first: int, stop: Stop) -> RunSpec:
    """A run that ends when `stop` says so. A class in plain Python plays here: the server has threads, so no forks."""
    return RunSpec(games, seed, first, None if setup.game.is_compiled else 1, progress=_Stopping(stop))


def _chunk(number: int, games: int, seconds: float) -> int | None:
    """Games of a chunk: a thread's share, but no more than can be played in the time of a chunk."""
    share = -(-number // (2 * default_threads()))
    return share if not seconds else max(1, min(share, int(games / seconds * CHUNK_SECONDS)))
