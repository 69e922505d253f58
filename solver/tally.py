"""Exact integer counts of played games: merged in any order, the same on every machine.

Everything shown to people (rates, means, intervals) is computed from these integers and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.solver.ruleset import Setup, digest

# Layout of `totals`; the game's own counts (moves, turns, rounds, ...) follow.
GAMES, DRAWS, ENTRIES, ENTRIES_SQUARED, UNRESOLVED, FIRST_COUNT = range(6)

# Columns of a ledger, which holds every game apart, per side: share of the win in 1/840, points, scored entries, the
# worth of the end in 1/4096, decisions of the game, how often the lead changed hands, decisions until the side was
# alone in front for good (all of them, if it never was), and at which quarters it was (bits 0 to 2). A ledger is for
# comparisons on the same deals and for the course of games; tallies are for everything else.
(
    LEDGER_SHARE, LEDGER_POINTS, LEDGER_ENTRIES, LEDGER_WORTH,
    LEDGER_PLIES, LEDGER_CHANGES, LEDGER_DECIDED, LEDGER_QUARTERS,
) = range(8)  # fmt: skip
LEDGER_COLUMNS = 8
WORTH_UNIT = 4096

Counts = NDArray[np.int64]


@dataclass
class Tally:
    """What a run of games came to. An entry is what a score belongs to: a round in Sea Change, else a game."""

    names: tuple[str, ...]  # of the game's counts, in the order of `totals`
    lowest: int  # the score of the histogram's first column
    totals: Counts  # games, draws, entries, sum of squared entries per game, unresolved, then the counts
    moments: Counts  # per side: sum of shares (1/840), of their squares, of squared game scores, of score x entries
    histogram: Counts  # per side: entries by score

    @classmethod
    def empty(cls, setup: Setup) -> Tally:
        low, high = setup.score_range
        sides = int(setup.rules[0].sides)
        names = tuple(setup.game.COUNTS)
        return cls(
            names,
            low,
            np.zeros(FIRST_COUNT + len(names), np.int64),
            np.zeros((sides, 4), np.int64),
            np.zeros((sides, high - low + 1), np.int64),
        )

    def add(self, other: Tally) -> None:
        if (self.names, self.lowest, self.histogram.shape) != (other.names, other.lowest, other.histogram.shape):
            raise ValueError("tallies of different setups cannot be added")
        self.totals += other.totals
        self.moments += other.moments
        self.histogram += other.histogram

    @property
    def games(self) -> int:
        return int(self.totals[GAMES])

    @property
    def draws(self) -> int:
        return int(self.totals[DRAWS])

    @property
    def unresolved(self) -> int:
        """Games of a clairvoyant table that were neither proven winnable nor unwinnable."""
        return int(self.totals[UNRESOLVED])

    @property
    def entries(self) -> int:
        return int(self.totals[ENTRIES])

    def count(self, name: str) -> int:
        return self.games if name == "games" else int(self.totals[FIRST_COUNT + self.names.index(name)])

    def scores(self, side: int) -> dict[int, int]:
        """Entries of a side by score, without the empty ones."""
        row = self.histogram[side]
        return {self.lowest + int(i): int(row[i]) for i in np.flatnonzero(row)}

    def as_data(self) -> dict[str, Any]:
        """The integers as plain data, for digests, stores and JSON."""
        return {
            "counts": dict(zip(self.names, self.totals[FIRST_COUNT:].tolist(), strict=True)),
            "totals": self.totals[:FIRST_COUNT].tolist(),
            "moments": self.moments.tolist(),
            "scores": [self.scores(side) for side in range(len(self.moments))],
        }


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
