"""The model of effects recovers the effects that were put in."""

from __future__ import annotations

import math

import pytest

from houle.analysis.designing.effects import fit_effects
from houle.analysis.designing.space import AS_IT_IS, Setting
from houle.analysis.stats.estimate import Estimate

pytestmark = pytest.mark.quick

A, B, C = (0, 1), (1, 1), (2, 1)
SINGLE = {A: 0.5, B: -0.3, C: 1.0}
BEYOND = {frozenset({A, B}): 0.4}


def truth(setting: Setting) -> float:
    pairs = sum(value for pair, value in BEYOND.items() if pair <= setting)
    return -0.6 + sum(SINGLE[change] for change in setting) + pairs


def seen(setting: Setting, rate: bool) -> Estimate:
    value = 1 / (1 + math.exp(-truth(setting))) if rate else truth(setting)
    return Estimate(value, value - 0.002, value + 0.002, 10_000)


PLAYED: list[Setting] = [AS_IT_IS, *(frozenset({c}) for c in SINGLE), frozenset({A, B}), frozenset({A, C})]


@pytest.mark.parametrize("rate", [True, False])
def test_effects_and_pairs_are_found(rate: bool) -> None:
    model = fit_effects({setting: seen(setting, rate) for setting in PLAYED}, rate)
    assert model.single[A] == pytest.approx(0.5, abs=0.02)
    assert model.pairs[frozenset({A, B})] == pytest.approx(0.4, abs=0.03)
    assert model.pairs[frozenset({A, C})] == pytest.approx(0.0, abs=0.03)


def test_unplayed_settings_are_predicted_from_their_parts() -> None:
    model = fit_effects({setting: seen(setting, True) for setting in PLAYED}, True)
    new = frozenset({B, C})
    assert model.predict(new) == pytest.approx(1 / (1 + math.exp(-truth(new))), abs=0.01)
    assert not model.knows(frozenset({(3, 1)}))


def test_effects_are_measured_from_the_unchanged_rules() -> None:
    model = fit_effects({setting: seen(setting, True) for setting in PLAYED}, True)
    before, after = (1 / (1 + math.exp(-value)) for value in (-0.6, -0.1))
    assert model.alone(A) == pytest.approx(after - before, abs=0.005)


def test_effects_depend_on_other_changes() -> None:
    model = fit_effects({setting: seen(setting, False) for setting in PLAYED}, False)
    assert model.alone(A) == pytest.approx(0.5, abs=0.02)
    assert model.given(A, B) == pytest.approx(0.9, abs=0.04)
    assert model.given(A, C) == pytest.approx(0.5, abs=0.04)
