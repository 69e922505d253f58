"""With the compiler off the same code runs as plain Python and gives the same integers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from houle.solver.rules import game_names
from tests.support.plain import LEVELS, results

pytestmark = pytest.mark.compiled

ROOT = Path(__file__).parents[2]


@cache
def without_compiler(choice: str) -> Any:
    """Results of all games from one process, because each new process imports everything again."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.support.plain", choice],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert "Warning" not in run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize("choice", ["few", *(pytest.param(name, marks=pytest.mark.slow) for name in ("all", LEVELS))])
@pytest.mark.parametrize("game", game_names())
def test_jit_off_equals_jit_on(game: str, choice: str) -> None:
    plain = without_compiler(choice)[game]
    compiled = json.loads(json.dumps(results(game, choice)))
    assert plain.pop("jit") is False
    assert compiled.pop("jit") is True
    assert plain == compiled
