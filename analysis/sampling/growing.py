"""Arms whose number of games grows step by step, each of which may stop on its own.

For runs that end when something is known (`--until-decided`), and for runs in which players that search play fewer
games. An arm always plays the first games of its numbers, so any arm can be repeated by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.paired import BATCH_SIZE, Batch, Played, Sums, first_games, play_arms, play_games
from houle.solver.run import Progress, default_threads, first_chunk, in_chunks
from houle.solver.strategies.names import THUMB

CHUNK_SECONDS = 0.2

Open = Callable[[Played], Iterable[int]]  # what was played so far -> the arms that need more games


def searches(arm: Arm) -> bool:
    return arm.line_up.level > THUMB


def counts_of(arms: Sequence[Arm], games: int, search_games: int | None, pairs: bool = True) -> tuple[int, ...]:
    """Games of every arm: fewer if one of its players searches, and of all arms if they are paired with such an arm."""
    fewer = games if search_games is None else min(games, search_games)
    every = pairs and searches(arms[0])
    return tuple(fewer if every or searches(arm) else games for arm in arms)


class Growing:
    """Arms with their results so far; `play` adds games to some of them."""

    def __init__(
        self,
        arms: Sequence[Arm],
        seed: int,
        first: int = 0,
        pairs: bool = True,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.arms = tuple(arms)
        self.seed = seed
        self.pairs = pairs
        self.firsts = first_games(arms, first) if pairs else (first,) * len(arms)
        self.workers = threads or default_threads()
        self.progress = progress
        self.seconds = 0.0
        self.counts = [0] * len(arms)  # games asked of every arm so far
        self.done = 0  # games of all arms
        self.rate = 0.0  # games of one arm a second
        nothing = [
            Sums.empty(arm, pairs and begin == self.firsts[0]) for arm, begin in zip(arms, self.firsts, strict=True)
        ]
        self.batches = [Batch(0, nothing[start : start + BATCH_SIZE]) for start in range(0, len(arms), BATCH_SIZE)]

    @property
    def played(self) -> Played:
        """The results so far."""
        most = max(self.counts)
        return Played(self.arms, self.firsts, self.seed, most, tuple(self.batches), self.seconds, tuple(self.counts))

    def sums(self, arm: int) -> Sums:
        return self.batches[arm // BATCH_SIZE].arms[arm % BATCH_SIZE]

    def games_of(self, arm: int) -> int:
        return self.sums(arm).tally.games

    def play(self, chosen: Sequence[int], end: int) -> bool:
        """Play some arms up to `end` games; false after Ctrl-C. Before, they must have equally many games."""
        for arm in chosen:
            self.counts[arm] = end
        for number, batch in enumerate(self.batches):
            members = [arm - BATCH_SIZE * number for arm in chosen if arm // BATCH_SIZE == number]
            if members and not self._stretch(number * BATCH_SIZE, batch, members, end):
                return False
        return True

    def _stretch(self, start: int, batch: Batch, members: Sequence[int], end: int) -> bool:
        arms = [self.arms[start + member] for member in members]
        firsts = [self.firsts[start + member] for member in members]
        begin = batch.arms[members[0]].tally.games
        parts = Batch(0, [Sums.empty(arm, batch.arms[i].paired) for arm, i in zip(arms, members, strict=True)])
        play_games(arms, firsts, self.seed, 0, 0, self.pairs)  # compiles once, before several threads would
        before, seconds = self.done, self.seconds

        def job(at: int, number: int) -> Batch:
            return play_games(arms, firsts, self.seed, at, number, self.pairs)

        def report(done: int, spent: float) -> None:
            if self.progress:
                self.progress(before + done * len(arms), seconds + spent)

        # Small chunks, so that no thread waits long for the last chunk before a look.
        quick = int(self.rate / len(arms) * CHUNK_SECONDS / self.workers)
        chunk = max(1, min(-(-(end - begin) // (2 * self.workers)), quick)) if self.rate else None
        line_ups = [arm.line_up for arm in arms]
        spent = in_chunks(job, parts, end - begin, begin, self.workers, chunk, report, first_chunk(*line_ups))
        for i, part in zip(members, parts.arms, strict=True):
            batch.arms[i].add(part)
        batch.number = max(sums.tally.games for sums in batch.arms)
        self.done += parts.number * len(arms)
        self.seconds += spent
        self.rate = parts.number * len(arms) / spent if spent else self.rate
        return parts.number == end - begin


def play_until(
    arms: Sequence[Arm],
    seed: int,
    ends: Iterable[int],
    still_open: Open,
    threads: int | None = None,
    progress: Progress | None = None,
    first: int = 0,
    pairs: bool = True,
) -> Played:
    """Play all arms to the first end, then those that are still open to each next end.

    If games are paired, the first arm continues as long as any other. `still_open` is called after every stretch, also
    after one that Ctrl-C cut short.
    """
    growing = Growing(arms, seed, first, pairs, threads, progress)
    chosen: list[int] = list(range(len(arms)))
    for end in ends:
        whole = growing.play(chosen, end)
        chosen = sorted(set(still_open(growing.played)))
        if not whole or not chosen:
            break
        if pairs and chosen[0] != 0:
            chosen.insert(0, 0)
    return growing.played


def play_each(
    arms: Sequence[Arm],
    seed: int,
    counts: Sequence[int],
    threads: int | None = None,
    progress: Progress | None = None,
    first: int = 0,
    pairs: bool = True,
) -> Played:
    """Play a number of games of its own for every arm."""
    if len(set(counts)) == 1:
        return play_arms(arms, seed, counts[0], threads, progress, first, pairs)

    def still_open(played: Played) -> list[int]:
        return [arm for arm, count in enumerate(counts) if played.asked_of(arm) < count]

    played = play_until(arms, seed, sorted(set(counts)), still_open, threads, progress, first, pairs)
    return replace(played, asked=max(counts), counts=tuple(counts))
