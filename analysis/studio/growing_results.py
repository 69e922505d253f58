"""Games that grow while one watches: results so far, with intervals that hold at every look.

Games are added up to fixed counts, so what is shown after n games depends on n only, and the digest is that of a
command that plays n games at once.
"""

from __future__ import annotations

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, replace
from typing import Self

from houle.analysis.fairness.balance import CourseSums, sum_course
from houle.analysis.measures.goal import Goal
from houle.analysis.players.groups import Group
from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.backends import LEDGER, Chunk, Play
from houle.analysis.sampling.clustered_deals import Deals, same_deals
from houle.analysis.sampling.engine import play_games
from houle.analysis.sampling.rotation import Rotation, rotated
from houle.analysis.sampling.simulation import Simulation
from houle.analysis.stats.confidence_sequences import BetTuning, Prefix, Start, rate_sequence
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.analysis.stats.spread import spread
from houle.solver.compiler.kernels import JIT
from houle.solver.rules import Setup
from houle.solver.run import Run, default_threads
from houle.solver.run.tally import Tally, blank_ledger

FIRST = 100 if JIT else 4  # games that are shown first; uncompiled games take a quarter of a second
SOON = (FIRST, 300) if JIT else (FIRST, 12, 40, 100, 300)
PRECISION = 1.0  # percentage points at which the intervals are narrowest compared with others
CHUNK_SECONDS = 0.1  # games that are not wanted any more go on for at most about so long

Stop = Callable[[], bool]


@dataclass(frozen=True)
class Pace:
    """How far a kind of player is counted."""

    ends: tuple[int, ...]  # games after which results are shown
    sure: float  # half-width in percentage points at which a result is settled
    spare: float = 1.0  # share of `sure` that is reached while nothing else is left to count


FAST = Pace((*SOON, 1_000, *(1_000 * 2**i for i in range(1, 7))), 1.0, 0.5)
AMONG = Pace(FAST.ends, 2.0, 0.5)  # a rotated game costs as much as its seats
HABIT = Pace((*SOON, 1_000, 2_000, 4_000, 8_000), 2.0)  # in place of players that think, who follow
THINKING = Pace((*SOON, 1_000, 2_000, 4_000, 8_000), 2.0)
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


class _Countable(ABC):
    """Games that grow. One thread at a time adds some, and an interval is computed once."""

    grows: tuple[str, ...]  # the attributes that change with the games

    def __init__(self) -> None:
        self._adding = threading.Lock()
        self._rates: dict[int, Estimate] = {}
        self._past: dict[int, Self] = {}  # by number of games

    def at(self, games: int) -> Self:
        """The first so many games; all of them if results were never shown after so many."""
        return self._past.get(games, self)

    @property
    def shown_at(self) -> set[int]:
        """The numbers of games after which results were shown."""
        return {*self._past, self.games}

    def _keep(self: Self) -> None:
        """Keep the games so far as they are, before others are added."""
        one = copy(self)
        for name in self.grows:
            setattr(one, name, deepcopy(getattr(self, name)))
        self._past = {**self._past, self.games: one}  # a new mapping: a page may be reading the old one

    @property
    @abstractmethod
    def games(self) -> int: ...

    @abstractmethod
    def _add(self, number: int, stop: Stop) -> bool: ...

    @abstractmethod
    def _rate(self, side: int) -> Estimate: ...

    def play(self, end: int, stop: Stop) -> bool:
        """Add games up to `end`; false if it was stopped before, when none are added."""
        with self._adding:
            if 0 < self.games < end:
                self._keep()
            added = self.games >= end or self._add(end - self.games, stop)
            self._rates = {}  # not emptied: a page may be computing rates of the games before
        return added

    def rate(self, side: int = 0) -> Estimate:
        """The share of wins of a side, or the mean score where that is the goal."""
        known = self._rates
        if side not in known:
            known[side] = self._rate(side)
        return known[side]


class Growing(_Countable):
    """Games of one line-up."""

    grows = ("prefix", "course")

    def __init__(self, setup: Setup, strategies: str, seed: int, pace: Pace = FAST) -> None:
        super().__init__()
        self.line_up = line_up(setup, strategies)
        self.setup, self.seed, self.pace, self.goal = setup, seed, pace, Goal(setup)
        self.prefix = Prefix(PRECISION, Tally.empty(setup))
        self.course = self._course(0, None)
        self.seconds = 0.0

    def _course(self, draws: int, ledger: object) -> CourseSums:
        rows = blank_ledger(0, int(self.setup.rules[0].sides)) if ledger is None else ledger
        return sum_course(rows, self.setup, draws)

    @property
    def games(self) -> int:
        return self.prefix.tally.games

    def _add(self, number: int, stop: Stop) -> bool:
        total = _Both(Tally.empty(self.setup), self._course(0, None))

        def fold(chunks: list[Chunk], _: int) -> _Both:
            return _Both(chunks[0].tally, self._course(chunks[0].tally.draws, chunks[0].ledger))

        spec = a_while(self.setup, number, self.seed, self.games, stop)
        chunk = _chunk(number, self.games, self.seconds)
        self.seconds += play_games([Play(self.line_up)], spec, fold, total, LEDGER, chunk)
        if total.games < number:
            return False
        self.prefix.add(total.tally)
        self.course.add(total.course)
        return True

    def _rate(self, side: int) -> Estimate:
        return self.prefix.score(side).interval if self.goal.is_score else self.prefix.win(side)

    @property
    def half(self) -> float:
        """The half-width of what was played, in percent of all that is possible."""
        return 100 * self.rate().half / self.goal.span if self.games else 100.0

    @property
    def alike(self) -> Growing | None:
        """Games in which all seats play like this; they have lengths, scores and seats."""
        return self

    @property
    def result(self) -> Simulation:
        return Simulation(Run(self.setup, self.line_up, self.seed, 0, self.prefix.tally, self.games, self.seconds))


class GrowingRotation(_Countable):
    """One player among others, in every seat in turn; games are deals."""

    alike = None
    grows = ("deals",)

    def __init__(self, setup: Setup, player: str, others: str, seed: int, pace: Pace = AMONG) -> None:
        super().__init__()
        self.line_up = line_up(setup, [player, *[others] * (setup.players - 1)])
        self.setup, self.seed, self.pace = setup, seed, pace
        self.arms = rotated(self.line_up)
        self.deals = Deals.empty(tuple(map(len, self.arms)))
        self.start: Start | None = None
        self.seconds = 0.0

    @property
    def games(self) -> int:
        return self.deals.number

    def _add(self, number: int, stop: Stop) -> bool:
        played = same_deals(self.arms, a_while(self.setup, number, self.seed, self.games, stop))
        self.seconds += played.seconds
        if played.number < number:
            return False
        self.deals.add(played)
        if self.start is None and self.games >= 1_000:
            self.start = Start(self.games, self._won(0))
        return True

    def _won(self, player: int) -> float:
        """Sum over deals of the player's mean share of the win."""
        return self.deals.moments.sum((player, "share")) / (WHOLE_WIN * self.deals.plays[player])

    def _rate(self, side: int) -> Estimate:
        return rate_sequence(self._won(side), self.games, BetTuning(PRECISION), self.start if side == 0 else None)

    @property
    def half(self) -> float:
        return 100 * self.rate().half if self.games else 100.0

    @property
    def result(self) -> Rotation:
        return Rotation(self.line_up, self.arms, self.deals, RunSpec(self.games, self.seed))


Played = Growing | GrowingRotation


class GrowingGroup:
    """A group of people: the middle of its points, and all of its equally likely points.

    The interval holds what all of them win, because more games do not tell which of them the group is at.
    """

    def __init__(self, group: Group, points: Sequence[Played]) -> None:
        """`points`: the middle first, which plays as many games as all others together."""
        self.group, self.points = group, tuple(points)
        self.setup, self.line_up, self.pace = points[0].setup, points[0].line_up, points[0].pace

    @property
    def games(self) -> int:
        return self.points[0].games

    @property
    def seconds(self) -> float:
        return sum(one.seconds for one in self.points)

    def play(self, end: int, stop: Stop) -> bool:
        each = -(-end // len(self.group.points))
        first = [(one, each) for one in self.points[1:]]  # the middle last: it says how many games there are
        return all(one.play(games, stop) for one, games in [*first, (self.points[0], end)] if one.games < games)

    def at(self, games: int) -> GrowingGroup:
        """The results after so many games of the middle."""
        each = -(-games // len(self.group.points))
        return GrowingGroup(self.group, [self.points[0].at(games), *(one.at(each) for one in self.points[1:])])

    @property
    def shown_at(self) -> set[int]:
        return self.points[0].shown_at

    def rate(self, side: int = 0) -> Estimate:
        least, most = Goal(self.setup).ends
        return self._over([one.rate(side) for one in self.points[1:]], least, most)

    def against(self, before: GrowingGroup) -> Estimate:
        """By how much the group reaches more than with other rules, at whichever point it is."""
        span, both = float(Goal(self.setup).span), zip(self.points[1:], before.points[1:], strict=True)
        return self._over([mine.rate().difference(other.rate()) for mine, other in both], -span, span)

    def _over(self, every: Sequence[Estimate], least: float, most: float) -> Estimate:
        """One estimate over those of all points; the end beyond the plane is open."""
        whole, beyond = spread(every), self.group.beyond
        return replace(whole, low=least if beyond < 0 else whole.low, high=most if beyond > 0 else whole.high)

    @property
    def half(self) -> float:
        return self.points[0].half

    @property
    def alike(self) -> Growing | None:
        return self.points[0].alike

    @property
    def result(self) -> Simulation | Rotation:
        return self.points[0].result


Grown = Played | GrowingGroup


def on_same_deals(mine: Grown, before: Grown) -> tuple[Grown, Grown]:
    """Both after as many games as both have played; as they are while one of them has none."""
    games = max((mine.shown_at & before.shown_at) - {0}, default=0)
    return (mine.at(games), before.at(games)) if games else (mine, before)


def difference(mine: Grown, before: Grown) -> Estimate:
    """By how much more players reach with the first rules than with the second.

    Both play the same deals, which makes their difference no more uncertain than that of independent games.
    """
    if isinstance(mine, GrowingGroup) and isinstance(before, GrowingGroup):
        return mine.against(before)
    return mine.rate().difference(before.rate())


def settled(one: Grown) -> bool:
    return one.games > 0 and one.half <= one.pace.sure


def finished(one: Grown) -> bool:
    """Whether players get no more games."""
    if one.games >= one.pace.ends[-1]:
        return True
    return one.games >= one.pace.ends[1] and one.half <= one.pace.sure * one.pace.spare


@dataclass
class _Stopping:
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
