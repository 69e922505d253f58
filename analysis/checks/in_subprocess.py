"""Checks in a process of their own, first without the compiler: a crash or an endless loop is a verdict.

Plain Python stops at the line of an error, where compiled code may write outside an array and end the process. The
process prints a line of JSON before and after every check.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from typing import Any

from houle.solver.invariants.errors import FAILED, Check
from houle.solver.trusted_code import python_module

UNCOMPILED = {"NUMBA_DISABLE_JIT": "1"}

Started = Callable[[str], None]


def checks_apart(
    module: str, asked: Mapping[str, Any], settings: Mapping[str, str],
    started: Started | None = None,
) -> list[Check]:  # fmt: skip
    """The checks of a game in a new process with other settings of the compiler; its death fails the current check."""
    command = python_module(module, json.dumps(asked))
    env = {**os.environ, **settings}
    checks: list[Check] = []
    now = "the game can be loaded"
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for line in process.stdout:
            told = json.loads(line)
            if isinstance(told, str):
                now = told
                if started:
                    started(now)
            else:
                checks.append(Check(**told))
        words = process.stderr.read().strip().splitlines()
    if process.returncode:
        checks.append(Check(now, FAILED, 0, _death(process.returncode, words)))
    return checks


def _death(code: int, words: list[str]) -> str:
    if code >= 0:
        return words[-1] if words else f"the process ended with {code}"
    name = signal.Signals(-code).name
    why = "the compiled game reads or writes outside an array" if name in ("SIGSEGV", "SIGBUS", "SIGABRT") else ""
    return f"the process died of {name}" + (f": {why}; add --bounds to see where" if why else "")
