"""A process without the compiler that runs one command after another, so that houle is loaded once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.examples.test_installed import IN_TURN, ROOT


@pytest.fixture(scope="module")
def plain() -> Iterator[subprocess.Popen[str]]:
    """It works in the folder of the example THE GAME. Each file has its own: a process keeps the games it has seen."""
    folder, env = ROOT / "examples" / "games" / "the_game", {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    with subprocess.Popen(
        [sys.executable, str(IN_TURN)], cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
