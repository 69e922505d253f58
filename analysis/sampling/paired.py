"""Several arms on the same games: a tally of each, and exact sums that pair every arm with the first.

Arms with the same number of players play the same game numbers of a seed, so that chance is shared as far as their
rules allow. Another number of players is another deal altogether: such arms get game numbers of their own, which makes
them independent of the first arm, and no pairs.
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
YARDSTICK = tuple(f"first {name}" for name in COLUMNS)  # the same of the first arm, where games are paired
MATCHUP = ("share", "share before")  # where every arm is paired with the one before, too
STRETCH = 10**10  # game numbers that each number of players has for itself; fixed, so that any part can be repeated
BATCH_SIZE = 64  # arms that are played side by side; more go one lot after another


@dataclass
class Sums:
    """What games of one arm came to, beside the same games of the first."""

    tally: Tally
    moments: Moments  # of COLUMNS, and of YARDSTICK where there are pairs
    changed: Counts  # games by column that came out otherwise than in the first arm
    greatest: Counts  # the greatest number in each column
    matchup: Moments  # of RUNG, beside the arm before; empty where arms are no rungs

    @classmethod
    def empty(cls, arm: Arm, paired: bool) -> Sums:
        columns = COLUMNS + YARDSTICK if paired else COLUMNS
        nothing = np.zeros(len(COLUMNS), np.int64)
        return cls(Tally.empty(arm.setup), Moments.empty(columns), nothing, nothing, Moments.empty(MATCHUP))

    @classmethod
    def of(cls, tally: Tally, table: Counts, yardstick: Counts | None, before: Counts | None = None) -> Sums:
        """Some games, from their columns and those of the first arm, and of the arm before; None for no pairs."""
        greatest, share = table.max(axis=0, initial=0), COLUMNS.index("share")
        matchup = Moments.empty(MATCHUP)
        if before is not None:
            matchup = Moments.of(MATCHUP, np.stack([table[:, share], before[:, share]], axis=1))
        if yardstick is None:
            return cls(tally, Moments.of(COLUMNS, table), np.zeros(len(COLUMNS), np.int64), greatest, matchup)
        both = np.concatenate([table, yardstick], axis=1)
        differs = table != yardstick
        points, entries = COLUMNS.index("points"), COLUMNS.index("entries")
        differs[:, points] |= differs[:, entries]  # a mean score moves with either
        return cls(tally, Moments.of(COLUMNS + YARDSTICK, both), differs.sum(axis=0), greatest, matchup)

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
        """The integers for a digest: products of the arm's columns, and of those with the first arm's."""
        own = len(COLUMNS)
        products = self.moments.products[:own]
        crossed = products[:, own:] if self.paired else np.zeros((own, own), np.int64)
        return products[:, :own].tolist(), crossed.tolist()


@dataclass
class Batch:
    """Arms that are played side by side; merged in any order."""

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
    """Arms, and what their games came to."""

    arms: tuple[Arm, ...]
    firsts: tuple[int, ...]  # number of each arm's first game
    seed: int
    asked: int  # games of the arm that was to play most; more than were played after an interruption
    batches: tuple[Batch, ...]  # the arms in lots of TOGETHER
    seconds: float
    counts: tuple[int, ...] = ()  # games asked of every arm, where they differ

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
        """Whether an arm played the first arm's games, beside it."""
        return arm < BATCH_SIZE and self.firsts[arm] == self.firsts[0]

    @property
    def games(self) -> int:
        """Of all arms together."""
        return sum(self.tally(arm).games for arm in range(len(self.arms)))

    @property
    def digest(self) -> str:
        """Names the result: equal for equal integers, whatever the threads, chunks, machine or time."""
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
    """Where each arm's game numbers begin: a stretch of its own for every number of players."""
    counts = list(dict.fromkeys(arm.setup.players for arm in arms))
    return tuple(first + STRETCH * counts.index(arm.setup.players) for arm in arms)


def columns(ledger: Any) -> Counts:
    """Games apart, as the ledger has them by side -> the columns kept of each."""
    share, points = ledger.share, ledger.points
    nothing = np.zeros(len(ledger), np.int64)
    rivals = points.shape[1] > 1  # a team alone loses without a draw
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
    """Games begin .. begin + number - 1 of every arm, counted from its own first.

    `pairs`: beside the first arm. `rungs`: wins beside the arm before, too.
    """
    found: list[Sums] = []
    first_table: Counts | None = None
    before: Counts | None = None
    for arm, first in zip(arms, firsts, strict=True):
        ledger = blank_ledger(number, int(arm.setup.rules[0].sides))
        tally = play_chunk(arm.setup, arm.line_up, seed, first + begin, number, ledger=ledger)
        table = columns(ledger)
        first_table = table if first_table is None else first_table
        found.append(Sums.of(tally, table, first_table if pairs and first == firsts[0] else None, before))
        before = table if matchups else None
    return Batch(number, found)


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
    """Plays so many games of every arm. After Ctrl-C all arms of a lot have the same, fewer games.

    Where nothing is paired (`pairs` false) all arms play the same numbers, whatever their players. `rungs`: arms of one
    number of players, of which each is also paired with the one before.
    """
    firsts = first_games(arms, first) if pairs else (first,) * len(arms)
    batches: list[Batch] = []
    seconds, before = 0.0, 0
    for start in range(0, len(arms), BATCH_SIZE):
        some, places = arms[start : start + BATCH_SIZE], firsts[start : start + BATCH_SIZE]
        total = Batch(0, [Sums.empty(arm, place == places[0]) for arm, place in zip(some, places, strict=True)])
        if not batches or batches[-1].number == games:
            play_games(some, places, seed, 0, 0)  # compiles before the threads do it at once
            told = after(progress, before, len(some), seconds)
            job = _job(some, places, seed, matchups)
            line_ups = [arm.line_up for arm in some]
            seconds += in_chunks(job, total, games, 0, threads, None, told, first_chunk(*line_ups))
        batches.append(total)
        before += total.number * len(some)
    return Played(tuple(arms), firsts, seed, games, tuple(batches), seconds)


def _job(arms: Sequence[Arm], firsts: Sequence[int], seed: int, matchups: bool) -> Callable[[int, int], Batch]:
    return lambda begin, number: play_games(arms, firsts, seed, begin, number, matchups=matchups)


def after(progress: Progress | None, games: int, arms: int, seconds: float) -> Progress | None:
    """Progress of one part of the work, told as games of the whole."""
    if progress is None:
        return None

    def told(done: int, spent: float) -> None:
        progress(games + done * arms, seconds + spent)

    return told
