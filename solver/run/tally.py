"""Exact integer counts of played games: they can be added in any order and are equal on every machine.

Everything shown to people (rates, means, intervals) is computed from these integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from houle.solver.interface import blank
from houle.solver.rules import Setup, digest

# Sums over games.
TOTALS = np.dtype(
    [
        ("games", "i8"),
        ("draws", "i8"),  # games without a winner
        ("entries", "i8"),  # scored units: rounds, or games if a game has one score
        ("entries_squared", "i8"),  # sum over games of (entries of the game) squared
        ("unresolved", "i8"),  # clairvoyant games that were proven neither winnable nor unwinnable
    ],
    align=True,
)

# Sums over games, per side.
MOMENTS = np.dtype(
    [
        ("share", "i8"),  # of the win, in 1/840
        ("share_squared", "i8"),
        ("points_squared", "i8"),  # points: the sum of a game's scores
        ("points_entries", "i8"),  # points times entries of the game
    ],
    align=True,
)

# A row of a ledger: one game and side. Ledgers serve comparisons on the same deals and the course of games.
LEDGER = np.dtype(
    [
        ("share", "i8"),  # of the win, in 1/840
        ("points", "i8"),  # sum of the scores
        ("entries", "i8"),
        ("utility", "i8"),  # of the end, see UTILITY
        ("plies", "i8"),  # decisions of the game
        ("turns", "i8"),  # turns of the game, as its `counts` counts them
        ("changes", "i8"),  # how often the lead changed hands
        ("decided", "i8"),  # decisions until the side led alone to the end; all of them if it did not
        ("quarters", "i8"),  # bits 0 to 2: whether it led alone after each of the first three quarters
    ],
    align=True,
)

Counts = NDArray[np.int64]


# The fields as columns of plain arrays. Kernels add to these: adding to records costs random play up to a tenth.
GAMES, DRAWS, ENTRIES, ENTRIES_SQUARED, UNRESOLVED = range(5)
SHARE, SHARE_SQUARED, POINTS_SQUARED, POINTS_ENTRIES = range(4)


class TallyArrays(NamedTuple):
    """A tally as plain arrays, for kernels."""

    lowest: int
    totals: Counts  # GAMES, DRAWS, ...
    counts: Counts
    moments: Counts  # side x SHARE, SHARE_SQUARED, ...
    histogram: Counts


@dataclass
class Tally:
    """The counts of a run of games. An entry is a scored unit: a round, or a game if it has one score."""

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
        return cls(
            names=names,
            lowest=low,
            totals=blank(TOTALS),
            counts=counts,
            moments=blank(MOMENTS, sides),
            histogram=histogram,
        )

    def add(self, other: Tally) -> None:
        if (self.names, self.lowest, self.histogram.shape) != (other.names, other.lowest, other.histogram.shape):
            raise ValueError("tallies of different setups cannot be added")
        for mine, theirs in ((self.totals, other.totals), (self.moments, other.moments)):
            columns(mine)[:] += columns(theirs)
        self.counts += other.counts
        self.histogram += other.histogram

    @property
    def sums(self) -> TallyArrays:
        return TallyArrays(
            lowest=self.lowest,
            totals=columns(self.totals)[0],
            counts=self.counts,
            moments=columns(self.moments),
            histogram=self.histogram,
        )

    @property
    def games(self) -> int:
        return int(self.totals[0].games)

    @property
    def draws(self) -> int:
        return int(self.totals[0].draws)

    @property
    def unresolved(self) -> int:
        """Clairvoyant games that were proven neither winnable nor unwinnable."""
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
        """Number of entries of a side by score."""
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
    """An empty ledger: blank_ledger(games, sides)."""
    return blank(LEDGER, shape)


def columns(records: Any) -> Counts:
    """Records of whole numbers as a plain array with the fields in the last axis; shares their memory."""
    plain = np.asarray(records)
    return plain.view(np.int64).reshape(*plain.shape, len(plain.dtype.names or ()))


def result_digest(setup: Setup, strategies: tuple[str, ...], seed: int, first: int, tally: Tally) -> str:
    """The digest of a result: equal for equal integers on any machine."""
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
