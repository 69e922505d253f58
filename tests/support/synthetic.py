"""Synthetic games for tests of intervals: arms with random results instead of played games."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from houle.analysis.players.line_ups import line_up
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.paired_arms import NAMES, ArmBatch, ArmSums, PlayedArms
from houle.solver.rules import Setup, make_setup
from houle.solver.run.tally import Tally

SETUP = make_setup("wave", 3)


def rows_of(wins: np.ndarray, points: np.ndarray, entries: np.ndarray | None = None) -> np.ndarray:
    """Rows of NAMES from wins (0 or 1) and points."""
    rows = np.zeros((len(wins), len(NAMES)), np.int64)
    rows[:, NAMES.index("games")] = 1
    rows[:, NAMES.index("share")] = 840 * wins
    rows[:, NAMES.index("points")] = points
    rows[:, NAMES.index("entries")] = 1 if entries is None else entries
    return rows


def played(
    rows: Sequence[np.ndarray],
    firsts: Sequence[int] | None = None,
    labels: Sequence[str] = "abcdef",
    setups: Sequence[Setup] = (),
) -> PlayedArms:
    """What play_arms would return for these games, one array per arm."""
    named = zip(setups or [SETUP] * len(rows), labels, strict=False)
    arms = tuple(Arm(line_up(setup, "random"), label=label) for setup, label in named)
    starts = tuple(firsts or [0] * len(arms))
    sums = [
        ArmSums.of(_tally(own), own, rows[0] if start == starts[0] else None)
        for own, start in zip(rows, starts, strict=True)
    ]
    return PlayedArms(arms, starts, 1, len(rows[0]), (ArmBatch(len(rows[0]), sums),), 1.0)


def _tally(rows: np.ndarray) -> Tally:
    tally = Tally.empty(SETUP)
    share, points, entries = (rows[:, NAMES.index(name)] for name in ("share", "points", "entries"))
    tally.totals[0].games = len(rows)
    tally.totals[0].entries = entries.sum()
    tally.totals[0].entries_squared = (entries**2).sum()
    tally.moments[0] = share.sum(), (share**2).sum(), (points**2).sum(), (points * entries).sum()
    tally.histogram[0] = np.bincount(points, minlength=tally.histogram.shape[1])
    return tally
