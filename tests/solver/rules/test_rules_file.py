"""Rules files: allowed content, and errors in one line with file and key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from houle.solver.errors import InputError
from houle.solver.rules import make_setup
from houle.solver.rules.rules_file import read_rules

pytestmark = pytest.mark.quick

LEAST = 'title = "T"\nabout = "A."\nplayers = [1, 2, 3]\nscore = "points"\n'
KNOB = '[knobs.hand]\ntype = "int"\ndefault = 5\nmin = 1\nmax = 9\nprovenance = "printed"\ntext = "Cards."\n'


def read(folder: Path, text: str) -> object:
    file = folder / "rules.toml"
    file.write_text(text)
    return read_rules.__wrapped__("my-game", file)


def test_four_keys_are_enough(tmp_path: Path) -> None:
    found = read(tmp_path, LEAST)
    assert (found.name, found.players, found.score, found.knobs) == ("my-game", (1, 2, 3), "points", {})  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (LEAST.replace('about = "A."\n', ""), "rules.toml: about is missing"),
        (LEAST.replace("[1, 2, 3]", "3"), "rules.toml: players: 3 is not allowed; allowed: a list"),
        (LEAST.replace("[1, 2, 3]", "[]"), "rules.toml: players: [] is not allowed"),
        (LEAST + 'ordre = "3"', "rules.toml: unknown key 'ordre'; did you mean 'order'?"),
        (LEAST + "order = true", "rules.toml: order: True is not allowed; allowed: a whole number"),
        (LEAST + KNOB.replace('text = "Cards."\n', ""), "rules.toml: knobs.hand: text is missing"),
        (LEAST + KNOB.replace("default = 5", "default = 10"), "knobs.hand: hand: 10 is not allowed; allowed: a whole"),
        (LEAST + KNOB.replace('"int"', '"number"'), "knobs.hand: type: 'number' is not allowed; allowed: int, bool"),
        (LEAST + KNOB.replace("knobs.hand", "knobs.hand.back"), 'knobs.hand: type is missing; a name with a dot is'),
        (LEAST + KNOB.replace("printed", "print"), "knobs.hand: provenance: 'print' is not allowed; allowed: printed"),
        (
            LEAST + KNOB + '[variants.few]\nset = { hands = 3 }\nprovenance = "printed"\ntext = "Few."',
            "variants.few: there is no knob 'hands'; did you mean 'hand'?",
        ),
        (
            LEAST + KNOB + '[variants.few]\nby_players = { few = { hand = 3 } }\nprovenance = "printed"\ntext = "Few."',
            "variants.few: by_players: write numbers of players",
        ),
        (LEAST + '[[rule]]\ntext = "So."', "rules.toml: rule 1: provenance is missing"),
        (LEAST.replace('"points"', '{ lower_is_better = true }'), "rules.toml: score: name is missing"),
        (
            LEAST.replace('"points"', '{ name = "points", goal = "scores" }'),
            "rules.toml: score: goal: 'scores' is not allowed; allowed: \"score\", or the score that wins",
        ),
        (LEAST.replace('"points"', '{ name = "points", goal = true }'), "goal: True is not allowed; allowed: text"),
        (LEAST + "[knobs", "rules.toml: not valid TOML"),
    ],
)  # fmt: skip
def test_faults_name_file_and_key(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(InputError) as fault:
        read(tmp_path, text)
    assert complaint in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize("goal", ['"score"', '"win"', "18"])
def test_goal_is_the_score_or_a_number(tmp_path: Path, goal: str) -> None:
    found = read(tmp_path, LEAST.replace('"points"', f'{{ name = "points", goal = {goal} }}'))
    assert json.dumps(found.goal) == goal  # type: ignore[attr-defined]


def test_variants_may_set_values_by_players(tmp_path: Path) -> None:
    text = LEAST + KNOB + (
        '[variants.fewer]\nset = { hand = 4 }\nby_players = { 1 = { hand = 7 }, 2 = { hand = 6 } }\n'
        'provenance = "printed"\ntext = "One card fewer."'
    )  # fmt: skip
    variant = read(tmp_path, text).variants["fewer"]  # type: ignore[attr-defined]
    assert [variant.settings(players)["hand"] for players in (1, 2, 3)] == [7, 6, 4]


def test_a_knob_may_rename_the_score() -> None:
    assert [make_setup("wave", 3, variants).score for variants in ([], ["nazare"])] == ["cards_left", "facedown"]
