"""Effects of single changes: joint intervals, in batches, on the same deals."""

from __future__ import annotations

import pytest

import houle
from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import BATCH_SIZE
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.looks import confidence_at
from houle.analysis.tables.effects import effects, plan_changes
from tests.support.amounts import some

WAVE = houle.setup("wave", players=3)


def arm(**settings: object) -> Arm:
    return Arm(line_up(houle.setup("wave", players=3, set=settings), "random"))


@pytest.mark.compiled
def test_joint_intervals_hold_together() -> None:
    """All effects of a run hold the truth in most runs; single intervals miss at least one much more often."""
    base, measures = arm(), ("score", "length")
    changes = [arm(**{"hand.front": front}) for front in (1, 2, 4, 5)]
    changes += [arm(**{"hand.back": back}) for back in (0, 1, 3, 4)]
    truth = effects(base, changes, measures, RunSpec(10_000, 977)).rows

    def misses(intervals: int) -> int:
        missed = 0
        for seed in range(some(20)):
            rows = effects(base, changes, measures, RunSpec(100, seed), intervals).rows
            pairs = [
                (one.by[name], true.by[name].value) for one, true in zip(rows, truth, strict=True) for name in measures
            ]
            missed += any(not found.low <= value <= found.high for found, value in pairs)
        return missed

    joint = misses(len(changes) * len(measures))
    assert joint <= some(20) // 10
    assert misses(1) > joint


@pytest.mark.compiled
def test_changes_are_played_in_batches() -> None:
    base, front = arm(), [arm(**{"hand.front": 4}) for _ in range(BATCH_SIZE)]
    found = effects(base, front, ("win", "length"), RunSpec(120))
    assert len({row.by["length"] for row in found.rows}) == 1  # the same deals in both batches
    assert found.games == 120 * (BATCH_SIZE + 1) == plan_changes(base.line_up, BATCH_SIZE, 120).games
    assert found.confidence == confidence_at(1, 2 * BATCH_SIZE)
    assert (found.rows[0].idle, effects(base, [base], ("win",), RunSpec(120)).rows[0].idle) == (False, True)
    assert found.rows[0].size[0] <= found.rows[0].size[1]
