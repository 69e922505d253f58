"""Exact integer counts of played games: merged in any order, the same on every machine.

Everything shown to people (rates, means, intervals) is computed from these integers and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from houle.solver.interface import blank
from houle.solver.ruleset import Setup, digest

# Sums over games that belong to no side.
TOTALS = np.dtype(
    [
        ("games", "i8"),
        ("draws", "i8"),  # games without a winner
        ("entries", "i8"),  # what scores belong to: rounds, or games where a game has one score
        ("entries_squared", "i8"),  # sum of the squared entries of each game
        ("unresolved", "i8"),  # games of a clairvoyant table neither proven winnable nor unwinnable
    ],
    align=True,
)

# Sums over games, per side.
MOMENTS = np.dtype(
    [
        ("share", "i8"),  # of the win, in 1/840
        ("share_squared", "i8"),
        ("points_squared", "i8"),  # points are the sum of a game's scores
        ("points_entries", "i8"),  # points times entries of the game
    ],
    align=True,
)

# One game, per side. A ledger holds every game apart: for comparisons on the same deals and for the course of games;
# tallies are for everything else.
LEDGER = np.dtype(
    [
        ("share", "i8"),  # of the win, in 1/840
        ("points", "i8"),  # sum of the scores
        ("entries", "i8"),
        ("utility", "i8"),  # of the end, in whole points, see WORTH
        ("plies", "i8"),  # decisions of the game
        ("turns", "i8"),  # turns of the game, as its `counts` counts them
        ("changes", "i8"),  # how often the lead changed hands
        ("decided", "i8"),  # decisions until the side was alone in front for good; all of them, if it never was
        ("quarters", "i8"),  # bits 0 to 2: whether it was alone in front after each of the first three quarters
    ],
    align=True,
)

Counts = NDArray[np.int64]


# The same fields as columns of plain numbers, which is what kernels add to: random play loses up to a tenth of its
# speed where they add to records.
GAMES, DRAWS, ENTRIES, ENTRIES_SQUARED, UNRESOLVED = range(5)
SHARE, SHARE_SQUARED, POINTS_SQUARED, POINTS_ENTRIES = range(4)


class Sums(NamedTuple):
    """A tally as kernels see it and add to it."""

    lowest: int
    totals: Counts  # GAMES, DRAWS, ...
    counts: Counts
    moments: Counts  # side x SHARE, SHARE_SQUARED, ...
    histogram: Counts


@dataclass
class Tally:
    """What a run of games came to. An entry is what a score belongs to: a round, or a game where it has one score."""

    names: tuple[str, ...]  # of the game's counts
    lowest: int  # the score of the histogram's first column
    totals: Any  # one TOTALS
    counts: Counts  # of the game (moves, turns, rounds, ...), as named
    moments: Any  # a MOMENTS per side
    histogram: Counts  # per side: entries by score

    @classmethod
    def empty(cls, setup: Setup) -> Tally:
        low, high = setup.score_range
        sides = int(setup.rules[0].sides)
        names = tuple(setup.game.COUNTS)
        counts, histogram = np.zeros(len(names), np.int64), np.zeros((sides, high - low + 1), np.int64)
        return cls(names, low, blank(TOTALS), counts, blank(MOMENTS, sides), histogram)

    def add(self, other: Tally) -> None:
        if (self.names, self.lowest, self.histogram.shape) != (other.names, other.lowest, other.histogram.shape):
            raise ValueError("tallies of different setups cannot be added")
        for mine, theirs in ((self.totals, other.totals), (self.moments, other.moments)):
            columns(mine)[:] += columns(theirs)
        self.counts += other.counts
        self.histogram += other.histogram

    @property
    def sums(self) -> Sums:
        return Sums(self.lowest, columns(self.totals)[0], self.counts, columns(self.moments), self.histogram)

    @property
    def games(self) -> int:
        return int(self.totals[0].games)

    @property
    def draws(self) -> int:
        return int(self.totals[0].draws)

    @property
    def unresolved(self) -> int:
        """Games of a clairvoyant table that were neither proven winnable nor unwinnable."""
        return int(self.totals[0].unresolved)

    @property
    def entries(self) -> int:
        return int(self.totals[0].entries)

    @property
    def entries_squared(self) -> int:
        return int(self.totals[0].entries_squared)

    def count(self, name: str) -> int:
        return self.games if name == "games" else int(self.counts[self.names.index(name)])

    def scores(self, side: int) -> dict[int, int]:
        """Entries of a side by score, without the empty ones."""
        row = self.histogram[side]
        return {self.lowest + int(i): int(row[i]) for i in np.flatnonzero(row)}

    def as_data(self) -> dict[str, Any]:
        """The integers as plain data, for digests, stores and JSON."""
        return {
            "counts": dict(zip(self.names, self.counts.tolist(), strict=True)),
            "totals": columns(self.totals)[0].tolist(),
            "moments": columns(self.moments).tolist(),
            "scores": [self.scores(side) for side in range(len(self.moments))],
        }


def blank_ledger(*shape: int) -> Any:
    """Room for games apart: the last number is that of the sides."""
    return blank(LEDGER, shape)


def columns(records: Any) -> Counts:
    """Records of whole numbers as plain numbers, the fields in a last axis of their own; the same memory."""
    plain = np.asarray(records)
    return plain.view(np.int64).reshape(*plain.shape, len(plain.dtype.names or ()))


def result_digest(setup: Setup, strategies: tuple[str, ...], seed: int, first: int, tally: Tally) -> str:
    """Names a result: equal for equal integers, whatever the threads, chunks, machine or time."""
    return digest(
        {
            "rules": setup.digest,
            "strategies": list(strategies),
            "seed": seed,
            "first": first,
            "games": tally.games,
            "tally": tally.as_data(),
        }
    )
