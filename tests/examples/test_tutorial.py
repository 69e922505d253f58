"""docs/guides/own-game.md shows code and output of the examples; six_nimmt plays as its rules say."""

from __future__ import annotations

import importlib
import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.examples.test_installed import ROOT, answer
from tests.support.call import good, spawn

pytestmark = pytest.mark.quick

PAGE = (ROOT / "docs" / "guides" / "own-game.md").read_text()
GAME = ROOT / "examples" / "games" / "the_game"
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)
# Commands whose output is not on the page: that of the others is compared.
COMMANDS = [
    line
    for (kind, text), (after, _) in zip(BLOCKS, [*BLOCKS[1:], ("", "")], strict=True)
    if kind == "sh" and after != "text"
    for line in text.splitlines()
]
OWN = "my_game.py"  # the file that the first steps work on


def test_seven_steps_each_end_in_a_command() -> None:
    steps = re.split(r"\n## ", PAGE)[1:]
    assert [step[0] for step in steps] == list("1234567")
    assert all("```sh\nhoule " in step for step in steps)


def test_page_is_short() -> None:
    assert len(PAGE.split()) <= 900


CHANGE = "self.mover = winner\n"  # the change that the page makes to the new class


@pytest.mark.parametrize("code", [text for kind, text in BLOCKS if kind in ("python", "toml") and text != CHANGE])
def test_code_is_that_of_the_example(code: str) -> None:
    files = [*GAME.parent.rglob("*.py"), *GAME.parent.rglob("*.toml")]
    assert any(code in path.read_text() for path in files), code


@pytest.mark.compiled
def test_page_shows_what_the_commands_print(plain: subprocess.Popen[str], tmp_path: Path) -> None:
    """The steps in their order, from `houle new` on, with the change of a rule."""
    good("new", "my-game", "--in", str(tmp_path))
    file, command, shown = tmp_path / OWN, "", 0
    for kind, text in BLOCKS:
        if kind == "sh":
            command = text
        elif kind == "text":
            shown += 1
            assert text in answer(plain, shlex.split(command.replace(OWN, str(file)))[1:])["out"]
        elif text == CHANGE:
            code = file.read_text()
            old = " self.mover = 0\n"
            file = tmp_path / "changed.py"  # a process reads a file once
            before, line, after = code.rpartition(old)
            assert line
            file.write_text(f"{before} {CHANGE}{after}")
    assert shown == 3


COMPILED = (" tune ", " report ")  # play too many games to run without the compiler
COMPILING = 3600.0  # seconds to wait for one of these on a busy machine


def _marked(command: str) -> Any:
    """Marks slow commands: `check` takes minutes without the compiler, the others must be compiled."""
    slow = any(word in command for word in (*COMPILED, " check "))
    return pytest.param(command, marks=pytest.mark.slow) if slow else command


@pytest.mark.compiled
@pytest.mark.parametrize("command", [_marked(command) for command in COMMANDS])
def test_commands_print_something(command: str, plain: subprocess.Popen[str], tmp_path: Path) -> None:
    """With few games, and without the compiler where that is quicker."""
    few = re.sub(r"-n \S+", "-n 2", re.sub(r"--generations \S+", "--generations 2", command))
    good("new", "my-game", "--in", str(tmp_path))
    few = few.replace("new my-game", f"new other-game --in {tmp_path}").replace(OWN, str(tmp_path / OWN))
    words = shlex.split(few.replace("out/the-game", str(tmp_path)))[1:]
    if any(word in command for word in COMPILED):
        run = spawn(*words, patience=COMPILING, cwd=GAME)
        code, out, err = run.returncode, run.stdout, run.stderr
    else:
        result = answer(plain, words)
        code, out, err = result["code"], result["out"], result["err"]
    assert code == 0, out + err
    assert len(out.splitlines()) > (0 if " report " in command else 3)


sys.path.append(str(ROOT / "examples" / "games" / "six_nimmt" / "tests"))
simulator = importlib.import_module("simulator")


FOLDER = ROOT / "examples" / "games" / "six_nimmt" / "six_nimmt"


def out(plain: subprocess.Popen[str], command: str) -> str:
    result = answer(plain, ["--game-path", str(FOLDER), *command.split()])
    assert result["code"] == 0, result["err"]
    return str(result["out"])


def test_face_down_cards_are_not_told(plain: subprocess.Popen[str]) -> None:
    """In the second trick seats 1 and 2 have chosen, seat 3 is to move."""
    lines = dict(line.split(": ", 1) for line in out(plain, "trace six-nimmt -p 4 --at 6").splitlines())
    assert lines["seat 1 chosen"] == lines["seat 2 chosen"] == "1 ?"
    assert lines["moves"].split(", ")[4:] == ["seat 1 choose ?", "seat 2 choose ?"]
    assert lines["moves"].split(", ")[2] == "seat 3 choose 81"


def test_positions_with_rows_read_back(plain: subprocess.Popen[str], tmp_path: Path) -> None:
    text = str(tmp_path / "here.txt")
    written = out(plain, f"trace six-nimmt -p 4 -v round --at 38 -o {text}")
    assert "rows 3: " in written
    advice = json.loads(out(plain, f"advise six-nimmt --position {text} --worlds 1 --json"))
    lines = dict(line.split(": ", 1) for line in written.splitlines())
    moves = ", ".join(one["move"].removeprefix("choose ") for one in advice["moves"])
    assert moves == lines[f"seat {lines['seat']} hand"]


def test_traces_count_seats_once(plain: subprocess.Popen[str]) -> None:
    shown = out(plain, "trace six-nimmt -p 10 -s random -v round")
    assert all(f"hand of seat {seat}: " in shown for seat in range(1, 11))
    assert "seat 11" not in shown


@pytest.mark.compiled
@pytest.mark.parametrize("too_low", ["choice", "fewest"])
def test_random_rounds_take_as_many_heads(plain: subprocess.Popen[str], too_low: str) -> None:
    """As in a simulator without code of houle; the tests of the example play more, with every number of players."""
    words = f"simulate {FOLDER / 'plain.py'} -p 4 -v round --set too_low={too_low} -s random -n 400 --threads 1 --json"
    sides = json.loads(out(plain, words))["sides"]
    mean, error = simulator.mean_heads(4, too_low == "choice", 2_000, 5)
    ours = sum(side["score"]["value"] for side in sides) / 4
    assert abs(ours - mean) < 4.5 * error * (2_000 / 400 + 1) ** 0.5


def test_every_number_of_players_has_weights() -> None:
    text = (FOLDER / "weights.toml").read_text()
    entries = tomllib.loads(text)["player"]
    assert [entry.get("when") for entry in entries][-1] is None  # the last one is for all other numbers
    assert "--game-path" not in text
