"""A short list of rules of thumb: none does harm, and none contradicts the thumb."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.judged_positions import judged_positions
from houle.analysis.strategy.ablation import rule_sentence
from houle.analysis.strategy.few_rules import few_rules, mean_gain, pick
from houle.solver.players.names import parse
from houle.solver.players.player import weights_entry
from houle.solver.rules import make_setup
from tests.analysis.strategy.test_habits import WAVE, planted

pytestmark = pytest.mark.quick


@pytest.mark.compiled
def test_the_list_holds_rules_that_help() -> None:
    setup = make_setup("wave", 3)
    positions = judged_positions(setup, RunSpec(30, 1, 1_000_000_000), "flat:6")
    weights = weights_entry(parse("thumb"), setup)["weights"]
    chosen = pick(setup, positions, weights)
    assert 1 <= len(chosen) <= 7
    assert all(weights[name] for name in chosen)
    assert chosen[0] not in pick(setup, positions, weights, [chosen[0]])
    spec = RunSpec(200, first=200, threads=1)
    result = few_rules(setup, positions, ["room", "from_back"], ["awkward"], spec, spec.but(first=0))
    listed = [rule.feature for rule in (*result.rules, *result.dropped)]
    assert 1 <= len(listed) <= 7
    assert "awkward" not in listed
    assert all(rule.cost.value > 0 for rule in result.rules)
    assert all(rule.cost.value <= 0 for rule in result.dropped)
    costs = [rule.cost.value for rule in result.rules]
    assert costs == sorted(costs, reverse=True)
    for rule in result.rules:
        assert rule.sentence == rule_sentence(setup, rule.feature, weights[rule.feature])
    assert result.wins["thumb"].value > result.wins["random"].value
    assert result.worth_remembering == (result.kept is not None and result.kept.value >= 0.5)


def test_gains_are_over_random_moves() -> None:
    """Ties are broken at random, so a list without weights gains nothing."""
    positions = planted(50, np.eye(len(WAVE.game.FEATURES))[0])
    assert mean_gain(positions, np.zeros(len(WAVE.game.FEATURES))) == pytest.approx(0.0)
    assert mean_gain(positions, np.eye(len(WAVE.game.FEATURES))[0]) > 0.5
