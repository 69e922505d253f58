"""A game that imports a module that does not exist: one line says where."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.compiled

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "houle.cli.main"]


def test_unknown_modules_are_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "lost"
    folder.mkdir()
    (folder / "rules.toml").write_text((ROOT / "examples/games/six_nimmt/six_nimmt/rules.toml").read_text())
    (folder / "lost.py").write_text("from houle.solver.nowhere import kernel\n")
    words = ["--game-path", str(folder), "simulate", "lost", "-n", "1"]
    run = subprocess.run([*PROGRAM, *words], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert "lost.py:1: ModuleNotFoundError: No module named 'houle.solver.nowhere'; import all" in run.stderr
