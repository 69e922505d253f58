"""Effects of single changes: joint intervals, in batches, on the same deals."""

from __future__ import annotations

import pytest

import houle
from houle.analysis.comparison.effects import effects, plan_changes
from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.grid import Arm
from houle.analysis.sampling.paired_arms import BATCH_SIZE
from houle.analysis.stats.multiplicity import joint_confidence

WAVE = houle.setup("wave", players=3)


def arm(**settings: object) -> Arm:
    return Arm(line_up(houle.setup("wave", players=3, set=settings), "random"))


@pytest.mark.compiled
def test_joint_intervals_hold_together() -> None:
    """Changes without any effect, on independent deals of the same base: all 20 hold 0 in most runs."""
    base, missed = Arm(line_up(WAVE, "family")), {"joint": 0, "single": 0}
    front = arm(**{"hand.front": 4})
    same = [Arm(line_up(WAVE, f"level:{1 + number / 10**6}")) for number in range(1, 21)]
    for seed in range(40):
        found = effects(base, same, ("win",), RunSpec(150, seed))
        missed["joint"] += any(row.by["win"].differs for row in found.rows)
        single = effects(base, same, ("win",), RunSpec(150, seed), intervals=1)
        missed["single"] += any(row.by["win"].differs for row in single.rows)
    assert missed["joint"] <= 4
    assert missed["single"] > missed["joint"]
    assert effects(base, [front], ("win",), RunSpec(300)).rows[0].arm is front


@pytest.mark.compiled
def test_changes_are_played_in_batches() -> None:
    base, front = arm(), arm(**{"hand.front": 4})
    found = effects(base, [front] * BATCH_SIZE, ("win", "length"), RunSpec(120))
    assert [len(played.arms) for played in found.played] == [BATCH_SIZE, 2]
    assert len({row.by["length"] for row in found.rows}) == 1  # the same deals in both batches
    assert found.games == 120 * (BATCH_SIZE + 2) == plan_changes(base.line_up, BATCH_SIZE, 120).games
    assert found.confidence == joint_confidence(2 * BATCH_SIZE)
    assert (found.rows[0].idle, effects(base, [base], ("win",), RunSpec(120)).rows[0].idle) == (False, True)
    assert found.rows[0].size[0] <= found.rows[0].size[1]


@pytest.mark.quick
def test_confidence_is_shared_out() -> None:
    assert joint_confidence(1) == pytest.approx(0.95)
    assert joint_confidence(20) == pytest.approx(0.9975)
