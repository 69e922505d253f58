"""Several arms on the same deals: exact sums of what each reached, and of the pairs whose difference is asked for.

An arm says who plays under which rules. It has one result for each deal: the sum over its seatings. A team has one
seating; one better player among others has one for every side. Arms with the same number of players play the same game
numbers of a seed, so they share their luck as far as their rules allow. If differences are asked for, arms with another
number of players get game numbers of their own: their deals differ anyway, so they are independent and not paired.

A sample goes on where it stopped, and any arm may stop on its own. An arm always plays the first games of its numbers,
so it can be repeated by itself. A difference is taken on the deals that both arms played. Players that search play
fewer deals than others beside them.

Arms are played side by side, a chunk of games of each, or in groups one after another: then results that are slow to
come are known one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from houle.analysis.players.line_ups import has_search
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.backends import LEDGER, Chunk, Play
from houle.analysis.sampling.engine import play_games
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.plan import Plan
from houle.analysis.stats.moments import Moments
from houle.solver.errors import BudgetError
from houle.solver.players.names import Strategy
from houle.solver.players.player import LineUp
from houle.solver.rules import Setup, digest
from houle.solver.run.tally import Counts, Tally, result_digest

Pair = tuple[int, int]  # an arm, and the arm that it is compared with

BATCH_SIZE = 64  # arms that are played side by side; more are played batch after batch
MOST_KEPT = 2_000_000  # deals whose results are kept for a later group; longer runs play all arms side by side
STRETCH = 10**10  # game numbers reserved for each number of players; fixed, so that any part can be repeated
SLOWER, LEAST_SEARCHED = 20, 100  # players that search play a twentieth of the others' deals, but not fewer than these


def _rivals(ledger: Any, values: Any) -> Counts:
    """Values of games with several sides; 0 if there is one: a team that loses has no draw."""
    return np.asarray(values, np.int64) if ledger.shape[1] > 1 else np.zeros(len(ledger), np.int64)


# What is kept of a game, as whole numbers of its ledger and a side.
COLUMNS: Mapping[str, Callable[[Any, int], Counts]] = {
    "games": lambda ledger, side: np.ones(len(ledger), np.int64),
    "share": lambda ledger, side: ledger.share[:, side],
    "points": lambda ledger, side: ledger.points[:, side],
    "entries": lambda ledger, side: ledger.entries[:, side],
    "utility": lambda ledger, side: ledger.utility[:, side],
    "drawn": lambda ledger, side: _rivals(ledger, ledger.share.sum(axis=1) == 0),
    "spread": lambda ledger, side: _rivals(ledger, ledger.points.max(axis=1) - ledger.points.min(axis=1)),
    "turns": lambda ledger, side: ledger.turns[:, 0],
}
NAMES = tuple(COLUMNS)
OF_PAIR = tuple((which, name) for which in (0, 1) for name in NAMES)  # of the arm, and of the one it is compared with


@dataclass(frozen=True)
class Experiment:
    """Arms, the pairs whose difference will be asked for, and what is played after what."""

    arms: tuple[Arm, ...]
    pairs: tuple[Pair, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()  # arms that are played side by side, group after group; () for batches
    deals: tuple[int, ...] = ()  # of every arm, if they do not follow from who plays

    @classmethod
    def with_first(cls, arms: Iterable[Arm]) -> Self:
        """Every arm compared with the first."""
        every = tuple(arms)
        return cls(every, tuple((arm, 0) for arm in range(1, len(every))))

    def in_groups(self, deals: int) -> list[tuple[int, ...]]:
        """What is played side by side, if so many deals are played."""
        every = range(len(self.arms))
        batches = [tuple(every[start : start + BATCH_SIZE]) for start in every[::BATCH_SIZE]]
        groups = list(self.groups or batches)
        return groups if deals <= MOST_KEPT or not self.pairs else [tuple(every)]

    def deals_of(self, games: int) -> list[int]:
        """The deals of every arm, if `games` are asked for: fewer of those that search, unless all of them do."""
        if self.deals:
            return list(self.deals)
        searching = [any(has_search(line_up) for line_up, _ in arm.plays) for arm in self.arms]
        fewer = games if all(searching) else min(games, max(LEAST_SEARCHED, games // SLOWER))
        return [fewer if slow else games for slow in searching]

    def plan(self, games: int, name: str = "") -> Plan:
        """What is played before it is: for --dry-run and for progress."""
        stages: dict[int, list[LineUp]] = {}
        for arm, deals in zip(self.arms, self.deals_of(games), strict=True):
            stages.setdefault(deals, []).extend(line_up for line_up, _ in arm.plays)
        return Plan.of(*((name, distinct(some), deals) for deals, some in sorted(stages.items())))


def distinct(line_ups: Iterable[LineUp]) -> list[LineUp]:
    """Every line-up once, however many seatings use it."""
    return list({id(line_up): line_up for line_up in line_ups}.values())


@dataclass
class ArmSums:
    """What is kept of the deals of one arm."""

    tally: Tally  # of all its games
    moments: Moments  # of NAMES; the seatings of a deal are summed
    greatest: Counts  # of each column, in one deal
    lengths: Counter[int] = field(default_factory=Counter)  # deals by number of turns

    @classmethod
    def empty(cls, arm: Arm) -> ArmSums:
        return cls(Tally.empty(arm.setup), Moments.empty(NAMES), np.zeros(len(NAMES), np.int64))

    @classmethod
    def of(cls, tally: Tally, rows: Counts) -> ArmSums:
        """The sums of some deals, a row each."""
        counts = np.bincount(rows[:, NAMES.index("turns")])
        lengths = Counter({turns: int(counts[turns]) for turns in map(int, np.flatnonzero(counts))})
        return cls(tally, Moments.of(NAMES, rows), rows.max(axis=0, initial=0), lengths)

    @property
    def games(self) -> int:
        """Deals, under the name that chunks use."""
        return self.moments.clusters

    def add(self, other: ArmSums) -> None:
        self.tally.add(other.tally)
        self.moments.add(other.moments)
        self.greatest = np.maximum(self.greatest, other.greatest)
        self.lengths.update(other.lengths)


@dataclass
class PairSums:
    """What is kept of the deals that both arms of a pair played."""

    moments: Moments  # of OF_PAIR
    changed: Counts  # deals in which a column differs

    @classmethod
    def empty(cls) -> PairSums:
        return cls(Moments.empty(OF_PAIR), np.zeros(len(NAMES), np.int64))

    @classmethod
    def of(cls, mine: Counts, theirs: Counts) -> PairSums:
        """The sums of some deals, from a row of each arm."""
        differs = mine != theirs
        differs[:, NAMES.index("points")] |= differs[:, NAMES.index("entries")]  # a mean score depends on both
        return cls(Moments.of(OF_PAIR, np.concatenate([mine, theirs], axis=1)), differs.sum(axis=0))

    @property
    def deals(self) -> int:
        return self.moments.clusters

    @property
    def same(self) -> bool:
        """Whether both arms had equal results in every deal."""
        return not self.changed.any()

    def add(self, other: PairSums) -> None:
        self.moments.add(other.moments)
        self.changed = self.changed + other.changed


@dataclass
class _Part:
    """Some deals of the arms of a group; parts add up in any order."""

    games: int
    arms: dict[int, ArmSums]
    pairs: dict[Pair, PairSums]

    def add(self, other: _Part) -> None:
        self.games += other.games
        for arm, sums in other.arms.items():
            self.arms[arm].add(sums)
        for pair, both in other.pairs.items():
            self.pairs[pair].add(both)


@dataclass
class _Kept:
    """The rows of an arm for the groups after it."""

    begin: int  # its first deal
    rows: Counts

    def part(self, at: int, number: int) -> Counts | None:
        """The rows of some deals; None if the arm did not play all of them."""
        start = at - self.begin
        rows = self.rows[max(start, 0) : start + number]
        return rows if start >= 0 and len(rows) == number else None


Told = Callable[[int, "Sample"], None]  # hears of an arm that has all its deals


class Sample:
    """The sums of an experiment so far; `play` adds deals.

    With `whole`, a stretch that Ctrl-C cut short is dropped, so that results are those of a look, unless there is none.
    """

    def __init__(self, experiment: Experiment, spec: RunSpec, whole: bool = False) -> None:
        self.experiment, self.spec, self.whole = experiment, spec, whole
        self.arms, self.pairs = experiment.arms, experiment.pairs
        ranges = list(dict.fromkeys(arm.setup.players for arm in self.arms)) if self.pairs else []
        self.firsts = [spec.first + STRETCH * (ranges.index(arm.setup.players) if ranges else 0) for arm in self.arms]
        self.asked = [0] * len(self.arms)  # deals of every arm
        self.sums = [ArmSums.empty(arm) for arm in self.arms]
        self.both = {pair: PairSums.empty() for pair in self.pairs if self.paired(*pair)}
        self.left_out: list[tuple[str, str]] = []  # arms that do not fit into the budget of the run, and why
        self.seconds = 0.0  # of play, without compilation
        self.games = 0  # of all arms

    @property
    def seed(self) -> int:
        return self.spec.seed

    def tally(self, arm: int) -> Tally:
        return self.sums[arm].tally

    def deals(self, arm: int) -> int:
        return self.sums[arm].games

    def mean(self, arm: int, over: str, under: str = "games") -> float:
        """The sum of a column over that of another."""
        moments = self.sums[arm].moments
        return moments.sum(over) / max(moments.sum(under), 1)

    def paired(self, arm: int, other: int) -> bool:
        """Whether two arms play the same deals."""
        return self.firsts[arm] == self.firsts[other]

    @property
    def interrupted(self) -> bool:
        return any(self.deals(arm) < asked for arm, asked in enumerate(self.asked))

    @property
    def uneven(self) -> bool:
        """Whether arms have different numbers of deals."""
        return len({self.deals(arm) for arm in range(len(self.arms))}) > 1

    def digest_of(self, arm: int) -> str:
        """Identifies the result of an arm."""
        return digest_of(self.arms[arm], self.sums[arm], self.seed, self.firsts[arm])

    @property
    def digest(self) -> str:
        """Identifies all results: equal for equal integers, whatever the threads, chunks or machine."""
        own = [[self.digest_of(arm), sums.moments.as_data()] for arm, sums in enumerate(self.sums)]
        return digest({"arms": own, "pairs": [[*pair, both.moments.as_data()] for pair, both in self.both.items()]})

    def play(self, ends: int | Sequence[int], arms: Iterable[int] | None = None, tell: Told | None = None) -> bool:
        """Play arms (by default all) up to so many deals, or each to an end of its own; false after Ctrl-C.

        `tell` hears of each arm that has its deals, unless it is the last. Arms of later groups that do not fit into
        the budget of the run are left out.
        """
        chosen = list(range(len(self.arms)) if arms is None else arms)
        goal = dict(zip(chosen, [ends] * len(chosen) if isinstance(ends, int) else ends, strict=True))
        for arm, end in goal.items():
            self.asked[arm] = max(self.asked[arm], end)
        groups = [[arm for arm in group if arm in goal] for group in self.experiment.in_groups(max(goal.values()))]
        kept: dict[int, _Kept] = {}
        for number, group in enumerate(groups):
            later = {arm for some in groups[number + 1 :] for arm in some}
            kept = {arm: rows for arm, rows in kept.items() if self._partners(arm).intersection({*group, *later})}
            kept |= {arm: self._room(arm, goal[arm]) for arm in group if self._partners(arm).intersection(later)}
            try:
                whole = self._group({arm: goal[arm] for arm in group}, kept)
            except BudgetError as fault:
                if number == 0:
                    raise
                for arm in [*group, *later]:
                    self.asked[arm] = self.deals(arm)
                    self.left_out.append((self.arms[arm].label, str(fault)))
                return True
            if not whole:
                return False
            for arm in group if tell else ():
                tell(arm, self)  # type: ignore[misc]
        return True

    def _partners(self, arm: int) -> set[int]:
        return {one for pair in self.both if arm in pair for one in pair} - {arm}

    def _room(self, arm: int, end: int) -> _Kept:
        return _Kept(self.deals(arm), np.zeros((end - self.deals(arm), len(NAMES)), np.int64))

    def _group(self, goal: Mapping[int, int], kept: Mapping[int, _Kept]) -> bool:
        """Play some arms side by side, each to its end."""
        while left := [arm for arm, end in goal.items() if self.deals(arm) < end]:
            begin = min(map(self.deals, left))
            members = [arm for arm in left if self.deals(arm) == begin]
            stops = [goal[arm] for arm in members] + [self.deals(arm) for arm in left if self.deals(arm) > begin]
            if not self._stretch(members, begin, min(stops), kept):
                return False
        return True

    def _stretch(self, members: Sequence[int], begin: int, end: int, kept: Mapping[int, _Kept]) -> bool:
        """Play some arms from one deal to another; false after Ctrl-C."""
        if self.games and self.spec.watch.stopped:
            return False  # Ctrl-C came with the last game of a stretch
        seated = {
            (id(line_up), self.firsts[arm]): Play(line_up, offset=self.firsts[arm])
            for arm in members
            for line_up, _ in self.arms[arm].plays
        }
        place = {key: number for number, key in enumerate(seated)}
        around = {*members, *kept}
        pairs = [pair for pair in self.both if around.issuperset(pair) and not set(members).isdisjoint(pair)]
        total = _Part(
            0, {arm: ArmSums.empty(self.arms[arm]) for arm in members}, {pair: PairSums.empty() for pair in pairs}
        )

        def fold(chunks: list[Chunk], at: int) -> _Part:
            rows: dict[int, Counts] = {}
            sums: dict[int, ArmSums] = {}
            for arm in members:
                played = [
                    (chunks[place[id(line_up), self.firsts[arm]]], side) for line_up, side in self.arms[arm].plays
                ]
                rows[arm] = _rows(played)
                sums[arm] = ArmSums.of(_tally(self.arms[arm], [chunk for chunk, _ in played]), rows[arm])
            number = len(rows[members[0]])
            for arm, before in kept.items():
                known = before.part(at, number)
                if known is not None and arm in rows:
                    known[:] = rows[arm]
                elif known is not None:
                    rows[arm] = known
            both = {
                (one, other): PairSums.of(rows[one], rows[other])
                for one, other in pairs
                if one in rows and other in rows
            }
            return _Part(number, sums, both)

        run = self.spec.but(games=end - begin, first=begin)
        self.seconds += play_games(list(seated.values()), run, fold, total, keep=LEDGER)
        complete = total.games == end - begin
        if self.whole and begin and not complete:
            return False
        for arm, more in total.arms.items():
            self.sums[arm].add(more)
        for pair, both in total.pairs.items():
            self.both[pair].add(both)
        self.games += total.games * len(seated)
        return complete


def digest_of(arm: Arm, sums: ArmSums, seed: int, first: int) -> str:
    """Identifies the result of an arm; with one seating as `houle simulate` names the same games."""
    names = tuple(name for line_up, side in arm.seatings for name in (*line_up.digests, f"side {side}"))
    return result_digest(arm.setup, names or arm.line_up.digests, seed, first, tally=sums.tally)


def _rows(played: Sequence[tuple[Chunk, int]]) -> Counts:
    """A row of COLUMNS for each deal, summed over its seatings."""
    parts = [np.stack([column(chunk.ledger, side) for column in COLUMNS.values()], axis=1) for chunk, side in played]
    rows: Counts = parts[0] if len(parts) == 1 else np.sum(parts, axis=0)
    return rows


def _tally(arm: Arm, chunks: Sequence[Chunk]) -> Tally:
    if len(chunks) == 1:
        return chunks[0].tally
    total = Tally.empty(arm.setup)
    for chunk in chunks:
        total.add(chunk.tally)
    return total


def play(experiment: Experiment, spec: RunSpec, tell: Told | None = None) -> Sample:
    """Play every arm of an experiment. After Ctrl-C arms have fewer deals, and those of later groups none."""
    spec.begin(experiment.plan(spec.games))
    sample = Sample(experiment, spec)
    sample.play(experiment.deals_of(spec.games), tell=tell)
    return sample


def play_arms(arms: Sequence[Arm], spec: RunSpec) -> Sample:
    """Play arms that are not compared with each other, all with the same game numbers."""
    return play(Experiment(tuple(arms)), spec)


def against(setup: Setup, one: Strategy, others: Strategy | None, label: str = "") -> Arm:
    """One side with a strategy among all other sides with another, on every side in turn.

    In a game with one side the strategy plays all seats.
    """
    seats = setup.seats_by_side
    if len(seats) == 1 or others is None:
        return Arm(LineUp(setup, (one,) * setup.players), label=label)
    return arm_of(
        [
            (LineUp(setup, tuple(one if seat in own else others for seat in range(setup.players))), side)
            for side, own in seats.items()
        ],
        label,
    )


def arm_of(seatings: Sequence[tuple[LineUp, int]], label: str = "") -> Arm:
    """An arm that sums several seatings of a deal."""
    return Arm(seatings[0][0], label=label, seatings=tuple(seatings))


def other_sides(arm: Arm, label: str = "") -> Arm:
    """The same plays, with the results of all other sides."""
    sides = arm.setup.seats_by_side
    return arm_of([(line_up, side) for line_up, own in arm.plays for side in sides if side != own], label)
