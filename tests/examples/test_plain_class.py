"""A class in plain Python as a game of the commands: numbers as compiled, fair players, refusals in one line."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.examples.test_installed import ROOT, answer

pytestmark = pytest.mark.compiled

SIX = ROOT / "examples" / "games" / "six_nimmt" / "six_nimmt"
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
        return ["one", "roll"]

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
        (f"balance {small} -p 2 -n 20", "seat 1"),
        (f"skill {small} -p 2 -s random,thumb -n 20", "luck"),
        (f"trace {small} -p 2", "seat 2: roll"),
        (f"rules {small}", "end"),
        (f"check {small} -p 2 -n 1", "passes all checks"),
    ):
        result = said(plain, command)
        assert result["code"] == 0, (command, result["err"])
        assert words in result["out"]


def test_what_a_class_lacks_is_refused_in_one_line(plain: subprocess.Popen[str], small: Path) -> None:
    for command, words in (
        (f"position {small} -p 2 --from 1/0/1", "a class in plain Python has no positions"),
        (f"play {small} -p 2 --text", "write view(seat)"),
        (f"simulate {small} -p 2 -n 1e9", "--budget"),
        (f"simulate {small} -p 9", "9 players is not possible"),
        (f"simulate {small}:Chess", "no class 'Chess'"),
        (f"simulate {small.parent / 'none.py'}", "no such file"),
    ):
        result = said(plain, command)
        assert result["code"] == 2, (command, result["out"])
        assert words in result["err"].splitlines()[-1]


def test_an_imagine_that_keeps_real_cards_is_found(plain: subprocess.Popen[str], tmp_path: Path) -> None:
    code = (SIX / "plain.py").read_text()
    cheat = code.replace("        world.luck = luck\n", "        world.luck = luck\n        return world\n")
    assert cheat != code
    (tmp_path / "plain.py").write_text(cheat)
    (tmp_path / "rules.toml").write_text((SIX / "rules.toml").read_text().replace("default = 66", "default = 0"))
    checks = json.loads(said(plain, f"check {tmp_path / 'plain.py'} -p 3 -n 1 --json")["out"])["checks"]
    failed = {one["check"]: one["words"] for one in checks if one["verdict"] == "FAILED"}
    assert "imagine() keeps hand in all of" in failed["hidden cards are imagined anew"]
