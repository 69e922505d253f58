"""Kernels of your own game are those of its files as they were read, and edits that change none compile nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.compiled

GAME = """
from pathlib import Path

import far
from houle.own_game import cards, define, fields, kernel, number

MAX_MOVES = 1
WORTH = int((Path(__file__).parent / "worth.txt").read_text()) + far.WORTH
FIELDS = fields(public={"made": number(), "points": number()})

@kernel
def deal(state, rules):
    state.mover = 0

@kernel
def legal(state, rules, moves):
    moves[0] = WORTH
    return state.mover == 0

@kernel
def apply(state, rules, action):
    state.mover = -1

@kernel
def round_scores(state, rules, scores):
    scores[0] = 0

GAME = define(__name__)
"""
RULES = """
title = "Toy"
about = "A toy."
players = [1]
[score]
name = "points"
range = [0, 1]
"""
FILES = {"toy/game.py": GAME, "toy/rules.toml": RULES, "toy/worth.txt": "1\n", "elsewhere/far.py": "WORTH = 0\n"}
# Reads the game, writes files as an author does meanwhile, and lists the moves. Prints the move and what was compiled.
LIST = """
import json, sys
import numpy as np
import houle
from houle.solver.compiler import kernels
from houle.solver.interface import blank, entries
from houle.solver.rules import make_setup

compiled = []
kernels.announce.append(lambda entry, game: compiled.append(entry))
houle.look_in("toy")
setup = make_setup("toy", 1)
for name, text in json.loads(sys.argv[1]).items():
    open(name, "w").write(text)
moves, state = np.zeros(1, np.int64), blank(setup.game.STATE)
entries.list_moves(state, setup.rules, moves)
print(json.dumps([int(moves[0]), compiled, setup.source["code"]]))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    written(tmp_path, **FILES)
    return tmp_path


def written(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def first_move(folder: Path, **meanwhile: str) -> tuple[int, bool, str]:
    """The move that a new process lists, whether it compiled, and the digest of the code."""
    path = os.pathsep.join(filter(None, (str(folder / "elsewhere"), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "HOULE_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": path}
    command = [sys.executable, "-c", LIST, json.dumps(meanwhile)]
    run = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    move, compiled, code = json.loads(run.stdout)
    return move, bool(compiled), code


def test_data_and_modules_elsewhere_are_part_of_kernels(folder: Path) -> None:
    move, compiled, code = first_move(folder)
    assert (move, compiled) == (1, True)
    texts = {"toy/plain.py": "A = 1\n", "toy/.ipynb_checkpoints/game.py": "A = 1\n", "toy/tests/test_toy.py": "A = 1\n"}
    written(folder, **texts, **{"toy/README.md": "Read me.\n", "study/part-1-of-1.jsonl": ""})
    assert first_move(folder) == (1, False, code)
    written(folder, **{"toy/game.py": f"# A comment.\n{GAME}", "toy/words.py": '"""Words."""\n'})
    move, compiled, other = first_move(folder)
    assert (move, compiled, other != code) == (1, False, True)
    written(folder, **{"toy/worth.txt": "2\n"})
    assert first_move(folder)[:2] == (2, True)
    written(folder, **{"elsewhere/far.py": "WORTH = 5\n"})
    assert first_move(folder)[:2] == (7, True)


def test_edited_files_do_not_get_old_kernels(folder: Path) -> None:
    """In a notebook, a game is imported, edited and played."""
    edited = {"toy/game.py": GAME.replace("moves[0] = WORTH", "moves[0] = 100 + WORTH")}
    move, compiled, code = first_move(folder, **edited)
    assert (move, compiled) == (1, True)
    move, compiled, other = first_move(folder)
    assert (move, compiled, other != code) == (101, True, True)
    assert first_move(folder, **FILES) == (101, False, other)
    assert first_move(folder) == (1, False, code)


def test_files_count_as_they_were_before_the_module_ran(folder: Path) -> None:
    """An editor may save a file while a game is imported."""
    saved = '(Path(__file__).parent / "worth.txt").write_text("2")\nFIELDS ='
    written(folder, **{"toy/game.py": GAME.replace("FIELDS =", saved)})
    assert [first_move(folder)[:2] for _ in range(3)] == [(1, True), (2, True), (2, False)]
