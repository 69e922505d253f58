"""What leaving a rule out costs: costs that are known are found, and intervals cover."""

from __future__ import annotations

import pytest

from houle.analysis.explain.ablation import Ablation, AblationRow, ablate, certain_cost, without_rule
from houle.analysis.run_options import RunSpec
from houle.analysis.stats.estimate import Estimate
from houle.solver.players.names import parse
from houle.solver.rules import make_setup
from tests.support.toys import toy, toy_player

pytestmark = pytest.mark.compiled


def named(result: Ablation, name: str) -> AblationRow:
    return next(row for row in result.rows if row.name == name)


def test_forgetting_the_right_move_loses_nearly_everything() -> None:
    """Two players who always see the right move share every win; one who does not know it is nearly lost."""
    result = ablate(toy("solved"), toy_player("thumb"), RunSpec(100, threads=1))
    assert result.full.value == pytest.approx(0.5)
    blind = result.rows[0]
    assert (blind.name, blind.stands) == ("right", True)
    assert blind.cost is not None
    assert 0.4 < blind.cost.value < 0.5
    assert named(result, "idle").remark == "changed nothing in 100 deals"


def test_rules_cost_nothing_where_moves_are_equal() -> None:
    result = ablate(toy("equal"), toy_player("thumb"), RunSpec(50, threads=1))
    assert {row.remark for row in result.rows} == {"changed nothing in 50 deals"}
    assert result.sentences() == []


@pytest.mark.quick
def test_largest_certain_cost_comes_first() -> None:
    seems, surely, nothing, helps = (
        Estimate(*ends, 100) for ends in ((0.5, 0.01, 0.99), (0.2, 0.1, 0.3), (0.3, -0.1, 0.7), (-0.2, -0.3, -0.1))
    )
    costs = [helps, nothing, seems, surely]
    assert sorted(costs, key=certain_cost, reverse=True) == [surely, seems, nothing, helps]


def test_certain_costs_hold_for_all_rules_together() -> None:
    known = make_setup("wave", settings={"talk": "known"})
    result = ablate(known, parse("thumb"), RunSpec(60, seed=3, threads=1))
    alone = [row.name for row in result.rows if row.cost and (row.cost.low > 0 or row.cost.high < 0)]
    assert alone == ["awkward", "next_risk", "keeps_awkward"]
    assert [row.name for row in result.rows if row.stands] == ["awkward", "next_risk"]


def test_a_rule_without_weight_says_so() -> None:
    blind = toy_player("thumb", right=0)
    assert named(ablate(toy("solved"), blind, RunSpec(20, threads=1)), "right").remark == "has no weight in this setup"


def test_a_whole_team_plays_without() -> None:
    setup = make_setup("wave", 3)
    result, again = (ablate(setup, parse("thumb"), RunSpec(200, seed=3, threads=threads)) for threads in (1, 2))
    assert again.digest == result.digest
    awkward = named(result, "awkward")
    assert awkward.cost is not None
    assert awkward.score is not None
    assert awkward.cost.low > 0
    assert awkward.score.low > 0  # more cards are left
    assert result.as_json()["rows"][0]["stands"]
    assert without_rule(parse("thumb"), "room") == parse("thumb[without=room]")
