"""What a design may change, its targets as typed, and the model that proposes combinations of few changes."""

from __future__ import annotations

import math

import pytest

from houle.analysis.designing.model import EffectScale, Model, propose
from houle.analysis.designing.space import AS_IT_IS, Setting, Space, make_space, parse_changes
from houle.analysis.designing.wishes import Wish, read_wishes
from houle.analysis.measures.targets import parse_target
from houle.analysis.players.line_ups import setup
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.solver.errors import InputError

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


def test_commas_separate_knobs_and_values() -> None:
    values = parse_changes(WAVE, ["hand.front,talk=silent,open,hand.back=0..2", "deck.missing=[],[white 0,navy 5]"])
    assert values == {
        "hand.front": None,
        "talk": "silent,open",
        "hand.back": "0..2",
        "deck.missing": "[],[white 0,navy 5]",
    }


def test_several_cards_go_and_come_together() -> None:
    space = make_space(WAVE, ["deck.missing", "hand.back"])
    words = {space.words(change): change for change in space.single_changes}
    setting = frozenset({words["without sky 5"], words["without navy 4"], words["with white 0"], words["hand.back=5"]})
    changed = space.setup(setting)
    assert set(changed.options["deck.missing"]) == {"navy 5", "sky 5", "navy 4"}
    assert changed.options["hand.back"] == 5
    assert space.label(setting) == "hand.back=5, with white 0, without sky 5 and navy 4"
    assert space.kind(setting) == {"deck.missing", "hand.back"}


def test_small_changes_cost_less() -> None:
    space = make_space(WAVE, ["hand.back", "deck.missing"])
    cost = {space.words(change): space.cost(frozenset({change})) for change in space.single_changes}
    assert cost["hand.back=3"] == cost["without sky 5"] == 1
    assert cost["hand.back=4"] == 2
    assert cost["hand.back=8"] > 3 * cost["without sky 5"]  # three cards are a smaller change
    fronts = make_space(setup("wave", players=3, set={"hand.front": 4}), ["hand.front"])
    of_four = {fronts.words(change): fronts.cost(frozenset({change})) for change in fronts.single_changes}
    assert (of_four["hand.front=5"], of_four["hand.front=7"], of_four["hand.front=9"]) == (1, 3, 5)
    changed = make_space(setup("wave", players=3, set={"hand.back": 3}), ["hand.back"])
    back, away = (frozenset({(0, changed.axes[0].values.index(value))}) for value in (2, 4))
    assert changed.cost(back) < changed.cost(away)


def test_changes_of_the_idea_cost_most() -> None:
    """Table talk and doubled hands come after cards and numbers."""
    space = make_space(WAVE, ["hand.back", "deck.missing", "talk", "variants"])
    cost = {space.words(change): space.cost(frozenset({change})) for change in space.single_changes}
    assert cost["without sky 5"] < cost["hand.back=4"] < cost["talk=open"]
    assert cost["hand.back=6"] > 2 * cost["hand.back=3"]
    identity = {space.words(change) for change in space.single_changes if not space.knobs(change)[0].tunable}
    assert {"talk=open", "talk=known", "talk=silent"} <= identity
    assert not identity & {"without sky 5", "hand.back=6", "virage"}
    teams = make_space(setup("sea-change", players=4), ["variants"])
    assert [teams.words(change) for change in teams.single_changes if not teams.knobs(change)[0].tunable] == ["2v2"]


def test_values_that_cannot_be_played_are_named() -> None:
    space = make_space(WAVE, {"hand.back": "1..12", "hand.front": [4]})
    names = [name for name, _ in space.dropped]
    assert "hand.back=12" in names
    assert not set(names) & {f"hand.back={value}" for value in space.axes[0].values}


def test_all_means_small_changes() -> None:
    """Hands of 7 or 9 instead of 4 are not small, neither is table talk; who asks for them gets them."""
    base = setup("wave", players=3, set={"hand.front": 4})
    space = make_space(base, ["all"])
    values = {axis.name: axis.values for axis in space.axes}
    assert values["hand.front"] == (4, 2, 3, 5, 6)
    assert "talk" not in values
    assert {"talk", "nazare"} <= set(space.identity)
    assert not values.keys() & {"dummy.up", "facedown"}  # not in play with three players, and without a variant
    assert not values.keys() & {"heights", "virage", "nazare"}  # without a trace here, or a variant
    assert "deck.numbers" in space.untried
    variants = next(axis for axis in space.axes if axis.name == "variants")
    assert ("+", "virage") in variants.values
    assert ("+", "nazare") not in variants.values
    asked = make_space(base, {"all": None, "talk": None, "hand.front": "9"})
    values = {axis.name: axis.values for axis in asked.axes}
    assert "open" in values["talk"]
    assert values["hand.front"] == (4, 9)
    long = make_space(setup("vague-verte", players=4), ["all"])
    assert {axis.name: axis.values for axis in long.axes}["road"] == (7, 3, 4, 5, 6, 8, 9, 10, 11)
    assert "max_turns" in long.identity


@pytest.mark.compiled
def test_kept_rules_are_no_axis() -> None:
    assert "talk" not in {axis.name for axis in make_space(WAVE, ["all"], ["talk"]).axes}
    with pytest.raises(InputError, match="nothing is left to change"):
        make_space(WAVE, ["talk"], ["talk"])
    with pytest.raises(InputError, match=r"hand.back has no other value here; give some"):
        make_space(WAVE, {"hand.front": [2, 3], "hand.back": [2]})
    with pytest.raises(InputError, match="has no knob"):
        make_space(WAVE, ["hand.bakc"])


VERTE = setup("vague-verte", players=4)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("length:p90<=45", -math.inf, 45),
        ("win<80%@expert", 0, 0.8),
        ("win>=0.3", 0.3, 1),
        ("score>=3", 3, math.inf),
        ("first-seat<=2%", -1, 0.02),
        ("seat-gap<=2%", 0, 0.02),
    ],
)
def test_limits_are_targets(text: str, low: float, high: float) -> None:
    target = parse_target(text)
    assert (target.low, target.high) == pytest.approx((low, high))


def test_one_target_may_join_several() -> None:
    family, expert = read_wishes(WAVE, ["win=30..45%@family and win<=80%@expert"])
    assert (family.who, expert.who) == ("family", "expert")
    assert family.sentence(WAVE, Estimate(0.4, 0.39, 0.41, n=100, unit=PERCENT)) == "families win 40.0% (39.0 to 41.0)"
    assert expert.strategies == "expert"


@pytest.mark.parametrize(
    ("base", "text", "error"),
    [
        (VERTE, "family game", "write MEASURE=VALUE"),
        (WAVE, "5 points easier", "write MEASURE=VALUE"),
        (WAVE, "seat-gap<=2%", "not a measure of wave"),
        (VERTE, "balance<=2%", "unknown measure 'balance'; did you mean 'seat-gap'"),
        (WAVE, "win<=20..30%", "one number after <="),
        (WAVE, "length:p900<=3", "unknown measure"),
    ],
)
def test_wrong_targets_are_refused(base: object, text: str, error: str) -> None:
    with pytest.raises(InputError, match=error):
        read_wishes(base, [text])  # type: ignore[arg-type]


def test_effects_have_sign_and_unit() -> None:
    (wish,) = read_wishes(VERTE, ["length<=30"])
    assert wish.strategies == "family"
    assert wish.change(VERTE, Estimate(4.0, 3.0, 5.0, 100)) == "+4 (3 to 5) turns"


@pytest.mark.parametrize(("text", "ends"), [("length<=45", (-math.inf, math.log(45))), ("win=0..50%", (-math.inf, 0))])
def test_ends_that_nothing_crosses_are_infinite(text: str, ends: tuple[float, float]) -> None:
    target = parse_target(text)
    assert EffectScale(target.measure, 1).ends(Wish(target, "thumb", "thumb")) == pytest.approx(ends)


def test_decks_of_the_game_are_alternatives() -> None:
    (deck,) = make_space(setup("vague-attaque", players=3), ["deck"]).axes
    assert str(deck.values[0]) == "default"
    assert [str(value) for value in deck.values].count("default") == 1
    assert "three-dedicated" in map(str, deck.values)
