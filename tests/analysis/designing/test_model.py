"""The model adds up effects, learns interactions, and proposes combinations of few changes."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from houle.analysis.designing.model import EffectScale, Model, propose
from houle.analysis.designing.space import AS_IT_IS, Setting, Space, make_space
from houle.analysis.designing.wishes import Wish
from houle.analysis.measures.targets import parse_target
from houle.analysis.players.line_ups import setup
from houle.analysis.stats.estimate import Estimate

pytestmark = pytest.mark.quick

WAVE = setup("wave", players=3)
SPACE = make_space(WAVE, {"hand.front": "2..5", "hand.back": "0..4", "deck.missing": None})
BASE = -2.0  # log odds


def rate(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def truth(space: Space, setting: Setting, beyond: float = 0.0) -> float:
    """Log odds: every change adds a number of its own, and two axes together `beyond` times the product."""
    parts: dict[int, float] = {}
    for axis, value in setting:
        parts[axis] = parts.get(axis, 0.0) + 0.1 * ((7 * axis + 3 * value) % 11 - 3)
    return BASE + sum(parts.values()) + beyond * sum(a * b for a, b in combinations(parts.values(), 2))


def seen(space: Space, setting: Setting, beyond: float = 0.0) -> Estimate:
    value = rate(truth(space, setting, beyond))
    return Estimate(value, value - 0.001, value + 0.001, 10_000)


def made(target: str, space: Space = SPACE, beyond: float = 0.0) -> Model:
    wish = Wish(parse_target(target), "thumb", "thumb")
    base = seen(space, AS_IT_IS)
    effects = {change: seen(space, frozenset({change}), beyond).shift(-base.value) for change in space.single_changes}
    return Model(wish, space, base, effects)


PAIR = frozenset({(0, 1), (1, 2)})


def test_effects_add_up_as_log_odds() -> None:
    model = made("win=40%")
    mean, error = model.predict(model.rows([AS_IT_IS, PAIR]))
    assert mean == pytest.approx([BASE, truth(SPACE, PAIR)], abs=0.02)
    assert error[1] > error[0]


def test_interactions_are_learned_for_other_values() -> None:
    """Pairs of some values teach about the same two axes with other values."""
    played = [frozenset({(0, i), (1, j)}) for i in (1, 2) for j in (1, 2, 3)]
    model = made("win=40%", beyond=-1.0)
    new = frozenset({(0, 3), (1, 4)})
    before = model.predict(model.rows([new]))[0][0]
    model.learn({setting: seen(SPACE, setting, -1.0) for setting in played})
    after = model.predict(model.rows([new]))[0][0]
    right = truth(SPACE, new, -1.0)
    assert abs(after - right) < 0.5 * abs(before - right)


def test_proposals_reach_the_target_with_few_changes() -> None:
    """No single change adds enough; the second round knows what the first one showed."""
    assert all(rate(truth(SPACE, frozenset({one}))) < 0.3 for one in SPACE.single_changes)
    model = made("win=40%")
    first = propose(SPACE, [model], {AS_IT_IS}, 16, {})
    assert len(set(first)) == 16
    model.learn({setting: seen(SPACE, setting) for setting in first})
    second = propose(SPACE, [model], {AS_IT_IS, *first}, 16, {})
    assert not set(first) & set(second)
    reached = [setting for setting in (*first, *second) if abs(rate(truth(SPACE, setting)) - 0.4) < 0.02]
    assert 2 <= min(map(len, reached)) <= 3


def test_kinds_with_an_answer_are_not_proposed_again() -> None:
    model = made("win=40%")
    first = propose(SPACE, [model], set(), 16, {})[0]
    kind = SPACE.kind(first)
    again = propose(SPACE, [model], {first}, 16, {kind: SPACE.cost(first)})
    assert all(SPACE.cost(setting) < SPACE.cost(first) for setting in again if SPACE.kind(setting) == kind)


def test_small_spaces_are_proposed_completely() -> None:
    space = make_space(WAVE, {"hand.front": "2..4", "hand.back": "1..3"})
    model = made("win=40%", space)
    assert set(propose(space, [model], set(), 100, {})) == set(space.settings())


def test_log_chance_falls_with_the_distance() -> None:
    model = made("win=90%..95%")
    rows = model.rows([AS_IT_IS, *(frozenset({one}) for one in SPACE.single_changes)])
    mean, _ = model.predict(rows)
    order = np.argsort(mean)
    chances = model.log_chance(rows)[order]
    assert chances[-1] > chances[0]
    assert np.all(np.isfinite(chances))


@pytest.mark.parametrize(("text", "ends"), [("length<=45", (-math.inf, math.log(45))), ("win=0..50%", (-math.inf, 0))])
def test_ends_that_nothing_crosses_are_infinite(text: str, ends: tuple[float, float]) -> None:
    target = parse_target(text)
    assert EffectScale(target.measure, 1).ends(Wish(target, "thumb", "thumb")) == pytest.approx(ends)
