"""docs/guides/own-game.md: its code is that of the examples, its commands run, and print what the page shows."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.examples.test_installed import answer
from tests.support.call import good, spawn

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "guides" / "own-game.md").read_text()
GAME = ROOT / "examples" / "games" / "the_game"
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
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
