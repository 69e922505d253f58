"""The disk cache: used when nothing changed, never stale after an edit, separate for each game."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.compiled

ROOT = Path(__file__).parents[2]

# One of the smallest entries, because every edit compiles it again. On an empty state WAVE lists one move.
LIST = """
import numpy as np
from houle.solver.compiler import kernels
compiled = []
kernels.announce.append(lambda entry, game: compiled.append(entry))
from houle.solver.interface import blank, entries
from houle.solver.rules import make_setup
assert kernels.__file__.startswith({home!r}), kernels.__file__
setup = make_setup("wave", 3)
moves = np.zeros(setup.game.MAX_MOVES, np.int64)
assert entries.list_moves(blank(setup.game.STATE), setup.rules, moves) == 1
print(moves[0], ",".join(compiled))
"""

PLAY = """
from houle.solver.compiler import kernels
used, load = [], kernels.SourceCache.load_overload
def listen(cache, *arguments):
    used.append(cache.function.__name__)
    return load(cache, *arguments)
kernels.SourceCache.load_overload = listen
from houle.solver.rules import make_setup
from houle.solver.players.player import seat_strategies
from houle.solver.run.playout import play_chunk
play_chunk(seat_strategies(make_setup("wave", 3), ["random"]), 1, 0, 1)
print(*used)
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the solver that can be edited, with its own cache."""
    shutil.copytree(ROOT / "solver", tmp_path / "houle" / "solver", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def python(code: str, home: Path, **variables: str) -> str:
    """What a new process prints that imports houle from the folder."""
    environment = {**os.environ, "PYTHONPATH": str(home), "PYTHONDONTWRITEBYTECODE": "1", **variables}
    run = subprocess.run([sys.executable, "-c", code], env=environment, cwd=home, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout


def first_move(copy: Path) -> tuple[int, list[str]]:
    """The move that WAVE lists, and the entries that were compiled."""
    move, compiled = python(LIST.format(home=str(copy)), copy, HOULE_CACHE_DIR=str(copy / "cache")).split(" ", 1)
    return int(move), [entry for entry in compiled.strip().split(",") if entry]


def edit(path: Path, old: str, new: str) -> None:
    """Changes a source and restores its time stamp."""
    text = path.read_text()
    assert text.count(old) == 1
    times = path.stat()
    path.write_text(text.replace(old, new))
    os.utime(path, (times.st_atime, times.st_mtime))


def test_an_edited_rule_is_compiled_again(copy: Path) -> None:
    first, compiled = first_move(copy)
    assert compiled == ["list_moves"]

    games = copy / "houle" / "solver" / "games"
    edit(games / "wave" / "rules.py", "        moves[0] = NO_SWAP\n", "        moves[0] = NO_SWAP + 1\n")
    assert first_move(copy) == (first + 1, ["list_moves"])

    for name in ("words", "position"):
        texts = games / "wave" / f"{name}.py"
        texts.write_text(texts.read_text() + "# a comment\n")
    stranger = games / "elsewhere.py"
    stranger.write_text("WATER = 1\n")
    assert first_move(copy) == (first + 1, [])  # neither texts nor another game's files are part of WAVE's kernels


@pytest.mark.quick
def test_digest_notices_edits_of_equal_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from houle.solver.compiler import kernels

    monkeypatch.setattr(kernels, "SOLVER", tmp_path)
    (tmp_path / "compiler").mkdir()
    digests = []
    for text in ("SIDES = 1\n", "SIDES = 2\n", "SIDES = 1\n"):
        (tmp_path / "compiler" / "rules.py").write_text(text)
        digests.append(kernels.source_digest.__wrapped__(()))
    assert digests[0] == digests[2] != digests[1]


def test_random_play_uses_one_entry() -> None:
    """A new player waits for one entry to be compiled and for nothing else."""
    assert python(PLAY, ROOT).split() == ["play_random"]


@pytest.mark.quick
def test_folders_unused_for_a_month_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from houle.solver.compiler import kernels

    monkeypatch.setenv("HOULE_CACHE_DIR", str(tmp_path))
    for name, days in (("old", 31), ("recent", 29)):
        (tmp_path / name).mkdir()
        stamp = time.time() - days * 86_400
        os.utime(tmp_path / name, (stamp, stamp))
    kernels._remove_unused(tmp_path, tmp_path / "mine")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["recent"]
