"""Synthetic games for tests of intervals: arms of a table that was never played, with columns from a generator."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from houle.analysis.sampling import paired as kept
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.paired import COLUMNS, Played, Sums
from houle.solver.ruleset import make_setup
from houle.solver.tally import Tally

SETUP = make_setup("wave", 3)


def table(wins: np.ndarray, points: np.ndarray, entries: np.ndarray | None = None) -> np.ndarray:
    """Columns of games from wins (0 or 1) and points."""
    columns = np.zeros((len(wins), COLUMNS), np.int64)
    columns[:, kept.GAMES] = 1
    columns[:, kept.SHARE] = 840 * wins
    columns[:, kept.POINTS] = points
    columns[:, kept.ENTRIES] = 1 if entries is None else entries
    return columns


def played(
    tables: Sequence[np.ndarray], firsts: Sequence[int] | None = None, labels: Sequence[str] = "abcdef"
) -> Played:
    """What play_arms would have made of these games."""
    arms = tuple(Arm(SETUP, ("random",) * 3, {}, label) for label, _ in zip(labels, tables, strict=False))
    total = Sums.empty(arms)
    total.number = len(tables[0])
    for i, columns in enumerate(tables):
        total.tallies[i] = _tally(columns)
        total.sums[i] = columns.sum(axis=0)
        total.squares[i] = columns.T @ columns
        total.crossed[i] = columns.T @ tables[0]
    return Played(arms, tuple(firsts or [0] * len(arms)), 1, total.number, (total,), 1.0)


def _tally(columns: np.ndarray) -> Tally:
    tally = Tally.empty(SETUP)
    share, points, entries = (columns[:, i] for i in (kept.SHARE, kept.POINTS, kept.ENTRIES))
    tally.totals[0].games = len(columns)
    tally.totals[0].entries = entries.sum()
    tally.totals[0].entries_squared = (entries**2).sum()
    tally.moments[0] = share.sum(), (share**2).sum(), (points**2).sum(), (points * entries).sum()
    tally.histogram[0] = np.bincount(points, minlength=tally.histogram.shape[1])
    return tally
