"""Synthetic games for tests of intervals: arms with random results instead of played games."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import NAMES, STRETCH, ArmSums, Experiment, PairSums, Sample
from houle.analysis.sampling.grid import Arm
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
    paired: bool = True,
    labels: Sequence[str] = "abcdef",
    setups: Sequence[Setup] = (),
    names: Sequence[str] = (),
) -> Sample:
    """What an experiment with these games would give, one array per arm; every arm is compared with the first."""
    seated = zip(setups or [SETUP] * len(rows), names or ["random"] * len(rows), labels, strict=False)
    experiment = Experiment.with_first(Arm(line_up(setup, name), label=label) for setup, name, label in seated)
    sample = Sample(experiment, RunSpec(len(rows[0])))
    sample.firsts = [0 if paired else STRETCH * arm for arm in range(len(rows))]
    sample.sums = [ArmSums.of(_tally(own), own) for own in rows]
    sample.both = {(arm, 0): PairSums.of(rows[arm], rows[0]) for arm in range(1, len(rows)) if paired}
    sample.asked = [len(own) for own in rows]
    return sample


def _tally(rows: np.ndarray) -> Tally:
    tally = Tally.empty(SETUP)
    share, points, entries = (rows[:, NAMES.index(name)] for name in ("share", "points", "entries"))
    tally.totals[0].games = len(rows)
    tally.totals[0].entries = entries.sum()
    tally.totals[0].entries_squared = (entries**2).sum()
    tally.moments[0] = share.sum(), (share**2).sum(), (points**2).sum(), (points * entries).sum()
    tally.histogram[0] = np.bincount(points, minlength=tally.histogram.shape[1])
    return tally
