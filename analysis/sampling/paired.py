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
from houle.solver.playout import play_chunk
from houle.solver.ruleset import digest
from houle.solver.run import Progress, first_chunk, in_chunks
from houle.solver.tally import Counts, Tally, blank_ledger

# What is kept of a game, as whole numbers: 1, the first side's share and points, entries, whether nobody won, points
# between the best and the worst side, decisions.
GAMES, SHARE, POINTS, ENTRIES, DRAWN, SPREAD, PLIES = range(7)
COLUMNS = 7
STRETCH = 10**10  # game numbers that each number of players has for itself; fixed, so that any part can be repeated
TOGETHER = 64  # arms that are played side by side; more go one lot after another


@dataclass
class Sums:
    """What games of some arms came to; merged in any order."""

    number: int  # games of each arm
    tallies: list[Tally]
    sums: Counts  # arm x column
    squares: Counts  # arm x column x column, over games
    crossed: Counts  # the same, of an arm's columns with the first arm's

    @classmethod
    def empty(cls, arms: Sequence[Arm]) -> Sums:
        shape = (len(arms), COLUMNS, COLUMNS)
        tallies = [Tally.empty(arm.setup) for arm in arms]
        return cls(0, tallies, np.zeros(shape[:2], np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.int64))

    @property
    def games(self) -> int:
        return self.number

    def add(self, other: Sums) -> None:
        self.number += other.number
        for mine, theirs in zip(self.tallies, other.tallies, strict=True):
            mine.add(theirs)
        self.sums += other.sums
        self.squares += other.squares
        self.crossed += other.crossed


@dataclass(frozen=True)
class Played:
    """Arms, and what their games came to."""

    arms: tuple[Arm, ...]
    firsts: tuple[int, ...]  # number of each arm's first game
    seed: int
    asked: int  # games of each arm; more than were played after an interruption
    lots: tuple[Sums, ...]  # the arms in lots of TOGETHER
    seconds: float

    @property
    def interrupted(self) -> bool:
        return any(lot.number < self.asked for lot in self.lots)

    def tally(self, arm: int) -> Tally:
        return self.lots[arm // TOGETHER].tallies[arm % TOGETHER]

    def sums(self, arm: int) -> Counts:
        found: Counts = self.lots[arm // TOGETHER].sums[arm % TOGETHER]
        return found

    def squares(self, arm: int) -> Counts:
        found: Counts = self.lots[arm // TOGETHER].squares[arm % TOGETHER]
        return found

    def crossed(self, arm: int) -> Counts | None:
        """Products with the first arm; None where there are no pairs."""
        if arm >= TOGETHER or self.firsts[arm] != self.firsts[0]:
            return None
        found: Counts = self.lots[0].crossed[arm]
        return found

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
                "sums": [[lot.squares.tolist(), lot.crossed.tolist()] for lot in self.lots],
            }
        )


def first_games(arms: Sequence[Arm], first: int = 0) -> tuple[int, ...]:
    """Where each arm's game numbers begin: a stretch of its own for every number of players."""
    counts = list(dict.fromkeys(arm.setup.players for arm in arms))
    return tuple(first + STRETCH * counts.index(arm.setup.players) for arm in arms)


def columns(ledger: Any) -> Counts:
    """Games apart, as the ledger has them by side -> the columns kept of each."""
    table = np.zeros((len(ledger), COLUMNS), np.int64)
    table[:, GAMES] = 1
    table[:, SHARE] = ledger.share[:, 0]
    table[:, POINTS] = ledger.points[:, 0]
    table[:, ENTRIES] = ledger.entries[:, 0]
    points = ledger.points
    if points.shape[1] > 1:  # a team alone loses without a draw
        table[:, DRAWN] = ledger.share.sum(axis=1) == 0
        table[:, SPREAD] = points.max(axis=1) - points.min(axis=1)
    table[:, PLIES] = ledger.plies[:, 0]
    return table


def _play(arms: Sequence[Arm], firsts: Sequence[int], seed: int, begin: int, number: int) -> Sums:
    """Games begin .. begin + number - 1 of every arm, counted from its own first."""
    found = Sums.empty(arms)
    found.number = number
    yardstick: Any = None
    for i, (arm, first) in enumerate(zip(arms, firsts, strict=True)):
        ledger = blank_ledger(number, int(arm.setup.rules[0].sides))
        found.tallies[i] = play_chunk(arm.setup, arm.line_up, seed, first + begin, number, ledger=ledger)
        table = columns(ledger)
        yardstick = table if yardstick is None else yardstick
        found.sums[i] = table.sum(axis=0)
        found.squares[i] = table.T @ table
        found.crossed[i] = table.T @ yardstick if first == firsts[0] else 0
    return found


def play_arms(
    arms: Sequence[Arm],
    seed: int,
    games: int,
    threads: int | None = None,
    progress: Progress | None = None,
    first: int = 0,
    pairs: bool = True,
) -> Played:
    """Plays so many games of every arm. After Ctrl-C all arms of a lot have the same, fewer games.

    Where nothing is paired (`pairs` false) all arms play the same numbers, whatever their players.
    """
    firsts = first_games(arms, first) if pairs else (first,) * len(arms)
    lots: list[Sums] = []
    seconds, before = 0.0, 0
    for start in range(0, len(arms), TOGETHER):
        some, places = arms[start : start + TOGETHER], firsts[start : start + TOGETHER]
        total = Sums.empty(some)
        if not lots or lots[-1].number == games:
            _play(some, places, seed, 0, 0)  # compiles before the threads do it at once
            told = after(progress, before, len(some), seconds)
            job = _job(some, places, seed)
            line_ups = [arm.line_up for arm in some]
            seconds += in_chunks(job, total, games, 0, threads, None, told, first_chunk(*line_ups))
        lots.append(total)
        before += total.number * len(some)
    return Played(tuple(arms), firsts, seed, games, tuple(lots), seconds)


def _job(arms: Sequence[Arm], firsts: Sequence[int], seed: int) -> Callable[[int, int], Sums]:
    return lambda begin, number: _play(arms, firsts, seed, begin, number)


def after(progress: Progress | None, games: int, arms: int, seconds: float) -> Progress | None:
    """Progress of one part of the work, told as games of the whole."""
    if progress is None:
        return None

    def told(done: int, spent: float) -> None:
        progress(games + done * arms, seconds + spent)

    return told
