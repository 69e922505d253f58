"""Workers that play the chunks of a study: threads of this process, or a Dask cluster.

Both accept tasks until they are busy and return results as they come. The chunk of a lost worker is played again: a
chunk is a pure function, so it does not matter who plays it or how often.
"""

from __future__ import annotations

import logging
import queue
import time
import uuid
import warnings
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

from houle.analysis.sampling.backends import count_games
from houle.analysis.studies.serialize import line_up_from, package_version, play_portable, unfit
from houle.solver.errors import DeviceError, StudyError
from houle.solver.rules.game_folders import game_paths
from houle.solver.run.tally import Tally

AHEAD = 2  # chunks per thread: one to play, one waiting
SPARE = 16  # further chunks for a cluster, to hide the network delay of small chunks
RECOUNT_SECONDS = 2.0  # how often the workers of a cluster are counted
CONNECT_SECONDS = 15
RECHECK_SECONDS = 10.0  # how often a worker that was left out is asked again
LOST_SECONDS = 60.0  # without a scheduler before a study stops
NO_WORKER_SECONDS = 600.0  # without a worker before a study stops; workers that queue for a machine take a while
TRIES = 5  # of a chunk whose workers die


@dataclass(frozen=True)
class Task:
    """A chunk to play, with everything that a worker needs."""

    cell: int
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


@dataclass(frozen=True)
class Sent:
    """A chunk that a cluster is playing."""

    future: Any
    tries: int
    workers: list[str] | None  # that may play it; None for all


class Crew(Protocol):
    """Workers that play chunks."""

    name: str
    note: str  # what the user should know now; usually empty

    def expect(self, codes: Mapping[str, str]) -> None:
        """Leave out workers that cannot play these games, given with digests of their code; refuse if none can."""

    def room(self) -> int:
        """How many more tasks it can accept now."""

    def submit(self, task: Task) -> None: ...

    def finished(self, seconds: float) -> list[Result]:
        """Finished tasks; waits up to `seconds` for the first."""

    def close(self) -> None: ...


class Threads:
    """Threads of this process; kernels release the interpreter lock."""

    def __init__(self, threads: int) -> None:
        self.name, self.note = f"{threads} thread" + "s" * (threads > 1), ""
        self._limit = AHEAD * threads
        self._pool = ThreadPoolExecutor(threads)
        self._results: queue.SimpleQueue[tuple[Task, Tally | BaseException]] = queue.SimpleQueue()
        self._running = 0

    def expect(self, codes: Mapping[str, str]) -> None:
        """Threads play with the code of this process, which the store has checked."""

    def room(self) -> int:
        return self._limit - self._running

    def submit(self, task: Task) -> None:
        self._running += 1
        self._pool.submit(self._play, task)

    def _play(self, task: Task) -> None:
        try:
            line_up = line_up_from(task.setup, task.rules_digest, task.strategies)
            self._results.put((task, count_games(line_up, task.seed, task.first, task.games)))
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
            raise DeviceError("--cluster needs dask.distributed: pip install 'houle[cluster]'") from None
        # Dask's own messages about lost connections would hide the one line that matters. Some loggers have own levels.
        for name in ("distributed", *logging.root.manager.loggerDict):
            if name.partition(".")[0] == "distributed":
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        warnings.filterwarnings("ignore", module="distributed")
        # By default it keeps the last thousand batches of messages in memory.
        dask.config.set({"distributed.admin.low-level-log-length": 10})
        try:
            self._client: Any = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except Exception as fault:
            reason = str(fault).splitlines()[0] if str(fault) else type(fault).__name__
            raise DeviceError(f"--cluster {address}: no Dask scheduler answers ({reason})") from None
        self.name, self.note = f"the cluster at {address}", ""
        self._address = address
        self._key = uuid.uuid4().hex[:8]  # separates the tasks of this run from those of one that died
        self._results: queue.SimpleQueue[tuple[Task, Any, Tally | BaseException]] = queue.SimpleQueue()
        self._held: dict[Task, Sent] = {}
        self._again: list[tuple[Task, int]] = []
        self._sent, self._limit, self._counted = 0, 0, 0.0
        self._codes: Mapping[str, str] = {}
        self._fit: set[str] = set()  # addresses of workers that can play
        self._unfit: dict[str, tuple[str, float]] = {}  # why the others cannot, and when that was asked
        self._seen = self._worked = time.monotonic()  # when a scheduler, and when a worker, was last there

    def room(self) -> int:
        now = time.monotonic()
        if self._client.status != "running":
            if now - self._seen > LOST_SECONDS:
                raise DeviceError(f"{self._address}: the scheduler is gone; finished games are kept, resume later")
            return 0
        self._seen = now
        if now - self._counted > RECOUNT_SECONDS:
            self._count()
        waited = now - self._worked
        if waited > NO_WORKER_SECONDS:
            raise DeviceError(f"{self._address}: no worker answers; finished games are kept, resume later")
        notes = [f"worker {worker} is left out: {why}" for worker, (why, _) in sorted(self._unfit.items())]
        if waited > RECOUNT_SECONDS or not self._fit:
            notes.append(f"0 workers at {self._address}: waiting, for at most {NO_WORKER_SECONDS / 60:g} minutes")
        self.note = "\n".join(notes)
        while self._again:
            self._send(*self._again.pop())
        return self._limit - len(self._held)

    def expect(self, codes: Mapping[str, str]) -> None:
        self._codes = codes
        self._count()
        if self._unfit and not self._fit:
            worker, (why, _) = next(iter(self._unfit.items()))
            raise StudyError(f"worker {worker} of {self._address} cannot play, and there is no other: {why}")

    def _count(self) -> None:
        try:
            workers = self._client.nthreads()
        except Exception:
            return  # the connection is closing; `status` will show it
        now = time.monotonic()
        self._unfit = {one: facts for one, facts in self._unfit.items() if one in workers}
        # A worker may be started again with the right code under its old address.
        due = {one for one, (_, asked) in self._unfit.items() if now - asked > RECHECK_SECONDS}
        self._check((workers.keys() - self._fit - self._unfit.keys()) | due)
        self._fit = workers.keys() - self._unfit.keys()
        threads = sum(workers[one] for one in self._fit)
        self._limit = AHEAD * threads + (SPARE if threads else 0)
        self._counted = time.monotonic()
        if threads:
            self._worked = self._counted
        for task, sent in list(self._held.items()):
            if sent.workers and not self._fit.intersection(sent.workers):  # Dask would wait for these for ever
                sent.future.cancel()
                self._send(task, sent.tries)

    def _check(self, workers: Iterable[str]) -> None:
        """Find workers with another houle or without a game. One that does not answer is checked by its chunks."""
        facts = (self._codes, package_version("houle"), game_paths())
        asked = {one: self._client.submit(unfit, *facts, workers=[one], pure=False) for one in workers}
        for worker, answer in asked.items():
            try:
                problem = answer.result(timeout=CONNECT_SECONDS)
            except (ImportError, AttributeError):
                problem = f"it has no houle {package_version('houle')}; install it"
            except Exception:
                problem = self._unfit.get(worker, ("", 0.0))[0]
            self._unfit.pop(worker, None)
            if problem:
                self._unfit[worker] = problem, time.monotonic()

    def submit(self, task: Task) -> None:
        self._send(task, 1)

    def _send(self, task: Task, tries: int) -> None:
        """Send a chunk to any worker; while some are left out, only to the others."""
        self._sent += 1
        key = f"houle-{self._key}-{self._sent}"
        workers = sorted(self._fit) if self._unfit else None
        future = self._client.submit(play_portable, *task.arguments, game_paths(), key=key, pure=False, workers=workers)
        self._held[task] = Sent(future, tries, workers)
        self._client.loop.add_callback(self._follow, task, future)

    async def _follow(self, task: Task, future: Any) -> None:
        try:
            self._results.put((task, future, await future.result()))
        except BaseException as fault:
            self._results.put((task, future, fault))

    def finished(self, seconds: float) -> list[Result]:
        results = []
        for task, future, result in _drain(self._results, seconds):
            if task not in self._held or self._held[task].future is not future:
                continue  # it was sent again
            tries = self._held.pop(task).tries
            if not isinstance(result, BaseException):
                results.append((task, result))
            elif _lost(result):
                if tries >= TRIES:
                    raise DeviceError(
                        f"{self._address}: {TRIES} workers died while playing games {task.first:,} to"
                        f" {task.first + task.games - 1:,} of cell {task.cell}; finished games are kept"
                    )
                self._again.append((task, tries + (type(result).__name__ == "KilledWorker")))
            elif tries < TRIES:
                # A worker that has just joined may have taken it without the code, or without houle: ask all again.
                self._fit, self._counted = set(), 0.0
                self._again.append((task, tries + 1))
            elif isinstance(result, StudyError):
                raise StudyError(f"a worker of {self._address}: {result}")
            else:
                line = " ".join(str(result).split()) or type(result).__name__
                raise DeviceError(f"a worker of {self._address} failed: {line}")
        return results

    def close(self) -> None:
        self._held.clear()  # the scheduler drops tasks that nobody waits for
        self._client.close(timeout=2)


def _lost(fault: BaseException) -> bool:
    """Whether a worker or connection was lost, rather than the chunk failing."""
    import asyncio

    from distributed import CancelledError, KilledWorker
    from distributed.comm.core import CommClosedError

    return isinstance(fault, KilledWorker | CancelledError | asyncio.CancelledError | CommClosedError)


def _drain(results: queue.SimpleQueue[Any], seconds: float) -> list[Any]:
    """All results that are there; waits for the first."""
    drained = []
    try:
        drained.append(results.get(timeout=seconds))
        while True:
            drained.append(results.get_nowait())
    except queue.Empty:
        return drained
