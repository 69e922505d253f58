"""A few rules with the thumb's own weights: none whose omission helps, and none against the rules of thumb."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.sampling.positions import judged_positions
from houle.analysis.strategy.few_rules import few_rules, mean_gain, pick
from houle.analysis.strategy.rule_sentences import rule_sentence
from houle.solver.ruleset import make_setup
from houle.solver.strategies.names import parse
from houle.solver.strategies.player import weights_entry
from tests.analysis.strategy.test_habits import WAVE, planted


def test_a_list_is_made_of_rules_of_thumb_that_help() -> None:
    setup = make_setup("wave", 3)
    positions = judged_positions(setup, 30, "flat:6", 1, 1_000_000_000, ["thumb"], False)
    weights = weights_entry(parse("thumb"), setup)["weights"]
    chosen = pick(setup, positions, weights)
    assert 1 <= len(chosen) <= 7
    assert all(weights[name] for name in chosen)
    assert chosen[0] not in pick(setup, positions, weights, [chosen[0]])
    found = few_rules(setup, positions, deals=200, first=200, threads=1)
    assert set(chosen) == {rule.feature for rule in (*found.rules, *found.harmful)}
    assert all(rule.cost.high >= 0 for rule in found.rules)
    assert all(rule.cost.high < 0 for rule in found.harmful)
    for rule in found.rules:
        assert rule.sentence == rule_sentence(setup, rule.feature, weights[rule.feature])
    assert found.wins["thumb"].value > found.wins["random"].value
    assert found.worth_remembering == (found.kept is not None and found.kept.value >= 0.5)


def test_gains_are_over_random_moves_and_ties_are_a_toss() -> None:
    positions = planted(50, np.eye(len(WAVE.game.FEATURES))[0])
    assert mean_gain(positions, np.zeros(len(WAVE.game.FEATURES))) == pytest.approx(0.0)
    assert mean_gain(positions, np.eye(len(WAVE.game.FEATURES))[0]) > 0.5
