"""Several arms on the same games: a tally of each, and exact sums that pair every arm with the first.

Arms with the same number of players play the same game numbers of a seed, so they share their luck as far as their
rules allow. With another number of players the deals differ anyway. Such arms get their own game numbers, are
independent of the first arm, and are not paired.

An arm may stop on its own: runs that end when something is known (`--until-decided`), and runs in which players that
search play fewer games. It always plays the first games of its numbers, so any arm can be repeated by itself.

Arms are played side by side, a chunk of games of each. Those that are also paired with the arm before are played one
after the other, because each result is shown when it is known: a level that thinks takes as long as all below it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from houle.analysis.players.line_ups import has_search
from houle.analysis.run_options import RunSpec, Watch
from houle.analysis.sampling.backends import LEDGER, Chunk, Play
from houle.analysis.sampling.engine import play_games
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.moments import Moments
from houle.solver.rules import digest
from houle.solver.run.tally import Counts, Tally


def _rivals(ledger: Any, values: Any) -> Counts:
    """Values of games with several sides; 0 if there is one: a team that loses has no draw."""
    return np.asarray(values, np.int64) if ledger.shape[1] > 1 else np.zeros(len(ledger), np.int64)


# What is kept of a game, as whole numbers of its ledger. A column that is added at the end changes no digest.
COLUMNS: dict[str, Callable[[Any], Counts]] = {
    "games": lambda ledger: np.ones(len(ledger), np.int64),
    "share": lambda ledger: ledger.share[:, 0],
    "points": lambda ledger: ledger.points[:, 0],
    "entries": lambda ledger: ledger.entries[:, 0],
    "drawn": lambda ledger: _rivals(ledger, ledger.share.sum(axis=1) == 0),
    "spread": lambda ledger: _rivals(ledger, ledger.points.max(axis=1) - ledger.points.min(axis=1)),
    "turns": lambda ledger: ledger.turns[:, 0],
}
NAMES = tuple(COLUMNS)
IN_DIGEST = 7  # columns, from the first, that name a result; more of them would rename all results known so far
FIRST_ARM = tuple(f"first {name}" for name in NAMES)  # the same of the first arm, if games are paired
MATCHUP = ("share", "share before")  # if every arm is also paired with the one before
STRETCH = 10**10  # game numbers reserved for each number of players; fixed, so that any part can be repeated
BATCH_SIZE = 64  # arms that are played side by side; more are played batch after batch
MOST_KEPT = 2_000_000  # games whose rows are kept for the next arm; longer runs are played side by side

Open = Callable[["PlayedArms"], Iterable[int]]  # what was played so far -> the arms that need more games
Told = Callable[[int, "PlayedArms"], None]  # an arm that has all its games, and what was played so far


@dataclass
class ArmSums:
    """The sums over games of one arm, paired with the same games of the first arm."""

    tally: Tally
    moments: Moments  # of COLUMNS, and of FIRST_ARM if games are paired
    changed: Counts  # per column, games that differ from the first arm
    greatest: Counts  # the greatest number in each column
    matchup: Moments  # of MATCHUP; empty if arms are not paired with the one before
    lengths: Counter[int] = field(default_factory=Counter)  # games by number of turns

    @classmethod
    def empty(cls, arm: Arm, paired: bool) -> ArmSums:
        columns = NAMES + FIRST_ARM if paired else NAMES
        nothing = np.zeros(len(NAMES), np.int64)
        return cls(Tally.empty(arm.setup), Moments.empty(columns), nothing, nothing, Moments.empty(MATCHUP))

    @classmethod
    def of(cls, tally: Tally, rows: Counts, first_arm: Counts | None, before: Counts | None = None) -> ArmSums:
        """Sums of some games, a row each, with the rows of the first arm and of the arm before; None for no pairs."""
        greatest, share = rows.max(axis=0, initial=0), NAMES.index("share")
        counts = np.bincount(rows[:, NAMES.index("turns")])
        lengths = Counter({turns: int(counts[turns]) for turns in map(int, np.flatnonzero(counts))})
        matchup = Moments.empty(MATCHUP)
        if before is not None:
            matchup = Moments.of(MATCHUP, np.stack([rows[:, share], before[:, share]], axis=1))
        if first_arm is None:
            return cls(tally, Moments.of(NAMES, rows), np.zeros(len(NAMES), np.int64), greatest, matchup, lengths)
        both = np.concatenate([rows, first_arm], axis=1)
        differs = rows != first_arm
        points, entries = NAMES.index("points"), NAMES.index("entries")
        differs[:, points] |= differs[:, entries]  # a mean score depends on both
        return cls(tally, Moments.of(NAMES + FIRST_ARM, both), differs.sum(axis=0), greatest, matchup, lengths)

    @property
    def paired(self) -> bool:
        return len(self.moments.columns) > len(NAMES)

    def add(self, other: ArmSums) -> None:
        self.tally.add(other.tally)
        self.moments.add(other.moments)
        self.changed = self.changed + other.changed
        self.greatest = np.maximum(self.greatest, other.greatest)
        self.matchup.add(other.matchup)
        self.lengths.update(other.lengths)

    def as_data(self) -> tuple[list[Any], list[Any]]:
        """The integers for a digest: products of the arm's own columns, and products with the first arm's."""
        products, first_arm = self.moments.products[:IN_DIGEST], len(NAMES)
        crossed = np.zeros((IN_DIGEST, IN_DIGEST), np.int64)
        if self.paired:
            crossed = products[:, first_arm : first_arm + IN_DIGEST]
        return products[:, :IN_DIGEST].tolist(), crossed.tolist()


@dataclass
class ArmBatch:
    """Arms that are played side by side; batches of the same arms add up in any order."""

    number: int  # games of each arm, or of the one that played most
    arms: list[ArmSums]

    @property
    def games(self) -> int:
        return self.number

    def add(self, other: ArmBatch) -> None:
        self.number += other.number
        for mine, theirs in zip(self.arms, other.arms, strict=True):
            mine.add(theirs)

    def as_data(self) -> list[Any]:
        """The integers, for digests: all arms' own products, then those with the first arm."""
        return [list(part) for part in zip(*(arm.as_data() for arm in self.arms), strict=True)]


@dataclass(frozen=True)
class PlayedArms:
    """Arms, and the sums of their games."""

    arms: tuple[Arm, ...]
    firsts: tuple[int, ...]  # number of each arm's first game
    seed: int
    asked: int  # games asked of the arm that plays most; after an interruption fewer were played
    batches: tuple[ArmBatch, ...]  # the arms in groups of BATCH_SIZE
    seconds: float
    counts: tuple[int, ...] = ()  # games asked of every arm, if they differ
    points: tuple[PlayedArms, ...] = ()  # the same at each point of groups of people (group_points.py)

    @property
    def interrupted(self) -> bool:
        return any(self.tally(arm).games < self.asked_of(arm) for arm in range(len(self.arms)))

    def asked_of(self, arm: int) -> int:
        return self.counts[arm] if self.counts else self.asked

    @property
    def uneven(self) -> bool:
        """Whether arms have different numbers of games."""
        return len({self.tally(arm).games for arm in range(len(self.arms))}) > 1

    def only(self, number: int) -> PlayedArms:
        """The first arms without the others."""
        batches = [
            replace(batch, arms=batch.arms[: number - start])
            for start, batch in zip(range(0, number, BATCH_SIZE), self.batches, strict=False)
        ]
        return replace(self, arms=self.arms[:number], firsts=self.firsts[:number], batches=tuple(batches),
                       counts=self.counts[:number])  # fmt: skip

    def sums(self, arm: int) -> ArmSums:
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
    return np.stack([column(ledger) for column in COLUMNS.values()], axis=1)


def searches(arm: Arm) -> bool:
    return has_search(arm.line_up)


def counts_of(arms: Sequence[Arm], games: int, search_games: int | None, pairs: bool = True) -> tuple[int, ...]:
    """Games of every arm: fewer if one of its players searches, and of all arms if they are paired with such an arm."""
    fewer = games if search_games is None else min(games, search_games)
    every = pairs and searches(arms[0])
    return tuple(fewer if every or searches(arm) else games for arm in arms)


class GrowingArms:
    """Arms with their results so far; `play` adds games to some of them.

    `pairs`: arms with another number of players get their own game numbers. `crossed`: sums pair each arm with the
    first of its batch. `matchups`: each arm is also paired with the one before; all must have equally many players.
    """

    def __init__(
        self,
        arms: Sequence[Arm],
        spec: RunSpec,
        pairs: bool = True,
        crossed: bool | None = None,
        matchups: bool = False,
    ) -> None:
        self.arms = tuple(arms)
        self.spec = spec
        self.firsts = first_games(arms, spec.first) if pairs else (spec.first,) * len(arms)
        self.crossed = pairs if crossed is None else crossed
        self.matchups = matchups
        self.seconds = 0.0
        self.counts = [0] * len(arms)  # games asked of every arm so far
        self.done = 0  # games of all arms
        nothing = [ArmSums.empty(arm, self._paired(number)) for number, arm in enumerate(self.arms)]
        self.batches = [ArmBatch(0, nothing[start : start + BATCH_SIZE]) for start in range(0, len(arms), BATCH_SIZE)]

    def _paired(self, arm: int) -> bool:
        return self.crossed and self.firsts[arm] == self.firsts[arm - arm % BATCH_SIZE]

    @property
    def played(self) -> PlayedArms:
        """The results so far."""
        counts = tuple(self.counts)
        return PlayedArms(
            self.arms, self.firsts, self.spec.seed, max(counts), tuple(self.batches), self.seconds, counts
        )

    def play(self, chosen: Sequence[int], end: int) -> bool:
        """Play some arms up to `end` games; false after Ctrl-C. Before, they must have equally many games."""
        for arm in chosen:
            self.counts[arm] = end
        for number, batch in enumerate(self.batches):
            members = [arm for arm in chosen if arm // BATCH_SIZE == number]
            if members and not self._stretch(batch, members, end):
                return False
        return True

    def play_in_turn(self, end: int, tell: Told) -> bool:
        """Play all arms up to `end` games, one after the other; false after Ctrl-C, when later arms have no games."""
        self.counts = [end] * len(self.arms)
        rows: dict[int, Counts] = {}
        for arm in range(len(self.arms)):
            kept = {one: rows[one] for one in (arm - arm % BATCH_SIZE, arm - 1) if one in rows}
            rows = {**kept, arm: np.zeros((end, len(NAMES)), np.int64)}
            if not self._stretch(self.batches[arm // BATCH_SIZE], [arm], end, rows):
                return False
            tell(arm, self.played)
            if isinstance(self.spec.progress, Watch) and self.spec.progress.stopped:  # at the last game of an arm
                return False
        return True

    def _stretch(
        self, batch: ArmBatch, members: Sequence[int], end: int, kept: dict[int, Counts] | None = None
    ) -> bool:
        """Play some arms of a batch up to `end` games; `kept` has the rows of arms that were played before them."""
        sums = [batch.arms[member % BATCH_SIZE] for member in members]
        plays = [Play(self.arms[member].line_up, offset=self.firsts[member]) for member in members]
        begin = sums[0].tally.games
        total = ArmBatch(0, [ArmSums.empty(self.arms[member], self._paired(member)) for member in members])

        def fold(chunks: list[Chunk], at: int) -> ArmBatch:
            rows = {member: columns(chunk.ledger) for member, chunk in zip(members, chunks, strict=True)}
            number = len(rows[members[0]])
            if kept is not None:
                kept[members[0]][at : at + number] = rows[members[0]]
                rows = {arm: of_all[at : at + number] for arm, of_all in kept.items()}
            first = members[0] - members[0] % BATCH_SIZE if kept else members[0]
            parts = [
                ArmSums.of(
                    chunk.tally,
                    rows[member],
                    rows[first] if self._paired(member) else None,
                    rows.get(member - 1) if self.matchups else None,
                )
                for member, chunk in zip(members, chunks, strict=True)
            ]
            return ArmBatch(number, parts)

        spent = play_games(plays, self.spec.but(games=end - begin, first=begin), fold, total, LEDGER)
        for mine, part in zip(sums, total.arms, strict=True):
            mine.add(part)
        batch.number = max(one.tally.games for one in batch.arms)
        self.done += total.number * len(members)
        self.seconds += spent
        return total.number == end - begin


def play_arms(arms: Sequence[Arm], spec: RunSpec, pairs: bool = True) -> PlayedArms:
    """Play the same number of games of every arm. After Ctrl-C all arms of a batch have equally many, fewer games.

    Without `pairs` all arms play the same game numbers, whatever their number of players.
    """
    growing = GrowingArms(arms, spec, pairs, crossed=True)
    growing.play(range(len(arms)), spec.games)
    return growing.played


def play_matchups(arms: Sequence[Arm], spec: RunSpec, tell: Told) -> PlayedArms:
    """Play the same games of every arm, each also paired with the one before; `tell` hears of each when it is ready.

    Several players of one setup play in turn. After Ctrl-C those that are not ready are left out, but for the first, so
    the result can be repeated exactly.
    """
    growing = GrowingArms(arms, spec, crossed=True, matchups=True)
    if spec.games <= MOST_KEPT and len({arm.setup.digest for arm in arms}) == 1:
        growing.play_in_turn(spec.games, tell)
        return growing.played.only(max(1, sum(one.tally.games == spec.games for batch in growing.batches
                                              for one in batch.arms)))  # fmt: skip
    if growing.play(range(len(arms)), spec.games):
        for arm in range(len(arms)):
            tell(arm, growing.played)
    return growing.played


def play_until(
    arms: Sequence[Arm], spec: RunSpec, ends: Iterable[int], still_open: Open, pairs: bool = True
) -> PlayedArms:
    """Play all arms to the first end, then those that are still open to each next end.

    If games are paired, the first arm continues as long as any other. `still_open` is called after every stretch, also
    after one that Ctrl-C cut short.
    """
    growing = GrowingArms(arms, spec, pairs)
    chosen: list[int] = list(range(len(arms)))
    for end in ends:
        whole = growing.play(chosen, end)
        chosen = sorted(set(still_open(growing.played)))
        if not whole or not chosen:
            break
        if pairs and chosen[0] != 0:
            chosen.insert(0, 0)
    return growing.played


def play_each(arms: Sequence[Arm], spec: RunSpec, counts: Sequence[int], pairs: bool = True) -> PlayedArms:
    """Play a number of games of its own for every arm."""
    if len(set(counts)) == 1:
        return play_arms(arms, spec.but(games=counts[0]), pairs)

    def still_open(played: PlayedArms) -> list[int]:
        return [arm for arm, count in enumerate(counts) if played.asked_of(arm) < count]

    played = play_until(arms, spec, sorted(set(counts)), still_open, pairs)
    return replace(played, asked=max(counts), counts=tuple(counts))
