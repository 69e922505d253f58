"""Rules of thumb in words: every text follows the sign of the weight."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.explain.ablation import ablate, rule_sentence
from houle.analysis.explain.habits import habit, habits
from houle.analysis.run_options import RunSpec
from houle.solver.players.names import parse
from houle.solver.players.player import weights_entry
from houle.solver.rules import game_names, make_setup
from tests.analysis.explain.test_habits import WAVE, planted
from tests.support.toys import toy

pytestmark = pytest.mark.quick

MORE = "Lay the card that most of the remaining cards can follow."
LESS = "Lay the card that the fewest cards can follow: use the steep steps while they fit."


@pytest.mark.parametrize("game", game_names())
def test_every_rule_of_thumb_is_worded_both_ways(game: str) -> None:
    setup = make_setup(game)
    for feature, _ in setup.game.FEATURES:
        more, less = rule_sentence(setup, feature, 1), rule_sentence(setup, feature, -1)
        assert more != less
        assert more.endswith(".")
        assert less.endswith(".")


def test_the_sign_of_the_weight_decides() -> None:
    assert rule_sentence(WAVE, "room", 0.5) == MORE
    assert rule_sentence(WAVE, "room", -378) == LESS
    assert rule_sentence(WAVE, "room", 0) == dict(WAVE.game.FEATURES)["room"]


def test_a_game_may_have_one_sentence_per_feature() -> None:
    assert rule_sentence(toy("solved"), "right", 3) == "Make the right move."
    assert rule_sentence(toy("solved"), "right", -3) == "The other way round: Make the right move."


@pytest.mark.compiled
def test_ablation_words_rules_by_their_weight() -> None:
    weights = weights_entry(parse("thumb"), WAVE)["weights"]
    assert weights["room"] < 0 < weights["awkward"]
    result = ablate(WAVE, parse("thumb"), RunSpec(20, seed=3, threads=1))
    texts = {one["name"]: one["text"] for one in result.as_json()["rows"]}
    assert texts == {name: rule_sentence(WAVE, name, weights.get(name, 0)) for name, _ in WAVE.game.FEATURES}
    assert texts["room"] == LESS


@pytest.mark.parametrize(("sign", "sentence"), [(1, MORE), (-1, LESS)])
def test_habits_say_what_the_thumb_says(sign: int, sentence: str) -> None:
    positions = planted(60, sign * np.eye(len(WAVE.game.FEATURES))[0])
    rule = habit(WAVE, positions, 0, [], 10)  # the weight of `room` is below 0
    assert (rule is None) == (sign > 0)
    assert rule is None or (rule.sign, rule.sentence) == (sign, sentence)
    read = habits(WAVE, positions, examples=0).as_json()["habits"]
    assert [one["sentence"] for one in read] == [rule_sentence(WAVE, one["feature"], one["sign"]) for one in read]
