"""Checks in a process of their own, first without the compiler: a crash or an endless loop is a verdict.

Plain Python stops at the line of an error, where compiled code may write outside an array and end the process. Run as
`python -m houle.analysis.checks.apart JSON`, it prints a line of JSON before and after every check.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from houle.analysis.checks.verdicts import FAILED, Check
from houle.solver.rules import home

UNCOMPILED = {"NUMBA_DISABLE_JIT": "1"}
PATIENCE = 120.0  # CPU seconds of one check of one setup without the compiler

Started = Callable[[str], None]


class EndlessError(RuntimeError):
    """A check did not end."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Stops an endless loop of the game, where there are such timers; compiled code does not react."""

    def stop(number: int, frame: Any) -> None:
        raise EndlessError(f"no end after {seconds:.0f} s; the game may loop here")

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def checks_apart(
    game: str, players: Sequence[int], games: int, seed: int, bounds: bool, few: bool, settings: Mapping[str, str],
    started: Started | None = None,
) -> list[Check]:  # fmt: skip
    """The checks of a game in a new process with other settings of the compiler; its death fails the current check."""
    asked = {"game": game, "players": list(players), "games": games, "seed": seed, "bounds": bounds, "few": few}
    command = [sys.executable, "-m", "houle.analysis.checks.apart", json.dumps(asked)]
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


def main(asked: Mapping[str, Any]) -> None:
    from houle.analysis.checks.check import run_checks

    warnings.simplefilter("ignore")  # plain Python warns where whole numbers wrap around
    home(asked["game"])

    def tell(what: Any) -> None:
        print(json.dumps(what), flush=True)

    for check in run_checks(**asked, started=tell):
        tell(vars(check))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
