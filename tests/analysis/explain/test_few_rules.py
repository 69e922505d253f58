"""A short list of rules of thumb: the costliest, in an order that chance does not change, without contradictions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from houle.analysis.explain.ablation import Ablation, AblationRow, ablate
from houle.analysis.explain.few_rules import asks_for, chosen_rules, contradict, in_order, play_list
from houle.analysis.run_options import RunSpec
from houle.analysis.stats.estimate import PERCENT, POINTS, Estimate
from houle.solver.players.names import parse
from tests.analysis.explain.test_habits import WAVE, planted

pytestmark = pytest.mark.quick

NAMES = [name for name, _ in WAVE.game.FEATURES]


def rule(name: str, points: float, half: float = 1.0) -> AblationRow:
    cost = Estimate(points / 100, (points - half) / 100, (points + half) / 100, 1_000, POINTS)
    return AblationRow(name, f"Mind {name}.", None, cost, None, "", stands=cost.differs)


def found(*rows: AblationRow) -> Ablation:
    return Ablation(WAVE, Estimate(0.2, 0.19, 0.21, 1_000, PERCENT), rows, 1_000, 1, 0, "")


def test_costs_that_cannot_be_told_apart_keep_the_order_of_the_game() -> None:
    """So another seed, which swaps them by chance, shows the same list."""
    rows = [rule("room", 5.0), rule("next_risk", 5.5), rule("from_back", 9.0), rule("lone", 2.0)]
    ordered = [row.name for row in in_order(WAVE, rows)]
    assert ordered == ["from_back", *sorted(["room", "next_risk"], key=NAMES.index), "lone"]
    swapped = [rule("room", 5.5), rule("next_risk", 5.0), *rows[2:]]
    assert [row.name for row in in_order(WAVE, swapped)] == ordered


def test_the_list_has_only_certain_and_large_costs() -> None:
    rows = found(rule("room", 5.0), rule("lone", 0.5, 0.1), rule("awkward", 3.0, 4.0), rule("reverses", -6.0))
    assert [row.name for row in chosen_rules(rows, [])] == ["room"]


def test_rules_that_ask_for_other_moves_contradict() -> None:
    """Two rules on the same feature, one wants more and one less of it: no move follows both."""
    first, second = NAMES.index("room"), NAMES.index("next_risk")
    positions = planted(60, np.eye(len(NAMES))[0])
    opposed = [replace(one, features=one.features.copy()) for one in positions]
    for one in opposed:
        one.features[:, second] = -one.features[:, first]
    weights = {"room": -5, "next_risk": -5}
    assert contradict(WAVE, opposed, weights, "room", "next_risk")
    for one in (alike := [replace(one, features=one.features.copy()) for one in positions]):
        one.features[:, second] = one.features[:, first]
    assert not contradict(WAVE, alike, weights, "room", "next_risk")
    rows = found(rule("room", 9.0), rule("next_risk", 3.0))
    assert [row.name for row in chosen_rules(rows, opposed)] == ["room"]
    assert [row.name for row in chosen_rules(rows, alike)] == ["room", "next_risk"]


def test_a_rule_asks_for_the_move_that_follows_it() -> None:
    position = planted(1, np.eye(len(NAMES))[0])[0]
    column = position.features[:, NAMES.index("room")]  # the thumb wants little of it
    least, most = int(column.argmin()), int(column.argmax())
    assert asks_for([rule("room", 5.0)], WAVE, position, least, most)
    assert not asks_for([rule("room", 5.0)], WAVE, position, most, least)
    assert not asks_for([], WAVE, position, least, most)


@pytest.mark.compiled
def test_what_the_list_wins_is_between_random_and_all_rules() -> None:
    result = ablate(WAVE, parse("thumb"), RunSpec(60, seed=3, threads=1))
    few = play_list(WAVE, result.rows[:4], RunSpec(200, first=200, threads=1))
    assert few.wins["thumb"].value > few.wins["random"].value
    assert few.worth_following == (few.kept is not None and few.kept >= 0.5)
    assert few.as_json()["rules"][0]["name"] == result.rows[0].name
