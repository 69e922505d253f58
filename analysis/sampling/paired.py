"""Several arms on the same games: a tally of each, and exact sums that pair every arm with the first.

Arms with the same number of players play the same game numbers of a seed, so they share their luck as far as their
rules allow. With another number of players the deals differ anyway. Such arms get their own game numbers, are
independent of the first arm, and are not paired.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.moments import Moments
from houle.solver.ruleset import digest
from houle.solver.run import Progress, first_chunk, in_chunks, play_chunk
from houle.solver.tally import Counts, Tally, blank_ledger

# What is kept of a game, as whole numbers: 1, the first side's share and points, entries, whether nobody won, points
# between the best and the worst side, turns.
COLUMNS = ("games", "share", "points", "entries", "drawn", "spread", "turns")
FIRST_ARM = tuple(f"first {name}" for name in COLUMNS)  # the same of the first arm, if games are paired
MATCHUP = ("share", "share before")  # if every arm is also paired with the one before
STRETCH = 10**10  # game numbers reserved for each number of players; fixed, so that any part can be repeated
BATCH_SIZE = 64  # arms that are played side by side; more are played batch after batch


@dataclass
class Sums:
    """The sums over games of one arm, paired with the same games of the first arm."""

    tally: Tally
    moments: Moments  # of COLUMNS, and of FIRST_ARM if games are paired
    changed: Counts  # per column, games that differ from the first arm
    greatest: Counts  # the greatest number in each column
    matchup: Moments  # of MATCHUP; empty if arms are not paired with the one before

    @classmethod
    def empty(cls, arm: Arm, paired: bool) -> Sums:
        columns = COLUMNS + FIRST_ARM if paired else COLUMNS
        nothing = np.zeros(len(COLUMNS), np.int64)
        return cls(Tally.empty(arm.setup), Moments.empty(columns), nothing, nothing, Moments.empty(MATCHUP))

    @classmethod
    def of(cls, tally: Tally, rows: Counts, first_arm: Counts | None, before: Counts | None = None) -> Sums:
        """Sums of some games, a row each, with the rows of the first arm and of the arm before; None for no pairs."""
        greatest, share = rows.max(axis=0, initial=0), COLUMNS.index("share")
        matchup = Moments.empty(MATCHUP)
        if before is not None:
            matchup = Moments.of(MATCHUP, np.stack([rows[:, share], before[:, share]], axis=1))
        if first_arm is None:
            return cls(tally, Moments.of(COLUMNS, rows), np.zeros(len(COLUMNS), np.int64), greatest, matchup)
        both = np.concatenate([rows, first_arm], axis=1)
        differs = rows != first_arm
        points, entries = COLUMNS.index("points"), COLUMNS.index("entries")
        differs[:, points] |= differs[:, entries]  # a mean score depends on both
        return cls(tally, Moments.of(COLUMNS + FIRST_ARM, both), differs.sum(axis=0), greatest, matchup)

    @property
    def paired(self) -> bool:
        return len(self.moments.columns) > len(COLUMNS)

    def add(self, other: Sums) -> None:
        self.tally.add(other.tally)
        self.moments.add(other.moments)
        self.changed = self.changed + other.changed
        self.greatest = np.maximum(self.greatest, other.greatest)
        self.matchup.add(other.matchup)

    def as_data(self) -> tuple[list[Any], list[Any]]:
        """The integers for a digest: products of the arm's own columns, and products with the first arm's."""
        own = len(COLUMNS)
        products = self.moments.products[:own]
        crossed = products[:, own:] if self.paired else np.zeros((own, own), np.int64)
        return products[:, :own].tolist(), crossed.tolist()


@dataclass
class Batch:
    """Arms that are played side by side; batches of the same arms add up in any order."""

    number: int  # games of each arm, or of the one that played most
    arms: list[Sums]

    @property
    def games(self) -> int:
        return self.number

    def add(self, other: Batch) -> None:
        self.number += other.number
        for mine, theirs in zip(self.arms, other.arms, strict=True):
            mine.add(theirs)

    def as_data(self) -> list[Any]:
        """The integers, for digests: all arms' own products, then those with the first arm."""
        return [list(part) for part in zip(*(arm.as_data() for arm in self.arms), strict=True)]


@dataclass(frozen=True)
class Played:
    """Arms, and the sums of their games."""

    arms: tuple[Arm, ...]
    firsts: tuple[int, ...]  # number of each arm's first game
    seed: int
    asked: int  # games asked of the arm that plays most; after an interruption fewer were played
    batches: tuple[Batch, ...]  # the arms in groups of BATCH_SIZE
    seconds: float
    counts: tuple[int, ...] = ()  # games asked of every arm, if they differ

    @property
    def interrupted(self) -> bool:
        return any(self.tally(arm).games < self.asked_of(arm) for arm in range(len(self.arms)))

    def asked_of(self, arm: int) -> int:
        return self.counts[arm] if self.counts else self.asked

    @property
    def uneven(self) -> bool:
        """Whether arms have different numbers of games."""
        return len({self.tally(arm).games for arm in range(len(self.arms))}) > 1

    def sums(self, arm: int) -> Sums:
        return self.batches[arm // BATCH_SIZE].arms[arm % BATCH_SIZE]

    def tally(self, arm: int) -> Tally:
        return self.sums(arm).tally

    def paired(self, arm: int) -> bool:
        """Whether an arm played the games of the first arm, in the same batch."""
        return arm < BATCH_SIZE and self.firsts[arm] == self.firsts[0]

    @property
    def games(self) -> int:
        """Games of all arms together."""
        return sum(self.tally(arm).games for arm in range(len(self.arms)))

    @property
    def digest(self) -> str:
        """Identifies the result: equal for equal integers, whatever the threads, chunks or machine."""
        return digest(
            {
                "arms": [
                    [arm.setup.digest, list(arm.line_up.digests), first]
                    for arm, first in zip(self.arms, self.firsts, strict=True)
                ],
                "seed": self.seed,
                "tallies": [self.tally(arm).as_data() for arm in range(len(self.arms))],
                "sums": [batch.as_data() for batch in self.batches],
            }
        )


def first_games(arms: Sequence[Arm], first: int = 0) -> tuple[int, ...]:
    """The first game number of each arm: every number of players has its own range of game numbers."""
    counts = list(dict.fromkeys(arm.setup.players for arm in arms))
    return tuple(first + STRETCH * counts.index(arm.setup.players) for arm in arms)


def columns(ledger: Any) -> Counts:
    """A row of COLUMNS for each game of a ledger."""
    share, points = ledger.share, ledger.points
    nothing = np.zeros(len(ledger), np.int64)
    rivals = points.shape[1] > 1  # with one side, a lost game is no draw
    return np.stack(
        [
            nothing + 1,
            share[:, 0],
            points[:, 0],
            ledger.entries[:, 0],
            share.sum(axis=1) == 0 if rivals else nothing,
            points.max(axis=1) - points.min(axis=1) if rivals else nothing,
            ledger.turns[:, 0],
        ],
        axis=1,
    )


def play_games(
    arms: Sequence[Arm],
    firsts: Sequence[int],
    seed: int,
    begin: int,
    number: int,
    pairs: bool = True,
    matchups: bool = False,
) -> Batch:
    """Play games begin .. begin + number - 1 of every arm, counted from its own first game.

    `pairs`: pair them with the first arm. `matchups`: also pair wins with the arm before.
    """
    sums: list[Sums] = []
    first_rows: Counts | None = None
    before: Counts | None = None
    for arm, first in zip(arms, firsts, strict=True):
        ledger = blank_ledger(number, int(arm.setup.rules[0].sides))
        tally = play_chunk(arm.setup, arm.line_up, seed, first + begin, number, ledger=ledger)
        rows = columns(ledger)
        first_rows = rows if first_rows is None else first_rows
        sums.append(Sums.of(tally, rows, first_rows if pairs and first == firsts[0] else None, before))
        before = rows if matchups else None
    return Batch(number, sums)


def play_arms(
    arms: Sequence[Arm],
    seed: int,
    games: int,
    threads: int | None = None,
    progress: Progress | None = None,
    first: int = 0,
    pairs: bool = True,
    matchups: bool = False,
) -> Played:
    """Play the same number of games of every arm. After Ctrl-C all arms of a batch have equally many, fewer games.

    Without `pairs` all arms play the same game numbers, whatever their number of players. `matchups`: each arm is also
    paired with the one before; all must have the same number of players.
    """
    firsts = first_games(arms, first) if pairs else (first,) * len(arms)
    batches: list[Batch] = []
    seconds, before = 0.0, 0
    for start in range(0, len(arms), BATCH_SIZE):
        some, begins = arms[start : start + BATCH_SIZE], firsts[start : start + BATCH_SIZE]
        total = Batch(0, [Sums.empty(arm, begin == begins[0]) for arm, begin in zip(some, begins, strict=True)])
        if not batches or batches[-1].number == games:
            play_games(some, begins, seed, 0, 0)  # compiles once, before several threads would
            watched = after(progress, before, len(some), seconds)
            job = _job(some, begins, seed, matchups)
            line_ups = [arm.line_up for arm in some]
            seconds += in_chunks(job, total, games, 0, threads, None, watched, first_chunk(*line_ups))
        batches.append(total)
        before += total.number * len(some)
    return Played(tuple(arms), firsts, seed, games, tuple(batches), seconds)


def _job(arms: Sequence[Arm], firsts: Sequence[int], seed: int, matchups: bool) -> Callable[[int, int], Batch]:
    return lambda begin, number: play_games(arms, firsts, seed, begin, number, matchups=matchups)


def after(progress: Progress | None, games: int, arms: int, seconds: float) -> Progress | None:
    """Progress of one part of the work, reported as progress of the whole."""
    if progress is None:
        return None

    def report(done: int, spent: float) -> None:
        progress(games + done * arms, seconds + spent)

    return report
