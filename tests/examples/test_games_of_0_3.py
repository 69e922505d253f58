"""Games written for 0.3.0 load and play as they did: `games_of_0_3` keeps one by hand and one declared unchanged."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.compiled

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "houle.cli.main"]


def simulated(folder: Path, game: str) -> tuple[str, str]:
    """The digest of some random games without the compiler, and what was printed beside it."""
    words = ["--game-path", str(folder), "simulate", game, "-n", "10", "-s", "random", "--json"]
    env = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run([*PROGRAM, *words], capture_output=True, text=True, env=env, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)["result_digest"], run.stderr


@pytest.mark.parametrize(("game", "moved"), [
    pytest.param("black-hole", "compiler.streams", marks=pytest.mark.slow), ("six-nimmt", "compiler.cardsets"),
])  # fmt: skip
def test_games_of_0_3_play_as_before(game: str, moved: str) -> None:
    name = game.replace("-", "_")
    old, said = simulated(ROOT / "tests" / "games_of_0_3" / name, game)
    assert f"houle.solver.{moved} moved; import what your game needs from houle.own_game" in said
    assert old == simulated(ROOT / "examples" / "games" / name / name, game)[0]


def test_unknown_modules_are_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "lost"
    folder.mkdir()
    (folder / "rules.toml").write_text((ROOT / "tests/games_of_0_3/six_nimmt/rules.toml").read_text())
    (folder / "lost.py").write_text("from houle.solver.nowhere import kernel\n")
    words = ["--game-path", str(folder), "simulate", "lost", "-n", "1"]
    run = subprocess.run([*PROGRAM, *words], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert "lost.py:1: ModuleNotFoundError: No module named 'houle.solver.nowhere'" in run.stderr
