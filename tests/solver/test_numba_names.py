"""Without a private name of numba, entries still run, and one line warns that nothing is cached."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.compiled

CODE = """
from numba.core.compiler import CompileResult
del CompileResult._rebuild
from houle.solver.compiler.kernels import entry

@entry
def next_number(number):
    return number + 1

print(next_number(1), next_number(2.5))
"""


def test_without_numbas_cache_every_run_compiles() -> None:
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout == "2 3.5\n"
    said = [line for line in run.stderr.splitlines() if "compiled code is not cached" in line]
    assert len(said) == 1
    assert "every run compiles again" in said[0]
