"""Runs a case in this process, in an empty folder, and judges how it ended.

refused      exit 2 and one line            accepted     exit 0: valid, or a wrong word that was taken
system       exit 1 and one line            chosen       the exit code that a game's own code chose
traceback, hang, unclear                    faults of houle
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from click.testing import Result

from houle.solver.players.player import weights_of
from tests.fuzz.cases import Case
from tests.fuzz.formats import HOME
from tests.support.commands_in_turn import run

LONGEST = 60.0  # seconds that any bad input may take, on a busy machine too
ACCEPTED, REFUSED, SYSTEM = "accepted", "refused", "system"
TRACEBACK, HANG, UNCLEAR = FAULTS = ("traceback", "hang", "unclear")
CODES = {0: ACCEPTED, 1: SYSTEM, 2: REFUSED, 130: REFUSED}
HIDDEN = {"\x1b", "\x07", "\x9b", "\u202e"}  # what a terminal executes


@dataclass(frozen=True)
class Outcome:
    case: Case
    kind: str
    line: str  # what was said
    seconds: float


class Hang(BaseException):
    """A call took too long."""


@contextmanager
def limited(seconds: float = LONGEST) -> Iterator[None]:
    """Raises Hang after so many seconds, where the system has a timer."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise Hang(f"longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def judge(case: Case) -> Outcome:
    """Run a case and say how it ended."""
    start = time.perf_counter()
    with _own_folder() as folder:
        if case.fill is not None:
            case.fill(folder)
        before = {path.name for path in folder.iterdir()}
        try:
            with limited(), warnings.catch_warnings(action="ignore"):  # a command shows one line of each
                result = run(list(case.words))
        except Hang:
            return Outcome(case, HANG, "", time.perf_counter() - start)
        kind, line = ending(result)
        left = [path.name for path in folder.iterdir() if path.name not in before and path.name.startswith(".")]
    return Outcome(case, UNCLEAR if left else kind, f"left {left}" if left else line, time.perf_counter() - start)


def ending(result: Result) -> tuple[str, str]:
    """How a call ended, and what it said."""
    fault, lines = result.exception, result.stderr.splitlines()
    said = lines[-1] if lines else ""
    if isinstance(fault, Hang):
        return HANG, ""
    if fault is not None and not isinstance(fault, SystemExit):
        return TRACEBACK, f"{type(fault).__name__}: {fault}"
    if "Traceback" in result.output:
        return TRACEBACK, said
    kind = CODES.get(result.exit_code, UNCLEAR)
    one_line = len(lines) == 1 and said.startswith("houle: ")
    if (kind in (REFUSED, SYSTEM) and not one_line and not result.stdout) or HIDDEN & set(result.output):
        return UNCLEAR, said or f"exit {result.exit_code}"
    return kind, said


@contextmanager
def _own_folder() -> Iterator[Path]:
    """An empty current folder; afterwards the process is as before."""
    place, variables = os.getcwd(), dict(os.environ)
    folder = Path(tempfile.mkdtemp())
    os.chdir(folder)
    try:
        yield folder
    finally:
        os.chdir(place)
        os.environ.clear()
        os.environ.update(variables)
        shutil.rmtree(folder, ignore_errors=True)
        for name in [name for name in sys.modules if name.partition(".")[0] == HOME]:
            del sys.modules[name]
        weights_of.cache_clear()
