"""A class in plain Python as a game of the commands: numbers as compiled, fair players, refusals in one line."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.examples.test_installed import ROOT, answer
from tests.support.call import good

pytestmark = pytest.mark.compiled

SIX = ROOT / "examples" / "games" / "six_nimmt" / "six_nimmt"
TRICKS = ROOT / "cli" / "skeleton" / "tricks.txt"
SMALL = """
import copy


class Race:
    \"\"\"Roll and move; the first to reach the end wins.\"\"\"

    PLAYERS = (2, 3)
    SCORE_RANGE = (0, 40)

    def __init__(self, players, luck, end=8):
        self.luck, self.end, self.at, self.seat = luck, end, [0] * players, 0

    def to_move(self):
        return -1 if max(self.at) >= self.end else self.seat

    def legal(self):
        return ["one", "roll"] if self.to_move() >= 0 else []

    def apply(self, move):
        self.at[self.seat] += 1 if move == "one" else self.luck(4)
        self.seat = (self.seat + 1) % len(self.at)

    def result(self):
        return {"scores": list(self.at)}

    def rules_of_thumb(self):
        return "roll"
"""


def said(plain: subprocess.Popen[str], command: str) -> dict[str, str]:
    return dict(answer(plain, command.split()))


@pytest.fixture
def small(tmp_path: Path) -> Path:
    file = tmp_path / "race.py"
    file.write_text(SMALL)
    return file


def test_a_class_gives_the_numbers_of_the_compiled_game(plain: subprocess.Popen[str]) -> None:
    """Both list their moves in the same order, so random players make the same ones."""
    words = "-p 3 -v round --set hand=4 -s random -n 8 --threads 1 --json"
    ours = json.loads(said(plain, f"simulate {SIX / 'plain.py'} {words}")["out"])
    other = json.loads(said(plain, f"--game-path {SIX} simulate six-nimmt {words}")["out"])
    for name in ("sides", "moves", "turns", "rounds"):
        assert ours[name] == other[name]


def test_commands_take_a_class(plain: subprocess.Popen[str], small: Path) -> None:
    for command, words in (
        (f"simulate {small} -p 2 -n 20", "seat 2"),
        (f"compare {small} -p 2 --set end=6,8 -n 20", "end=6"),
        (f"sweep {small} -p 2 -p 3 -s random -n 10", "3"),
        (f"balance {small} -p 2 -n 20", "`standing` in your game to see them."),
        (f"players {small} -p 2", "The move of rules_of_thumb() in the class."),
        (f"simulate {small} -p 2 -n 20 --verbose", "seat 2"),
        (f"trace {small} -p 2", "seat 2: roll"),
        (f"rules {small}", "end"),
        (f"check {small} -p 2 -n 1", "race.py passes all 4 checks that could run; not tested: cards are conserved"),
    ):
        result = said(plain, command)
        assert result["code"] == 0, (command, result["err"])
        assert words in " ".join(result["out"].split())


def test_checks_say_what_a_class_lacks(plain: subprocess.Popen[str], small: Path) -> None:
    """What a seat knows cannot be checked, and nothing that only compiled games have is listed."""
    checks = json.loads(said(plain, f"check {small} -p 2 -n 1 --json")["out"])["checks"]
    left_out = {one["words"] for one in checks if one["verdict"] == "left out"}
    unknown = "the class has no view or imagine: all cards are open to players"
    assert left_out == {unknown, "the game has nothing to check here"}
    assert {one["check"] for one in checks if one["verdict"] == "passed"} == {
        "games end", "legal moves until the end", "same seed, same game", "random moves are uniform",
    }  # fmt: skip


def test_what_a_class_lacks_is_refused_in_one_line(plain: subprocess.Popen[str], small: Path) -> None:
    for command, words in (
        (f"trace {small} -p 2 --at 1", "a class in plain Python has no positions"),
        (f"play {small} -p 2", "write view(seat)"),
        (f"simulate {small} -p 2 -n 1e9", "--budget"),
        (f"simulate {small} -p 9", "players: 9 is not allowed"),
        (f"simulate {small}:Chess", "no class 'Chess'"),
        (f"simulate {small.parent / 'none.py'}", "no such file"),
    ):
        result = said(plain, command)
        assert result["code"] == 2, (command, result["out"])
        assert words in result["err"].splitlines()[-1]


def test_a_class_without_rules_of_thumb_has_random_players(plain: subprocess.Popen[str], tmp_path: Path) -> None:
    file = tmp_path / "least.py"
    file.write_text(LEAST)
    result = said(plain, f"players {file} -p 2")
    assert (result["code"], result["err"]) == (0, "")
    assert "\nrandom\n" in result["out"]
    assert "\nthumb" not in result["out"]
    assert "write rules_of_thumb() in the class" in " ".join(result["out"].split())


def test_play_offers_no_advice_for_a_class(plain: subprocess.Popen[str], small: Path) -> None:
    """A link that holds a whole game shows its end: every move is the first one, so seat 1 wins by 8 to 7."""
    small.write_text(f"{SMALL}\n    SCORE = 'fields'\n\n    def view(self, seat):\n        return {{'at': self.at}}\n")
    link = f"game={small}&players=2&deal=1/0&seats=person,person&moves={'0' * 15}"
    result = said(plain, f"--game-path {small} play {link}")
    words = " ".join(re.sub("<[^>]+>", " ", result["out"]).split())
    assert "You won because you have 8 fields, player 2 has 7 fields. player result fields you won 8" in words, result
    assert "player 2 : one you : one" in words, "moves that look alike are named at the end"
    assert "u Undo" in words
    assert "Hint" not in words


@pytest.mark.slow
def test_an_imagine_that_keeps_real_cards_is_found(plain: subprocess.Popen[str], tmp_path: Path) -> None:
    code = (SIX / "plain.py").read_text()
    cheat = code.replace("        world.luck = luck\n", "        world.luck = luck\n        return world\n")
    assert cheat != code
    (tmp_path / "plain.py").write_text(cheat)
    (tmp_path / "rules.toml").write_text((SIX / "rules.toml").read_text().replace("default = 66", "default = 0"))
    checks = json.loads(said(plain, f"check {tmp_path / 'plain.py'} -p 3 -n 1 --json")["out"])["checks"]
    failed = {one["check"]: one["words"] for one in checks if one["verdict"] == "FAILED"}
    assert "imagine() keeps hand[" in failed["hidden cards are imagined anew"]


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A new game in which all choose a card face down."""
    good("new", "secret", "--like", "secret-choice", "--in", str(tmp_path))
    return tmp_path / "secret.py"


def test_an_imagine_that_keeps_secret_choices_is_found(plain: subprocess.Popen[str], secret: Path) -> None:
    redealt = (
        "            if self.chosen[other] is not None:\n                world.chosen[other] = luck.take(unseen)\n"
    )
    unseen = "unseen + [self.chosen[other] for other in others if self.chosen[other] is not None]"
    code = secret.read_text()
    assert code.count(redealt) == code.count(unseen) == 1
    secret.write_text(code.replace(redealt, "").replace(unseen, "unseen"))
    checks = json.loads(said(plain, f"check {secret} -p 2 -n 1 --json")["out"])["checks"]
    failed = {one["check"]: one["words"] for one in checks if one["verdict"] == "FAILED"}
    assert "imagine() keeps chosen[0] in all of 4 worlds" in failed["hidden cards are imagined anew"]


def test_sound_games_are_not_accused(plain: subprocess.Popen[str], secret: Path) -> None:
    """The same luck deals to any number of players; a list that never changes is no hidden hand."""
    code, points = secret.read_text(), "        self.points = [0] * players\n"
    assert points in code
    secret.write_text(code.replace(points, f"{points}        self.order = [4, 5, 6]\n"))
    result = said(plain, f"check {secret} -p 2 -p 3 -n 1")
    assert "passes all 14 checks that apply" in " ".join(result["out"].split()), result["out"]


@pytest.fixture
def tricks(tmp_path: Path) -> Path:
    """A class from a skeleton: hidden hands, and the highest card takes the trick."""
    file = tmp_path / "tricks.py"
    file.write_text(TRICKS.read_text().replace("@title@", "Tricks").replace("hand=7", "hand=3"))
    return file


def test_same_seed_gives_the_same_games(plain: subprocess.Popen[str], tricks: Path) -> None:
    def played(words: str) -> dict[str, Any]:
        return dict(json.loads(said(plain, f"simulate {tricks} -p 3 -s random {words} --json")["out"]))

    whole, again, other = (played(f"-n 40 --seed {seed}") for seed in (5, 5, 6))
    assert whole["result_digest"] == again["result_digest"] != other["result_digest"]


@pytest.mark.slow
def test_search_wins_more_than_chance(plain: subprocess.Popen[str], tricks: Path) -> None:
    words = f"simulate {tricks} -p 2 -s random,flat:8 -n 80 --json"
    assert json.loads(said(plain, words)["out"])["sides"][1]["win"]["low"] > 0.5


def test_a_note_says_when_searches_see_all_cards(plain: subprocess.Popen[str], tricks: Path) -> None:
    file = tricks.with_name("open_cards.py")
    file.write_text(tricks.read_text().replace("def imagine", "def unused"))
    assert "no imagine(seat, luck)" in said(plain, f"simulate {file} -p 2 -s flat:2 -n 2")["out"]
    assert "no imagine(seat, luck)" not in said(plain, f"simulate {tricks} -p 2 -s flat:2 -n 2")["out"]


def test_option_values_follow_rules_file_and_players(plain: subprocess.Popen[str], tmp_path: Path) -> None:
    file = tmp_path / "ruled.py"
    file.write_text(LEAST.replace("stop=3", "knobs").replace("0, stop", '0, knobs["stop"]'))
    assert "KNOBS = " in said(plain, f"simulate {file} -p 2")["err"]
    rules = 'title = "Ruled"\nabout = "A toy."\nplayers = [2, 3]\n[score]\nname = "moves"\nrange = [0, 9]\n'
    knob = '[knobs.stop]\ntype = "int"\ndefault = 4\nmin = 1\nmax = 9\nby_players = { 3 = 6 }\n'
    (tmp_path / "rules.toml").write_text(f'{rules}{knob}provenance = "assumed"\ntext = "When it stops."\n')
    for words, moves in (("-p 2", 4), ("-p 3", 6), ("-p 3 --set stop=2", 2)):
        result = said(plain, f"simulate {file} {words} -n 2 -s random --json")
        assert json.loads(result["out"])["moves"]["mean"] == moves, result["err"]


LEAST = """
class Game:
    PLAYERS = (2, 3)
    def __init__(self, players, luck, stop=3):
        self.moves, self.stop, self.players = 0, stop, players
    def to_move(self):
        return -1 if self.moves >= self.stop else 0
    def legal(self):
        return ["on"]
    def apply(self, move):
        self.moves += 1
    def result(self):
        return {"scores": [self.moves], "winners": [0]}
"""


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("def legal", "def moves_of", ".py:2: Game lacks legal(): the list of moves of the seat to move"),
        ("self.moves += 1", "self.moves += 1 // 0", ".py:11: ZeroDivisionError: "),
        ("-1 if self.moves >= self.stop else 0", "0", "never is -1: no end after 5,000 moves"),
        ('["on"]', "[]", "legal() is empty while seat 0"),
        ('["on"]', '["on", "on"]', "legal() lists a move twice"),
        ("else 0", "else 7", "to_move() is 7; allowed: a seat from 0 to 1"),
        ('{"scores": [self.moves], "winners": [0]}', "3", 'must return a dict with "scores"'),
        ('"winners": [0]', '"points": 1', "must say whether the team won"),
        ('"winners": [0]', '"winners": [1]', "allowed: sides from 0 to 0"),
        ("[self.moves]", "[0.5]", "allowed: a list of whole numbers"),
        ("luck, stop=3", "luck, stop", "asks for 'stop' without a default"),
        ("stop=3):", "stop=3, size=2):", "size: numpy uses this name; rename the option"),
        ("class Game:", "class Game", ".py:2: expected ':'"),
        ("class Game:", "import nowhere\nclass Game:", ".py:2: ModuleNotFoundError"),
    ],
)
def test_mistakes_in_a_class_are_one_line(
    plain: subprocess.Popen[str], tmp_path: Path, old: str, new: str, part: str
) -> None:
    assert old in LEAST
    file = tmp_path / "least.py"
    file.write_text(LEAST.replace(old, new))
    result = said(plain, f"simulate {file} -p 2 -n 3 -s random")
    assert (result["code"], result["err"].count("\n")) == (2, 1), result
    assert part in result["err"]
