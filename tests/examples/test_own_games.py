"""docs/reference/own-games.md says what commands do with a class, a declared game and a built-in one: run them all."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from houle.cli.main import houle as every_command
from tests.examples.test_installed import IN_TURN, ROOT, answer

PAGE = ROOT / "docs" / "reference" / "own-games.md"
SIX = ROOT / "examples" / "games" / "six_nimmt" / "six_nimmt"
FORMS = ("plain", "declared", "built-in")
GAMES = {"plain": str(SIX / "plain.py"), "declared": "six-nimmt", "built-in": "land-unter"}
SETUPS = {"plain": "-p 2 -v round --set hand=3", "declared": "-p 2 -v round --set hand=3", "built-in": "-p 3"}
WORKS = "works"
STUDY = 'name = "few"\nseed = 1\ngames = 4\n[[grid]]\ngame = "{game}"\nplayers = [3]\nvariants = ["{variant}"]\n'
ELSEWHERE = {"new", "demo"}  # commands that take no game
# Few games each; a later command may need what an earlier one has written.
COMMANDS = {
    "games": ["games"],
    "rules": ["rules {game}"],
    "players": ["players {setup}", "players {setup} --fit {folder}/results.csv -n 100"],
    "check": ["check {game} -p {players} -n 1"],
    "simulate": ["simulate {setup} -n 20", "simulate {setup} -s ismcts:4 -n 1"],
    "compare": ["compare {setup} -s random -s thumb -n 10"],
    "sweep": ["sweep {setup} -s random -s thumb -n 10"],
    "design": ["design {setup} --target length=1..5000 --change {knob} --budget 2s"],
    "study": ["study run {folder}/study.toml -o {folder}/cells", "study show {folder}/cells"],
    "difficulty": ["difficulty {setup} -s random,thumb -n 10"],
    "strength": ["strength {setup} -s random,thumb -n 10"],
    "balance": ["balance {setup} -n 10"],
    "tune": ["tune {setup} --generations 1 --population 4 -n 10 --check-games 100"],
    "trace": ["trace {setup} --record {folder}/record.txt", "trace {folder}/record.txt"],
    "play": ["play {setup} --seed 1"],
    "advise": ["advise {setup} --from 1/0/1 --worlds 10"],
    "review": ["review {folder}/record.txt --worlds 10"],
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
    study.write_text(STUDY.format(game=other, variant="base"))
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
    (folder / "study.toml").write_text(
        STUDY.format(game=GAMES[name], variant="base" if name == "built-in" else "round")
    )
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
    facts = {
        "game": GAMES[name],
        "setup": f"{GAMES[name]} {SETUPS[name]}",
        "players": 3 if built_in else 2,
        "knob": "rounds=2,3" if built_in else "too_low=choice,fewest",
        "folder": folder,
    }
    for line in COMMANDS[command]:
        result = answer(process, shlex.split(line.format(**facts)))
        output = f"houle {line.format(**facts)}: {result['code']}\n{result['out']}{result['err']}"
        if works:
            assert result["code"] == 0, output
            assert "Traceback" not in result["err"], output
            assert "Warning" not in result["err"], output
        else:
            assert (result["code"], result["err"].count("\n")) == (2, 1), output
            assert expected in result["err"], output
