"""docs/adding-a-game.md: its code is the example's own, and its commands show something."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text()
GAME = ROOT / "examples" / "games" / "the_game"
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]


def test_there_are_seven_steps_and_each_ends_in_a_command() -> None:
    steps = re.split(r"\n## ", PAGE)[1:]
    assert [step[0] for step in steps] == list("1234567")
    assert all("```sh\nhoule " in step for step in steps)


@pytest.mark.parametrize("code", [text for kind, text in BLOCKS if kind != "sh"])
def test_its_code_is_that_of_the_example(code: str) -> None:
    files = [*GAME.rglob("*.py"), *GAME.rglob("*.toml")]
    assert any(code in path.read_text() for path in files), code


COMPILED = (" tune ", " restrict ", " report ")  # they play too many games to do without


def _marked(command: str) -> Any:
    """Laws take minutes without the compiler, and compiling takes minutes."""
    slow = any(word in command for word in (*COMPILED, " check "))
    return pytest.param(command, marks=pytest.mark.slow) if slow else command


@pytest.mark.parametrize("command", [_marked(command) for command in COMMANDS])
def test_its_commands_show_something(command: str, tmp_path: Path) -> None:
    """With few games, and then without the compiler where that is quicker."""
    few = re.sub(r"-n \S+", "-n 2", re.sub(r"--generations \S+", "--generations 2", command))
    words = shlex.split(few.replace("flat:50", "flat:2").replace("out/the-game", str(tmp_path)))
    plain = {} if any(word in command for word in COMPILED) else {"NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(
        [sys.executable, "-m", "houle.cli.main", *words[1:]],
        cwd=GAME, env={**os.environ, **plain}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    assert len(run.stdout.splitlines()) > (0 if " report " in command else 4)
