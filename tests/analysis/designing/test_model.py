"""The model adds up effects, learns from combinations, and proposes combinations of few changes."""

from __future__ import annotations

import math

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


def truth(space: Space, setting: Setting) -> float:
    """Log odds: every change adds a number of its own."""
    return BASE + sum(0.1 * ((7 * axis + 3 * value) % 11 - 3) for axis, value in setting)


def seen(space: Space, setting: Setting) -> Estimate:
    value = rate(truth(space, setting))
    return Estimate(value, value - 0.001, value + 0.001, 10_000)


def made(target: str, space: Space = SPACE) -> Model:
    wish = Wish(parse_target(target), "thumb", "thumb")
    base = seen(space, AS_IT_IS)
    effects = {change: seen(space, frozenset({change})).shift(-base.value) for change in space.single_changes}
    return Model(wish, space, effects, base)


PAIR = frozenset({(0, 1), (1, 2)})


def test_effects_add_up_as_log_odds() -> None:
    model = made("win=40%")
    mean, error = model.predict(model.rows([AS_IT_IS, PAIR]))
    assert mean == pytest.approx([BASE, truth(SPACE, PAIR)], abs=0.02)
    assert error[1] > error[0]


def test_combinations_teach_how_much_of_sums_remains() -> None:
    """Pairs of some values teach about other pairs: each shows half of the sum."""
    played = [frozenset({(0, i), (1, j)}) for i in (1, 2) for j in (1, 2, 3)]
    model = made("win=40%")

    def halved(setting: Setting) -> Estimate:
        value = rate(BASE + (truth(SPACE, setting) - BASE) / 2)
        return Estimate(value, value - 0.001, value + 0.001, 10_000)

    new = frozenset({(0, 3), (1, 4)})
    before = model.predict(model.rows([new]))[0][0]
    model.learn({setting: halved(setting) for setting in played})
    after = model.predict(model.rows([new]))[0][0]
    right = BASE + (truth(SPACE, new) - BASE) / 2
    assert abs(after - right) < 0.5 * abs(before - right)


def test_other_players_effects_are_less_certain() -> None:
    wish, base = Wish(parse_target("win=40%"), "expert", "expert"), seen(SPACE, AS_IT_IS)
    effects = {change: seen(SPACE, frozenset({change})).shift(-base.value) for change in SPACE.single_changes}
    theirs = Model(wish, SPACE, effects, base, own=Estimate(0.3, 0.29, 0.31, 1_000))
    rows = theirs.rows([AS_IT_IS, PAIR])
    mean, error = theirs.predict(rows)
    assert mean[0] == pytest.approx(math.log(3 / 7))
    assert mean[1] - mean[0] == pytest.approx(truth(SPACE, PAIR) - BASE, abs=0.05)
    assert error[1] > made("win=40%").predict(rows)[1][1]


def test_proposals_reach_the_target_with_few_changes() -> None:
    """No single change adds enough; later rounds know what the first ones showed."""
    assert all(rate(truth(SPACE, frozenset({one}))) < 0.3 for one in SPACE.single_changes)
    model = made("win=40%")
    known = {AS_IT_IS}
    for _ in range(3):
        proposed = propose(SPACE, [model], known, 4)
        assert len(set(proposed)) == 4
        assert not known & set(proposed)
        known |= set(proposed)
        model.learn({setting: seen(SPACE, setting) for setting in proposed})
    kinds = [SPACE.kind(setting) for setting in propose(SPACE, [model], set(), 6)]
    assert max(kinds.count(kind) for kind in kinds) <= 2
    reached = [setting for setting in known if abs(rate(truth(SPACE, setting)) - 0.4) < 0.02]
    assert 2 <= min(map(len, reached)) <= 3


def test_small_spaces_are_proposed_completely() -> None:
    space = make_space(WAVE, {"hand.front": "2..4", "hand.back": "1..3"})
    model = made("win=40%", space)
    assert set(propose(space, [model], set(), 100)) == set(space.settings())
    space = make_space(WAVE, {"hand.front": [9], "hand.back": [8]})  # both are more than the deck has
    proposed = propose(space, [made("win=99%", space)], set(), 100)
    assert 0 < len(proposed) < space.size
    assert all(map(space.is_allowed, proposed))


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
