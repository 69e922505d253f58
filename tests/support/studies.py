"""Small studies for tests, also in real processes that can be killed."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from houle.analysis.studies import runner as execution
from houle.analysis.studies.cell import measure
from houle.analysis.studies.executors import Crew, Threads
from houle.analysis.studies.runner import execute
from houle.analysis.studies.spec import read_spec
from houle.analysis.studies.status import Status, read_status
from houle.analysis.studies.store import Store, create
from tests.support.amounts import patience

# Forked from one warm server: a process starts at once instead of in seconds.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.support.warmed"])

# Stored often, so that even a fast machine can be interrupted in a small study.
execution.COMMIT_SECONDS, execution.REPORT_SECONDS = 0.02, 0.01

PATIENCE = patience(300.0)  # seconds

SPEC = """
name = "small"
chunk = {chunk}
strategies = "random"

[[grid]]
game = "wave"
players = 3
variants = ["base", "virage"]
games = {games}
seed = [1, 2]

[[grid]]
game = "wave"
precision = 0.5
seed = 3
chunk = 150
[grid.set]
hand.front = [3, 4]
"""


def write_spec(folder: Path, games: int = 20_000, chunk: int = 500) -> str:
    path = folder / "study.toml"
    path.write_text(SPEC.format(games=games, chunk=chunk))
    return str(path)


def begin(folder: Path, games: int = 20_000, chunk: int = 500) -> str:
    """A new study with nothing played."""
    study = read_spec(write_spec(folder, games, chunk))
    path = str(folder / "study.db")
    create(path, study, [measure(cell) for cell in study.cells])
    return path


def play(path: str, crew: Crew | None = None, stopping: Callable[[], bool] = bool) -> bool:
    """Continue a study in this process."""
    workers = crew or Threads(2)
    try:
        with Store(path, write=True) as store:
            return execute(store, workers, stopping=stopping)
    finally:
        workers.close()


def digests(path: str) -> list[str | None]:
    return [row.result_digest for row in read_status(path).rows]


def finished(folder: Path, **facts: Any) -> list[str | None]:
    """The digests of an uninterrupted run on one thread."""
    folder.mkdir()
    path = begin(folder, **facts)
    assert play(path, Threads(1))
    return digests(path)


def _command(words: tuple[str, ...], log: str, user: int | None, largest: int | None) -> None:
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    if largest is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    if user is not None:
        os.setuid(user)
    sys.argv = ["houle", *words]
    from houle.cli.main import main

    main()


def spawn(*words: str, log: Path, user: int | None = None, largest: int | None = None) -> BaseProcess:
    """Run `houle WORDS` in its own process: as another user, or with files of at most `largest` bytes, if given."""
    process = PROCESSES.Process(target=_command, args=(words, str(log), user, largest), daemon=True)
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


def counted(path: str) -> int:
    """Games in the store."""
    return sum(read_status(path).games.values()) if Path(path).exists() else 0


def check_whole(path: str) -> Status:
    """Check that the chunks of every cell cover its games exactly once."""
    status = read_status(path)
    with Store(path, write=False) as store:
        for row in status.rows:
            spans = store.db.execute("SELECT first, games FROM chunk WHERE cell=? ORDER BY first", (row.id,))
            end = row.start
            for first, games in spans:
                assert first == end
                end += games
            counted = store.stretches(row.id).values()
            assert end - row.start == row.ended == sum(data["totals"][0] for _, data in counted)
            assert row.ended == sum(spans.games for spans, _ in counted)
    return status


def as_json(text: str) -> Any:
    return json.loads(text)
