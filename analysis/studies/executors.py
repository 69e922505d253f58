"""Who plays the chunks: threads of this process, or the workers of a Dask cluster.

Both take tasks until they have enough to be busy, and hand back results as they come. What a lost worker had
in hand is played again: a chunk is a pure function, so by whom and how often does not matter.
"""

from __future__ import annotations

import logging
import queue
import time
import uuid
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

from houle.analysis.studies.serialize import play_portable, setup_from
from houle.solver.errors import StudyError
from houle.solver.ruleset.homes import game_paths
from houle.solver.tally import Tally

AHEAD = 2  # chunks per thread: one to play, one to go on with
SPARE = 16  # more for a cluster, so that the way there and back does not show in small chunks
RECOUNT_SECONDS = 2.0  # how often the workers of a cluster are counted
CONNECT_SECONDS = 15
LOST_SECONDS = 60.0  # without a scheduler, before a study gives up
TRIES = 5  # of a chunk whose workers die one after another


@dataclass(frozen=True)
class Task:
    """A chunk to play: which, and all that a worker needs to know."""

    cell: int
    number: int
    first: int
    games: int
    setup: str
    rules_digest: str
    code: str
    strategies: tuple[str, ...]
    seed: int

    @property
    def arguments(self) -> tuple[Any, ...]:
        return self.setup, self.rules_digest, self.code, self.strategies, self.seed, self.first, self.games


Result = tuple[Task, Tally]


class Crew(Protocol):
    """Something that plays chunks."""

    name: str

    def room(self) -> int:
        """How many more tasks it can use now."""

    def submit(self, task: Task) -> None: ...

    def finished(self, seconds: float) -> list[Result]:
        """What came in; waits that long for the first."""

    def close(self) -> None: ...


class Threads:
    """Threads of this process; kernels release the interpreter's lock."""

    def __init__(self, threads: int) -> None:
        self.name = f"{threads} thread" + "s" * (threads > 1)
        self._limit = AHEAD * threads
        self._pool = ThreadPoolExecutor(threads)
        self._results: queue.SimpleQueue[tuple[Task, Tally | BaseException]] = queue.SimpleQueue()
        self._running = 0

    def room(self) -> int:
        return self._limit - self._running

    def submit(self, task: Task) -> None:
        self._running += 1
        self._pool.submit(self._play, task)

    def _play(self, task: Task) -> None:
        from houle.solver.run import play_chunk

        try:
            setup = setup_from(task.setup, task.rules_digest)
            self._results.put((task, play_chunk(setup, task.strategies, task.seed, task.first, task.games)))
        except BaseException as fault:
            self._results.put((task, fault))

    def finished(self, seconds: float) -> list[Result]:
        results = []
        for task, result in _drain(self._results, seconds):
            self._running -= 1
            if isinstance(result, BaseException):
                raise result
            results.append((task, result))
        return results

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


class Cluster:
    """The workers of a Dask scheduler; they may come and go."""

    def __init__(self, address: str) -> None:
        try:
            import dask
            from distributed import Client
        except ImportError:
            raise StudyError("--cluster needs dask.distributed: pip install 'houle[cluster]'") from None
        # Its own account of lost connections would hide the one line that matters.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        warnings.filterwarnings("ignore", module="distributed")
        # It remembers the last thousand batches of messages; memory grew until that was full.
        dask.config.set({"distributed.admin.low-level-log-length": 10})
        try:
            self._client: Any = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except Exception as fault:
            reason = str(fault).splitlines()[0] if str(fault) else type(fault).__name__
            raise StudyError(f"--cluster {address}: no Dask scheduler answers there ({reason})") from None
        self.name = f"the cluster at {address}"
        self._address = address
        self._key = uuid.uuid4().hex[:8]  # tells this run's tasks from those of one that died
        self._results: queue.SimpleQueue[tuple[Task, Tally | BaseException]] = queue.SimpleQueue()
        self._held: dict[Task, tuple[Any, int]] = {}  # its future, and how often it was tried
        self._again: list[tuple[Task, int]] = []
        self._sent, self._limit, self._counted = 0, 0, 0.0
        self._seen = time.monotonic()

    def room(self) -> int:
        now = time.monotonic()
        if self._client.status != "running":
            if now - self._seen > LOST_SECONDS:
                raise StudyError(f"{self._address}: the scheduler is gone; what was finished is kept: resume later")
            return 0
        self._seen = now
        if now - self._counted > RECOUNT_SECONDS:
            self._count()
        while self._again:
            self._send(*self._again.pop())
        return self._limit - len(self._held)

    def _count(self) -> None:
        try:
            threads = sum(self._client.nthreads().values())
        except Exception:
            return  # the connection is going; `status` will say so
        self._limit = AHEAD * threads + (SPARE if threads else 0)
        self._counted = time.monotonic()

    def submit(self, task: Task) -> None:
        self._send(task, 1)

    def _send(self, task: Task, tries: int) -> None:
        self._sent += 1
        key = f"houle-{self._key}-{self._sent}"
        future = self._client.submit(play_portable, *task.arguments, game_paths(), key=key, pure=False)
        self._held[task] = (future, tries)
        self._client.loop.add_callback(self._follow, task, future)

    async def _follow(self, task: Task, future: Any) -> None:
        try:
            self._results.put((task, await future.result()))
        except BaseException as fault:
            self._results.put((task, fault))

    def finished(self, seconds: float) -> list[Result]:
        results = []
        for task, result in _drain(self._results, seconds):
            _, tries = self._held.pop(task)
            if isinstance(result, StudyError):
                raise StudyError(f"a worker of {self._address}: {result}")
            if not isinstance(result, BaseException):
                results.append((task, result))
            elif _lost(result):
                if tries >= TRIES:
                    raise StudyError(
                        f"{self._address}: {TRIES} workers died over games {task.first:,} to"
                        f" {task.first + task.games - 1:,} of cell {task.cell}; what was finished is kept"
                    )
                self._again.append((task, tries + (type(result).__name__ == "KilledWorker")))
            else:
                line = " ".join(str(result).split()) or type(result).__name__
                raise StudyError(f"a worker of {self._address} failed: {line}")
        return results

    def close(self) -> None:
        self._held.clear()  # the scheduler forgets what nobody waits for
        self._client.close(timeout=2)


def _lost(fault: BaseException) -> bool:
    """Whether a worker or a connection was lost, not the chunk's own fault."""
    import asyncio

    from distributed import CancelledError, KilledWorker
    from distributed.comm.core import CommClosedError

    return isinstance(fault, KilledWorker | CancelledError | asyncio.CancelledError | CommClosedError)


def _drain(results: queue.SimpleQueue[Any], seconds: float) -> list[tuple[Task, Any]]:
    """Everything that is there; waits for the first."""
    found = []
    try:
        found.append(results.get(timeout=seconds))
        while True:
            found.append(results.get_nowait())
    except queue.Empty:
        return found
