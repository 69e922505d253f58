"""Rules files, knobs and weights: allowed content, and errors in one line with file and key."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from houle.solver.errors import InputError, KnobError
from houle.solver.players.weights import check_weights
from houle.solver.rules import game_names, load, make_setup, plain_differences, value_text
from houle.solver.rules.game_folders import VARIABLE
from houle.solver.rules.rules_file import read_rules
from tests.support.call import call
from tests.support.toys.quay_beside import FOLDER

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
        (LEAST + KNOB.replace('text = "Cards."\n', ""), "rules.toml: knobs.hand: text is missing"),
        (LEAST + KNOB.replace("default = 5", "default = 10"), "knobs.hand: hand: 10 is not allowed; allowed: a whole"),
        (LEAST + KNOB.replace("hand", "players"), "knobs.players: players: the command line uses this word; rename"),
        (LEAST + KNOB.replace('"int"', '"number"'), "knobs.hand: type: 'number' is not allowed; allowed: int, bool"),
        (LEAST + KNOB.replace("knobs.hand", "knobs.hand.back"), "knobs.hand: type is missing; a name with a dot is"),
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
        (LEAST.replace('"points"', "{ lower_is_better = true }"), "rules.toml: score: name is missing"),
        (
            LEAST.replace('"points"', '{ name = "points", goal = "scores" }'),
            "rules.toml: score: goal: 'scores' is not allowed; allowed: \"score\", or the score that wins",
        ),
        (LEAST + "[knobs", "rules.toml: not valid TOML"),
    ],
)
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
    text = (
        LEAST
        + KNOB
        + (
            "[variants.fewer]\nset = { hand = 4 }\nby_players = { 1 = { hand = 7 }, 2 = { hand = 6 } }\n"
            'provenance = "printed"\ntext = "One card fewer."'
        )
    )
    variant = read(tmp_path, text).variants["fewer"]  # type: ignore[attr-defined]
    assert [variant.settings(players)["hand"] for players in (1, 2, 3)] == [7, 6, 4]


def test_a_knob_may_rename_the_score() -> None:
    assert [make_setup("wave", 3, variants).score for variants in ([], ["nazare"])] == ["cards_left", "facedown"]


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
        "one card more in front",
        "one card fewer at the back",
        "without sky 5 (33 cards, not 34)",
    ]
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
            answers = [value_text(value) for entry in knob.alternatives for value in entry.get("values", ())]
            allowed = {"choice": knob.choices, "bool": ("true", "false")}.get(knob.type, ("each", *answers))
            assert set(knob.words) <= set(allowed), knob.name


GOOD = '[[player]]\nname = "thumb"\n[player.weights]\ngap = 3\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (GOOD.replace("gap", "gapp"), "player 1 (thumb): there is no rule of thumb 'gapp'; did you mean 'gap'?"),
        ('[[player]]\nname = "thumb"\n', "player 1: weights is missing"),
        (GOOD.replace('"thumb"', "3"), "player 1: name: 3 is not allowed; allowed: text in quotes"),
        (GOOD.replace("3", "9" * 12), "player 1 (thumb): gap: 999999999999 is not a whole number up to 1,000,000,000"),
        (GOOD.replace('thumb"', 'thumb"\nnoise = nan'), "player 1: noise: nan is not a number"),
        (GOOD.replace('thumb"', 'thumb"\nwhen = 3'), "player 1: when: 3 is not allowed"),
        ("player = 3\n", "weights.toml: player: 3 is not allowed; allowed: a list"),
        (f"reader = 3\n{GOOD}", "weights.toml: reader: 3 is not allowed"),
        (f"{GOOD}[reader]\nreads = 'x'\n", "weights.toml: reader: reads: 'x' is not allowed; allowed: a whole"),
        (f"thumb = 3\n{GOOD}", "weights.toml: unknown key 'thumb'; there is expert, player, reader"),
        (f"{GOOD}[raeder]\nreads = 1\n", "weights.toml: unknown key 'raeder'; did you mean 'reader'?"),
        (f"expert = 3\n{GOOD}", "weights.toml: expert: 3 is not allowed; allowed: a list"),
        (f"{GOOD}[[expert]]\nstrategy = 'flat:2'\nwhe = {{}}\n", "expert: unknown key 'whe'; did you mean 'when'?"),
    ],
)
def test_invalid_weights_are_refused(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "weights.toml"
    file.write_text(GOOD)
    check_weights(file, ["gap", "stop"])
    file.write_text(text)
    with pytest.raises(InputError, match=r"weights\.toml: ") as fault:
        check_weights(file, ["gap", "stop"])
    assert complaint in str(fault.value)


@pytest.mark.parametrize(
    "content", [b"oops", b"[[[", b"\xff\xfe", b"thumb = 3"], ids=["text", "brackets", "bytes", "key"]
)
@pytest.mark.parametrize("command", ["players", "simulate"])
def test_commands_refuse_a_malformed_file(
    tmp_path: Path, content: bytes, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "")
    folder = shutil.copytree(FOLDER, tmp_path / tmp_path.name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "quay.py").rename(folder / "game.py")
    for path in (folder, *folder.iterdir()):
        path.chmod(path.stat().st_mode & ~0o022)
    (folder / "weights.toml").write_bytes(content)
    refused = call(
        "--game-path",
        str(folder),
        command,
        folder.name.replace("_", "-"),
        *(["-s", "expert"] if command == "simulate" else []),
    )
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1), refused.output
    assert f"{folder / 'weights.toml'}: " in refused.stderr
