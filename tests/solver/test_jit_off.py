"""With the compiler off the same code runs as plain Python and gives the same integers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from houle.solver.rules import game_names
from tests.support.plain import tallies

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("game", game_names())
def test_jit_off_equals_jit_on(game: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.support.plain", game],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    plain = json.loads(run.stdout)
    compiled = json.loads(json.dumps(tallies(game)))
    assert plain.pop("jit") is False
    assert compiled.pop("jit") is True
    assert plain == compiled
    assert "Warning" not in run.stderr
