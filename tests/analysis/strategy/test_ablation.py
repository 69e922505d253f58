"""`ablate`: costs that are known are found, things that never come up say so, and intervals cover."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.run_options import RunSpec
from houle.analysis.stats.estimate import Estimate
from houle.analysis.strategy.ablation import (
    Ablation,
    AblationRow,
    ablate,
    certain_cost,
    comes_up,
    leave_out,
    play_ablation,
)
from houle.solver.errors import InputError, StrategyError
from houle.solver.players.names import parse
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup
from tests.support.repeated import repeated
from tests.support.toys import toy, toy_player

pytestmark = pytest.mark.compiled


def named(result: Ablation, option: str, name: str) -> AblationRow:
    return next(row for row in result.rows if (row.option, row.name) == (option, name))


def test_never_making_the_right_move_loses_everything() -> None:
    """Two players who always see the right move share every win; without it one of them gets none."""
    result = play_ablation(toy("solved"), toy_player("thumb"), RunSpec(100, threads=1))
    assert result.full.value == pytest.approx(0.5)
    assert result.headline.startswith("never right loses most: -50 points (")
    right = named(result, "never", "right")
    assert right.cost is not None
    assert right.cost.value == pytest.approx(0.5)
    assert 0.45 < right.cost.low < 0.5  # 100 deals that agree are no proof
    assert right.chances is not None
    assert right.chances.possible == right.chances.made == right.chances.decisions
    assert result.rows[0].cost is not None
    assert result.rows[0].cost.value == pytest.approx(0.5)
    blind = named(result, "without", "right")
    assert blind.cost is not None
    assert 0.4 < blind.cost.value < 0.5
    absent = named(result, "never", "absent")
    assert absent.cost is None
    assert absent.remark == "never came up: changed nothing in 100 deals"
    assert named(result, "without", "idle").remark == "changed nothing in 100 deals"


@repeated(25, 100)
def test_equal_moves_cost_nothing(runs: int) -> None:
    """The interval of a cost that is 0 covers it as often as it says; 50 deals, from both seats."""
    setup = toy("equal")
    covered = 0
    for seed in range(runs):
        result = play_ablation(setup, toy_player("thumb"), RunSpec(50, seed, threads=1), ["zero"], [])
        cost = result.rows[0].cost
        assert cost is not None
        covered += cost.low <= 0 <= cost.high
    assert covered >= 0.89 * runs


@pytest.mark.quick
def test_largest_certain_cost_comes_first() -> None:
    seems, surely, nothing, helps = (
        Estimate(*ends, 100) for ends in ((0.5, 0.01, 0.99), (0.2, 0.1, 0.3), (0.3, -0.1, 0.7), (-0.2, -0.3, -0.1))
    )
    costs = [helps, nothing, seems, surely]
    assert sorted(costs, key=certain_cost, reverse=True) == [surely, seems, nothing, helps]


def test_certain_costs_are_corrected_for_all_rows() -> None:
    known = make_setup("wave", settings={"talk": "known"})
    result = ablate(known, "thumb", never=[], games=60, seed=3, threads=1)
    alone = [row.name for row in result.rows if row.cost and (row.cost.low > 0 or row.cost.high < 0)]
    assert alone == ["awkward", "next_risk", "keeps_awkward"]
    assert [row.name for row in result.rows if row.stands] == ["awkward", "next_risk"]


def test_a_rule_without_weight_says_so() -> None:
    blind = toy_player("thumb", right=0)
    result = play_ablation(toy("solved"), blind, RunSpec(20, threads=1), [], ["right"])
    assert named(result, "without", "right").remark == "has no weight in this setup"


def test_a_whole_team_plays_without() -> None:
    setup = make_setup("wave", 3)
    result = ablate(setup, "thumb", never=["reverse", "swap"], without=["awkward"], games=400, seed=3, threads=1)
    assert result.one_sided
    reverse = named(result, "never", "reverse")
    assert reverse.cost is not None
    assert reverse.score is not None
    assert reverse.cost.low > 0
    assert reverse.score.low > 0  # more cards are left
    assert named(result, "never", "swap").remark.startswith("never came up")
    frame = result.frame()
    assert list(frame["name"])[-1] == "swap"
    assert np.isnan(frame["cost"].iloc[-1])
    certain = np.maximum(frame["cost_low"].dropna().to_numpy(), 0)
    assert (np.diff(certain) <= 0).all()
    assert list(frame["stands"]) == [row["stands"] for row in result.as_json()["rows"]]
    assert result.as_json()["rows"][-1]["cost"] is None
    again = ablate(setup, "thumb", never=["reverse", "swap"], without=["awkward"], games=400, seed=3, threads=2)
    assert again.digest == result.digest


def test_how_often_a_sort_of_move_comes_up() -> None:
    seen = comes_up(toy("solved", decisions=8), toy_player("thumb"), RunSpec(5))
    assert seen["right"].made == seen["right"].possible == 40
    assert seen["zero"].possible == 40
    assert 0 < seen["zero"].made < 40
    assert seen["absent"].possible == 0


def test_things_left_out_add_up() -> None:
    one = leave_out(parse("flat:50[noise=0.5,never=swap]"), "never", "hide")
    assert one.text == "flat:50[never=swap+hide,noise=0.5]"
    assert parse(one.text) == one
    setup = make_setup("wave", variants=["virage"])
    assert seat_strategies(setup, [one.text]).records[0].never == 0b11
    with pytest.raises(StrategyError, match="'random' has nothing to leave out; allowed: thumb"):
        ablate(setup, "random", games=2)
    with pytest.raises(InputError, match="2 strategies"):
        ablate(setup, "thumb,family", games=2)
    with pytest.raises(InputError, match="no sort of move 'swop'; did you mean 'swap'"):
        ablate(setup, "thumb", never=["swop"], games=2)
