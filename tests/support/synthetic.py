"""Synthetic games for tests of intervals: arms of a table that was never played, with columns from a generator."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.paired import COLUMNS, Batch, Played, Sums
from houle.solver.ruleset import make_setup
from houle.solver.tally import Tally

SETUP = make_setup("wave", 3)


def table(wins: np.ndarray, points: np.ndarray, entries: np.ndarray | None = None) -> np.ndarray:
    """Columns of games from wins (0 or 1) and points."""
    columns = np.zeros((len(wins), len(COLUMNS)), np.int64)
    columns[:, COLUMNS.index("games")] = 1
    columns[:, COLUMNS.index("share")] = 840 * wins
    columns[:, COLUMNS.index("points")] = points
    columns[:, COLUMNS.index("entries")] = 1 if entries is None else entries
    return columns


def played(
    tables: Sequence[np.ndarray], firsts: Sequence[int] | None = None, labels: Sequence[str] = "abcdef"
) -> Played:
    """What play_arms would have made of these games."""
    arms = tuple(Arm(SETUP, ("random",) * 3, {}, label) for label, _ in zip(labels, tables, strict=False))
    starts = tuple(firsts or [0] * len(arms))
    found = [
        Sums.of(_tally(columns), columns, tables[0] if start == starts[0] else None)
        for columns, start in zip(tables, starts, strict=True)
    ]
    return Played(arms, starts, 1, len(tables[0]), (Batch(len(tables[0]), found),), 1.0)


def _tally(columns: np.ndarray) -> Tally:
    tally = Tally.empty(SETUP)
    share, points, entries = (columns[:, COLUMNS.index(name)] for name in ("share", "points", "entries"))
    tally.totals[0].games = len(columns)
    tally.totals[0].entries = entries.sum()
    tally.totals[0].entries_squared = (entries**2).sum()
    tally.moments[0] = share.sum(), (share**2).sum(), (points**2).sum(), (points * entries).sum()
    tally.histogram[0] = np.bincount(points, minlength=tally.histogram.shape[1])
    return tally
