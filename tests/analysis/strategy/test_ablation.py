"""Restricted play: what must be lost is lost, what never comes up says so, and intervals cover."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.stats.intervals import Interval
from houle.analysis.strategy.ablation import (
    Ablation,
    AblationRow,
    ablate,
    certain_cost,
    comes_up,
    limited,
    play_ablation,
)
from houle.solver.errors import InputError
from houle.solver.ruleset import make_setup
from houle.solver.strategies.names import parse
from houle.solver.strategies.player import seat_strategies
from tests.support.toys import toy, toy_player


def named(found: Ablation, option: str, name: str) -> AblationRow:
    return next(one for one in found.restrictions if (one.option, one.name) == (option, name))


def test_who_may_not_make_the_right_move_loses_all() -> None:
    """Two players who always see the right move share every win; without it one of them gets none."""
    found = play_ablation(toy("solved"), toy_player("thumb"), deals=100, threads=1)
    assert found.free.value == pytest.approx(0.5)
    right = named(found, "never", "right")
    assert right.cost is not None
    assert right.cost.value == pytest.approx(0.5)
    assert 0.45 < right.cost.low < 0.5  # 100 deals that agree are no proof
    assert right.chances is not None
    assert right.chances.possible == right.chances.made == right.chances.decisions
    assert found.restrictions[0].cost is not None
    assert found.restrictions[0].cost.value == pytest.approx(0.5)
    blind = named(found, "without", "right")
    assert blind.cost is not None
    assert 0.4 < blind.cost.value < 0.5
    absent = named(found, "never", "absent")
    assert absent.cost is None
    assert absent.remark == "never came up: changed nothing in 100 deals"
    assert named(found, "without", "idle").remark == "changed nothing in 100 deals"


def test_where_moves_are_equal_no_restriction_costs_anything() -> None:
    """The interval of a cost that is 0 covers it as often as it says; 100 runs of 50 deals, from both seats."""
    setup = toy("equal")
    covered = 0
    for seed in range(100):
        found = play_ablation(setup, toy_player("thumb"), never=["zero"], without=[], deals=50, seed=seed, threads=1)
        cost = found.restrictions[0].cost
        assert cost is not None
        covered += cost.low <= 0 <= cost.high
    assert covered >= 89


def test_what_certainly_costs_most_comes_first() -> None:
    seems, surely, nothing, helps = (
        Interval(*ends, 100) for ends in ((0.5, 0.01, 0.99), (0.2, 0.1, 0.3), (0.3, -0.1, 0.7), (-0.2, -0.3, -0.1))
    )
    costs = [helps, nothing, seems, surely]
    assert sorted(costs, key=certain_cost, reverse=True) == [surely, seems, nothing, helps]


def test_a_cost_may_be_certain_by_itself_and_not_beside_the_others() -> None:
    found = ablate("wave", "thumb", never=[], games=60, seed=3, threads=1)
    alone = [one.name for one in found.restrictions if one.cost and (one.cost.low > 0 or one.cost.high < 0)]
    assert alone == ["awkward", "next_risk", "keeps_awkward"]
    assert [one.name for one in found.restrictions if one.stands] == ["awkward", "next_risk"]


def test_a_rule_without_weight_says_so() -> None:
    blind = toy_player("thumb", right=0)
    found = play_ablation(toy("solved"), blind, never=[], without=["right"], deals=20, threads=1)
    assert named(found, "without", "right").remark == "has no weight at this table"


def test_the_team_is_restricted_as_a_whole() -> None:
    setup = make_setup("wave", 3)
    found = ablate(setup, "thumb", never=["reverse", "swap"], without=["awkward"], games=400, seed=3, threads=1)
    assert found.one_side
    reverse = named(found, "never", "reverse")
    assert reverse.cost is not None
    assert reverse.score is not None
    assert reverse.cost.low > 0
    assert reverse.score.low > 0  # more cards are left
    assert named(found, "never", "swap").remark.startswith("never came up")
    frame = found.frame()
    assert list(frame["name"])[-1] == "swap"
    assert np.isnan(frame["cost"].iloc[-1])
    certain = np.maximum(frame["cost_low"].dropna().to_numpy(), 0)
    assert (np.diff(certain) <= 0).all()
    assert list(frame["stands"]) == [one["stands"] for one in found.as_json()["restrictions"]]
    assert found.as_json()["restrictions"][-1]["cost"] is None
    again = ablate(setup, "thumb", never=["reverse", "swap"], without=["awkward"], games=400, seed=3, threads=2)
    assert again.digest == found.digest


def test_how_often_a_sort_comes_up() -> None:
    seen = comes_up(toy("solved", decisions=8), toy_player("thumb"), seed=1, games=5)
    assert seen["right"].made == seen["right"].possible == 40
    assert seen["zero"].possible == 40
    assert 0 < seen["zero"].made < 40
    assert seen["absent"].possible == 0


def test_restrictions_add_up_and_are_written_as_typed() -> None:
    one = limited(parse("flat:50[noise=0.5,never=swap]"), "never", "hide")
    assert one.text == "flat:50[never=swap+hide,noise=0.5]"
    assert parse(one.text) == one
    setup = make_setup("wave", variants=["virage"])
    assert seat_strategies(setup, [one.text]).records[0].never == 0b11
    with pytest.raises(InputError, match="'random' cannot be told what to leave out"):
        ablate(setup, "random", games=2)
    with pytest.raises(InputError, match="2 strategies are given; allowed: one, for every seat"):
        ablate(setup, "thumb,novice", games=2)
    with pytest.raises(InputError, match="no sort of move 'swop'; did you mean 'swap'"):
        ablate(setup, "thumb", never=["swop"], games=2)
