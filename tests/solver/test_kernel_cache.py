"""The disk cache: used when nothing changed, never stale after an edit, separate for each game."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PLAY = """
from houle.solver.compiler import kernels
compiled = []
kernels.announce.append(lambda entry, game: compiled.append(entry))
from houle.solver.rules import make_setup
from houle.solver.players.player import seat_strategies
from houle.solver.run.playout import play_chunk
assert kernels.__file__.startswith({home!r}), kernels.__file__
tally = play_chunk(seat_strategies(make_setup("wave", 3), ["random"]), 1, 0, 2000)
print(tally.count("moves"), ",".join(compiled))
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the solver that can be edited, with its own cache."""
    shutil.copytree(ROOT / "solver", tmp_path / "houle" / "solver", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def play(copy: Path) -> tuple[int, list[str]]:
    """The number of moves in 2,000 games, and the entries that were compiled."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy),
        "HOULE_CACHE_DIR": str(copy / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    code = PLAY.format(home=str(copy))
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=copy, capture_output=True, text=True, check=True
    )
    moves, compiled = run.stdout.split(" ", 1)
    return int(moves), [entry for entry in compiled.strip().split(",") if entry]


def edit(path: Path, old: str, new: str) -> None:
    """Changes a source and restores its time stamp."""
    text = path.read_text()
    assert text.count(old) == 1
    times = path.stat()
    path.write_text(text.replace(old, new))
    os.utime(path, (times.st_atime, times.st_mtime))


def test_an_edited_rule_is_compiled_again(copy: Path) -> None:
    first, compiled = play(copy)
    assert compiled == ["play_games"]  # random play compiles one entry and nothing else

    again, compiled = play(copy)
    assert (again, compiled) == (first, [])

    games = copy / "houle" / "solver" / "games"
    edit(
        games / "wave" / "play.py",
        "        turned ^= (reverse >> top) & ONE\n",
        "        turned ^= (reverse >> top) & ZERO\n",
    )
    edited, compiled = play(copy)
    assert compiled == ["play_games"]
    assert edited != first  # without reverses the games differ

    texts = games / "wave" / "text" / "__init__.py"
    texts.write_text(texts.read_text() + "# a comment\n")
    assert play(copy) == (edited, [])  # texts are not in the digest

    stranger = games / "elsewhere.py"
    stranger.write_text("WATER = 1\n")
    assert play(copy) == (edited, [])  # another game's file is not part of WAVE's kernels


def test_folders_unused_for_a_month_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from houle.solver.compiler import kernels

    monkeypatch.setenv("HOULE_CACHE_DIR", str(tmp_path))
    for name, days in (("old", 31), ("recent", 29)):
        (tmp_path / name).mkdir()
        stamp = time.time() - days * 86_400
        os.utime(tmp_path / name, (stamp, stamp))
    kernels._remove_unused(tmp_path, tmp_path / "mine")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["recent"]
