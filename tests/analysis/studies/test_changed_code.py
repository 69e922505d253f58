"""A study of a game of your own goes on only with the code that began it, wherever the folder of the game is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.sources import ROOT

pytestmark = pytest.mark.compiled

# Runs every command in a process of its own, forked before any game is read.
EACH_ANEW = """
import json, os, sys
import houle.cli.commands.study, houle.analysis.studies.play, houle.solver.plain.whole_games
from tests.support.commands_in_turn import run

for line in iter(sys.stdin.readline, ""):
    reading, writing = os.pipe()
    if not os.fork():
        folder, words = json.loads(line)
        os.chdir(folder)
        result = run(words, prog_name="houle")
        answer = json.dumps({"code": result.exit_code, "out": result.stdout, "err": result.stderr})
        os.write(writing, answer.encode())
        os._exit(0)
    os.close(writing)
    os.wait()
    print(os.fdopen(reading).read(), flush=True)
"""
GAME = """
from helper import BONUS

class Game:
    PLAYERS = (2,)

    def __init__(self, players, knobs, luck):
        self.luck, self.points, self.moves, self.worth = luck, 0, 0, knobs["worth"]

    def to_move(self):
        return -1 if self.moves >= 4 else self.moves % 2

    def legal(self):
        return ["low", "high"]

    def apply(self, move):
        from pack.inner import extra
        self.points += self.luck(3) if move == "low" else self.worth
        self.points += BONUS + extra()
        self.moves += 1

    def result(self):
        return {"scores": [self.points]}
"""
INNER = """
from pathlib import Path

def extra():
    return int((Path(__file__).parents[1] / "extra.txt").read_text())
"""
RULES = """
title = "Points"
about = "A toy."
players = [2]
[score]
name = "points"
range = [0, 1000]
goal = 10
[knobs.worth]
type = "int"
default = 3
min = 1
max = 9
provenance = "assumed"
text = "What a high move is worth."
"""
FILES = {"mygame.py": GAME, "helper.py": "BONUS = 0\n", "pack/__init__.py": "", "pack/inner.py": INNER}
FILES |= {"extra.txt": "0\n", "rules.toml": RULES}
SPEC = 'game = "mygame.py"\ngames = 60\nchunk = 10\nstrategies = "random"\n'

Run = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Runs a command of `houle study` for the game in a folder."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    process = subprocess.Popen([sys.executable, "-c", EACH_ANEW], env=plain, **pipes)

    def answer(folder: Path, *words: str) -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        given = ["--game-path", "mygame.py", "study", *words]
        process.stdin.write(json.dumps([str(folder), given]) + "\n")
        process.stdin.flush()
        return dict(json.loads(process.stdout.readline()))

    yield answer
    process.communicate()


def written(folder: Path, **changed: str) -> Path:
    for name, text in {**FILES, "study.toml": SPEC, **changed}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def part(number: int) -> list[str]:
    return ["run", "study.toml", "-o", "logs", "-q", "--json", "--part", f"{number}/2"]


@pytest.fixture(scope="module")
def begun(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the game with the log of the first part in it."""
    folder = written(tmp_path_factory.mktemp("begun"))
    result = run(folder, *part(1))
    assert result["code"] == 0, result["err"]
    return folder


CHANGES = {
    "the class": {"mygame.py": GAME.replace("self.luck(3)", "self.luck(2)")},
    "a module beside it": {"helper.py": "BONUS = 50\n"},
    "a package beside it": {"pack/inner.py": INNER.replace("return ", "return 50 + ")},
    "a data file": {"extra.txt": "50\n"},
    "a default": {"rules.toml": RULES.replace("default = 3", "default = 9")},
    "its weights": {"weights.toml": "# Tuned.\n"},
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("number", [1, 2])
def test_changed_code_is_refused(run: Run, begun: Path, tmp_path: Path, change: str, number: int) -> None:
    """Another part, and the same part, as after Ctrl-C."""
    folder = shutil.copytree(begun, tmp_path / "copy")
    written(folder, **CHANGES[change])
    result = run(folder, *part(number))
    assert (result["code"], result["err"].count("\n")) == (2, 1), result
    assert "line 1: mygame.py was played by other code than this; use the same version of houle" in result["err"]


def test_show_says_that_the_code_changed(run: Run, begun: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(begun, tmp_path / "copy")
    assert "has changed" not in run(folder, "show", "logs")["out"]
    written(folder, **CHANGES["a module beside it"])
    note = "the code of mygame.py has changed since these games were played"
    assert note in run(folder, "show", "logs")["out"]
    assert note in " ".join(json.loads(run(folder, "show", "logs", "--json")["out"])["notes"])


def test_other_files_change_nothing(run: Run, begun: Path, tmp_path: Path) -> None:
    """The log is in the folder of the game. A README and another class are no code of it."""
    folder = shutil.copytree(begun, tmp_path / "copy")
    written(folder, **{"README.md": "Read me.\n", "other.py": GAME.replace("3", "4"), ".hidden/mygame.py": "X = 1\n"})
    result = run(folder, *part(2))
    assert result["code"] == 0, result["err"]
    assert json.loads(result["out"])["digest"]


def test_parts_of_two_folders_are_one_study(run: Run, begun: Path, tmp_path: Path) -> None:
    first, second = shutil.copytree(begun, tmp_path / "first"), written(tmp_path / "second" / "folder")
    spec = SPEC.replace('"mygame.py"', f'"{second / "mygame.py"}"')
    (second / "study.toml").write_text(spec)
    assert run(second, *part(2))["code"] == 0
    shutil.copy(second / "logs" / "part-2-of-2.jsonl", first / "logs")
    shutil.copy(first / "logs" / "part-1-of-2.jsonl", second / "logs")
    shown = [json.loads(run(folder, "show", "logs", "--json")["out"])["digest"] for folder in (first, second)]
    assert shown[0] == shown[1] is not None


def test_two_games_of_one_name_are_refused(run: Run, begun: Path) -> None:
    """A log names the file of a class without its folder."""
    written(begun / "inner", **CHANGES["a module beside it"])
    (begun / "two.toml").write_text(SPEC.replace('"mygame.py"', '["mygame.py", "inner/mygame.py"]'))
    result = run(begun, "run", "two.toml", "-o", "two", "--game-path", "inner/mygame.py")
    assert "two games of the study have a file of this name; rename one" in result["err"], result
