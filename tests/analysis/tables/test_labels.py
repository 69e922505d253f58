"""Labels of print: which variants have one, what they are compared with, and whether players agree."""

from __future__ import annotations

import pytest

import houle
from houle.analysis.blocks import sentence
from houle.analysis.stats.estimate import POINTS, Estimate
from houle.analysis.tables.difficulty import rules_beside
from houle.analysis.tables.labels import agreement, base_of_label, printed_label
from houle.solver.rules import make_setup

pytestmark = pytest.mark.quick

BASE, VIRAGE = make_setup("wave", 3), make_setup("wave", 3, ("virage",))
TIDES = make_setup("wave", 3, ("tide-colours", "tide-numbers"))


def test_variants_have_the_label_of_print() -> None:
    assert [printed_label(setup) for setup in (BASE, VIRAGE, TIDES)] == ["", "easy", "harder"]
    assert printed_label(make_setup("wave", 3, ("nazare",))) == "expert"
    assert printed_label(make_setup("wave", 3, ("virage", "nazare"))) == ""  # easy and for experts


def test_a_labelled_variant_is_compared_with_the_base_game() -> None:
    for setup in (VIRAGE, TIDES):
        base = base_of_label(setup)
        assert base is not None
        assert base.digest == BASE.digest
    assert base_of_label(BASE) is None
    own = make_setup("wave", 3, ("virage",), {"hand.back": 3})
    assert base_of_label(own) is None
    beside = rules_beside(own)
    assert beside is not None
    assert beside.digest == VIRAGE.digest


def test_levels_that_agree_are_listed_with_the_difference() -> None:
    more = {
        "first-game": Estimate(0.04, 0.02, 0.06, 100, POINTS),
        "family": Estimate(-0.05, -0.07, -0.03, 100, POINTS),
        "expert": Estimate(0.01, -0.02, 0.04, 100, POINTS),
    }
    (line,) = agreement(VIRAGE, more)
    assert line == (
        "The rulebook calls virage easy. houle's people agree: first-game +4.0 points (+2.0 to +6.0); "
        "disagree: family -5 points (-7 to -3); not shown for expert +1 points (-2 to +4)"
    )
    (line,) = agreement(TIDES, more)
    assert "agree: family" in line
    assert "disagree: first-game" in line
    assert agreement(BASE, more) == []
    (line,) = agreement(VIRAGE, {"family": more["family"]}, lower_is_better=True)
    assert "people agree: family" in line


@pytest.mark.compiled
def test_difficulty_says_whether_players_agree() -> None:
    result = houle.difficulty(VIRAGE, strategies="level[thought=0.001],random", games=100)
    said = [sentence(block) for block in result.sentences]
    assert result.rows[1].against.endswith("base game")
    assert any(line.startswith("The rulebook calls virage easy. houle's people ") for line in said)
    alone = houle.difficulty(VIRAGE, strategies="random", games=100, alone=True)
    assert not any("rulebook" in sentence(block) for block in alone.sentences)
