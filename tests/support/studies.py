"""Small studies for tests, also in real processes that can be killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path

from houle import read_study
from houle.analysis.studies.cell import WHOLE, Silent, StudyPart
from houle.analysis.studies.play import play_study
from houle.analysis.studies.spec import read_spec
from tests.support.amounts import patience

# Forked from one warm server: a process starts at once instead of in seconds.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.support.warmed"])

PATIENCE = patience(300.0)  # seconds

SPEC = """
name = "small"
chunk = {chunk}
strategies = "random"
games = {games}

[[grid]]
game = "wave"
players = 3
variants = ["base", "virage"]
seed = [1, 2]

[[grid]]
game = "wave"
seed = 3
[grid.set]
hand.front = [3, 4]
"""


def write_spec(folder: Path, games: int = 20_000, chunk: int = 500) -> str:
    path = folder / "study.toml"
    path.write_text(SPEC.format(games=games, chunk=chunk))
    return str(path)


class Stopping(Silent):
    """A listener that stops a study on a condition, and keeps its notes."""

    def __init__(self, when: Callable[[], bool] = bool) -> None:
        self.when, self.notes = when, list[str]()

    def stopping(self) -> bool:
        return self.when()

    def note(self, line: str) -> None:
        self.notes.append(line)


def play(
    spec: str,
    folder: Path,
    threads: int = 2,
    part: StudyPart = WHOLE,
    cluster: str | None = None,
    watch: Stopping | None = None,
) -> bool:
    """Play a study in this process; returns whether it is complete."""
    return play_study(read_spec(spec), folder, part, cluster, threads=threads, listener=watch or Stopping())


def counted(folder: Path) -> int:
    """Games in the logs."""
    return read_study(folder).games if folder.exists() and any(map(os.path.getsize, folder.glob("*.jsonl"))) else 0


def digest(folder: Path) -> str | None:
    return read_study(folder).study_digest


def _command(words: tuple[str, ...], log: str) -> None:
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.argv = ["houle", *words]
    from houle.cli.main import main

    main()


def spawn(*words: str, log: Path) -> BaseProcess:
    """Run `houle WORDS` in its own process."""
    process = PROCESSES.Process(target=_command, args=(words, str(log)), daemon=True)
    process.start()
    return process


def exit_code(process: BaseProcess, seconds: float = PATIENCE) -> int | None:
    """The exit code of a process, which must end by itself."""
    process.join(seconds)
    if process.is_alive():
        process.kill()
        raise AssertionError(f"the process did not end within {seconds:g} seconds")
    return process.exitcode


def kill(process: BaseProcess, number: signal.Signals = signal.SIGKILL) -> int | None:
    """Send a signal to a process; returns its exit code."""
    with suppress(ProcessLookupError):  # it may have ended
        os.kill(process.pid or 0, number)
    return exit_code(process)


def wait_for(condition: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"after {seconds:g} seconds: not {what}"
        time.sleep(0.02)
