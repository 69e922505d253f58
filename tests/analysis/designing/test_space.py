"""What a design may change: axes, settings, setups."""

from __future__ import annotations

import pytest

from houle.analysis.designing.space import AS_IT_IS, make_space, parse_changes
from houle.analysis.sampling.lineups import setup
from houle.solver.errors import InputError

pytestmark = pytest.mark.quick

WAVE = setup("wave", players=3)


def test_commas_separate_knobs_and_values() -> None:
    values = parse_changes(WAVE, ["hand.front,talk=silent,open,hand.back=0..2", "deck.missing=[],[white 0,navy 5]"])
    assert values == {
        "hand.front": None, "talk": "silent,open", "hand.back": "0..2", "deck.missing": "[],[white 0,navy 5]",
    }  # fmt: skip


def test_the_present_value_comes_first() -> None:
    front = make_space(WAVE, ["hand.front"]).axes[0]
    assert front.values[0] == WAVE.options["hand.front"]
    assert sorted(front.values) == list(range(min(front.values), max(front.values) + 1))


def test_a_list_of_cards_changes_by_one_card() -> None:
    missing = make_space(WAVE, ["deck.missing"]).axes[0]
    now = missing.values[0]
    assert all(len(set(now) ^ set(value)) == 1 for value in missing.values[1:])
    assert any(len(value) > len(now) for value in missing.values)


def test_settings_with_few_changes_come_first() -> None:
    space = make_space(WAVE, {"hand.front": [2, 3], "hand.back": [1, 2], "variants": "base,virage"})
    every = list(space.settings())
    assert every[0] == AS_IT_IS
    assert len(every) == 8
    assert [len(setting) for setting in every] == sorted(len(setting) for setting in every)
    changed = space.setup(every[-1])
    assert changed.variants == ("virage",)
    assert (changed.options["hand.front"], changed.options["hand.back"]) == (2, 1)
    assert space.label(every[-1]) == "hand.front=2, hand.back=1, virage"


@pytest.mark.compiled
def test_kept_rules_are_no_axis() -> None:
    assert "talk" not in {axis.name for axis in make_space(WAVE, ["all"], ["talk"]).axes}
    with pytest.raises(InputError, match="nothing is left to change"):
        make_space(WAVE, ["talk"], ["talk"])
    with pytest.raises(InputError, match="has no knob"):
        make_space(WAVE, ["hand.bakc"])


def test_decks_of_the_game_are_alternatives() -> None:
    (deck,) = make_space(setup("vague-attaque", players=3), ["deck"]).axes
    assert str(deck.values[0]) == "default"
    assert [str(value) for value in deck.values].count("default") == 1
    assert "three-dedicated" in map(str, deck.values)


def test_a_named_knob_without_alternatives_is_refused() -> None:
    with pytest.raises(InputError, match=r"hand.back has no other value here; give some"):
        make_space(WAVE, {"hand.front": [2, 3], "hand.back": [2]})


def test_brief_shows_only_the_changes_of_a_list() -> None:
    space = make_space(WAVE, {"deck.missing": [["white 0", "navy 5", "red 1"], ["navy 5"]], "hand.back": [1]})
    assert [space.brief(change) for change in space.single_changes] == [
        "deck.missing +red 1", "deck.missing -white 0", "hand.back=1",
    ]  # fmt: skip
