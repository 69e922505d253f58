"""docs/reference/own-games.md says what commands do with a class, a declared game and a built-in one: run them all."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from houle.cli.main import houle as every_command
from tests.examples.test_installed import COMMANDS as INSTALLED
from tests.examples.test_installed import IN_TURN, ROOT, STUDY, answer, said_by

PAGE = ROOT / "docs" / "reference" / "own-games.md"
SIX = ROOT / "examples" / "games" / "six_nimmt" / "six_nimmt"
FORMS = ("plain", "declared", "built-in")
GAMES = {"plain": str(SIX / "plain.py"), "declared": "six-nimmt", "built-in": "land-unter"}
SETUPS = {"plain": "-p 2 -v round --set hand=3", "declared": "-p 2 -v round --set hand=3", "built-in": "-p 3"}
WORKS = "works"
ELSEWHERE = {"new", "demo"}  # commands that take no game
# Those of an installed game, but few levels, and pages that are not opened.
COMMANDS = {name: lines for name, lines in INSTALLED.items() if name not in ELSEWHERE} | {
    "studio": ["studio {setup} --no-open --port 0"],
    "report": ["report {setup} -o {folder}/report"],
}


def table() -> dict[str, dict[str, str]]:
    """What the page says: command -> form -> `works` or words of the refusal."""
    rows = re.findall(r"^\| ([a-z]\S*) \| (.*?) \| (.*?) \| (.*?) \|$", PAGE.read_text(), re.MULTILINE)
    return {name: dict(zip(FORMS, cells, strict=True)) for name, *cells in rows if name != "command"}


@pytest.mark.quick
def test_the_page_has_every_command() -> None:
    listed = set(every_command.list_commands(click.Context(every_command)))
    assert set(table()) == set(COMMANDS) == listed - ELSEWHERE


RUNS = """
import pathlib
pathlib.Path(__file__).with_suffix(".ran").touch()
"""


@pytest.mark.compiled
def test_code_that_only_a_file_names_does_not_run(plain: subprocess.Popen[str], tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text(RUNS)
    study, record = tmp_path / "study.toml", tmp_path / "record.txt"
    study.write_text(STUDY.format(game=other, players=3))
    record.write_text(f"game: {other}\nplayers: 2\n")
    for words in (["study", "run", str(study), "-o", str(tmp_path / "cells")], ["review", str(record)]):
        result = answer(plain, words)
        assert (result["code"], result["err"].count("\n")) == (2, 1)
        assert f"add --game-path {other}" in result["err"]
    assert not other.with_suffix(".ran").exists()


@pytest.mark.compiled
def test_records_of_a_named_class_are_read(plain: subprocess.Popen[str], tmp_path: Path) -> None:
    record, six = str(tmp_path / "game.txt"), str(SIX / "plain.py")
    words = ["-p", "2", "-v", "round", "--set", "hand=2", "--record", record]
    written = answer(plain, ["trace", six, *words])
    assert written["code"] == 0, written["err"]
    read = answer(plain, ["--game-path", six, "trace", record])
    assert read["code"] == 0, read["err"]
    assert "6 nimmt!, 2 players, round, hand=2" in read["out"]


@pytest.fixture(scope="module")
def form(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, object]]:
    """A form of game, and a process that runs its commands; a class is played without the compiler."""
    name, folder = request.param, tmp_path_factory.mktemp("own")
    (folder / "results.csv").write_text("result\n" + "10\n12\n" * 4)
    variant = "" if name == "built-in" else 'variants = ["round"]\n'
    (folder / "study.toml").write_text(STUDY.format(game=GAMES[name], players=3) + variant)
    env = {**os.environ, "HOULE_GAMES": str(SIX), **({"NUMBA_DISABLE_JIT": "1"} if name == "plain" else {})}
    words = [sys.executable, str(IN_TURN)]
    with subprocess.Popen(words, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        yield {"name": name, "folder": folder, "process": run}


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS, indirect=True)
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_do_what_the_page_says(form: dict[str, object], command: str) -> None:
    name, folder, process = str(form["name"]), Path(str(form["folder"])), form["process"]
    assert isinstance(process, subprocess.Popen)
    expected = table()[command][name]
    works = expected.startswith(WORKS)  # perhaps with a restriction: `works, without advice`
    if command == "studio" and works:
        pytest.skip("a page that waits for a browser; tests/cli/studio opens it")
    built_in = name == "built-in"
    knob = "rounds=2,3" if built_in else "too_low=choice,fewest"
    for line in COMMANDS[command]:
        facts = {"game": GAMES[name], "players": 3 if built_in else 2, "knob": knob, "folder": folder}
        line = line.format(**facts, setup=f"{GAMES[name]} {SETUPS[name]}")
        assert "Warning" not in said_by(process, line, "" if works else expected)
