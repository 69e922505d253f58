"""Knobs accept what their entry in rules.toml allows, and nothing else."""

from __future__ import annotations

import pytest

from houle.solver.errors import KnobError
from houle.solver.rules import game_names, load, make_setup, plain_differences

pytestmark = pytest.mark.quick


def test_lists_have_a_greatest_length() -> None:
    heights = load("wave").knobs["heights"]
    longest = [1] * heights.most
    assert heights.check(longest) == longest
    with pytest.raises(KnobError, match=f"allowed: a list of at most {heights.most} whole numbers"):
        heights.check([*longest, 1])


def test_range_with_a_hyphen_is_explained() -> None:
    with pytest.raises(KnobError, match=r"'1-3' is not allowed; .* written 1\.\.3"):
        load("wave").knobs["hand.back"].check("1-3")


def test_changes_are_said_in_words() -> None:
    setup = make_setup("wave", 3, (), {"hand.front": 4, "hand.back": 1, "deck.missing": ["white 0", "navy 5", "sky 5"]})
    assert plain_differences(setup) == [
        "one card more in front", "one card fewer at the back", "without sky 5 (33 cards, not 34)",
    ]  # fmt: skip
    green = ["white", "yellow", "orange", "red", "green", "sky", "navy"]
    setup = make_setup("wave", 3, (), {"deck.colours": green, "deck.reverse": ["white *", "* 0", "red 3"]})
    assert plain_differences(setup) == [
        "red 3 with the reverse symbol",
        "with green 0, green 1, green 2, green 3, green 4 and green 5 (40 cards, not 34)",
    ]
    assert plain_differences(make_setup("wave", 3, (), {"talk": "open"})) == ["all hands are open"]
    assert plain_differences(make_setup("wave", 3)) == []


@pytest.mark.parametrize("game", game_names())
def test_words_fit_their_knobs(game: str) -> None:
    """Numbers and lists of names have words for more and less, everything else only for values that it can have."""
    for knob in load(game).knobs.values():
        if knob.words and knob.type == "names":
            assert set(knob.words) == {"more", "less"}, knob.name
        elif knob.words and knob.type == "int":
            assert set(knob.words) == {"more", "less"}, knob.name
            assert knob.in_words(1, 3) == knob.words["more"].format(n="two", s="s")
        elif knob.words:
            allowed = knob.choices if knob.type == "choice" else ("true", "false")
            assert set(knob.words) <= set(allowed), knob.name
