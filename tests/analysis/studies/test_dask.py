"""Studies on a Dask cluster of real processes: the same digests even if workers or clients die."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import pytest

from houle.analysis.studies import executors as crew
from houle.analysis.studies.executors import Cluster, Task
from houle.solver.errors import DeviceError, InputError, StudyError
from tests.support.call import call
from tests.support.studies import (
    begin,
    check_whole,
    counted,
    digests,
    exit_code,
    finished,
    kill,
    play,
    spawn,
    wait_for,
)

pytestmark = pytest.mark.compiled

FACTS = {"games": 40_000, "chunk": 1_000}
ENDLESS = {"games": 50_000_000, "chunk": 10_000}  # never over before the test stops it
CONFIG = {
    # Workers are forked from the warm server of the tests: they start at once instead of in seconds.
    "distributed.worker.multiprocessing-method": "forkserver",
    # Dask gives up a worker that is not back after 15 seconds, and a loaded machine may need longer.
    "distributed.deploy.lost-worker-timeout": "1 hour",
}


@contextmanager
def local_cluster(workers: int, processes: bool) -> Iterator[Any]:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=processes, dashboard_address=":0", silence_logs=50
    ) as local:
        yield local


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    import dask
    import distributed  # noqa: F401  its defaults must be there first, or leaving the new ones would delete them

    forkserver.ensure_running()  # before Dask changes what the server imports
    with dask.config.set(CONFIG), local_cluster(2, processes=True) as local:
        yield local


@pytest.fixture
def small_cluster() -> Iterator[Any]:
    """One worker, in this process."""
    with local_cluster(1, processes=False) as local:
        yield local


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> list[str | None]:
    return finished(tmp_path_factory.mktemp("calm") / "one", **FACTS)


def ready_workers(cluster: Any) -> list[int]:
    """Process ids of the workers that play; a worker that is starting is not one of them."""
    from distributed import Status

    async def pids() -> list[int]:
        running = [one for one in cluster.workers.values() if one.process and one.process.status is Status.running]
        return [nanny.pid for nanny in running if nanny.pid]

    workers: list[int] = cluster.sync(pids)  # in the thread that changes them
    return workers


def test_the_same_digests(cluster: Any, wanted: list[str | None], tmp_path: Path) -> None:
    path = begin(tmp_path, **FACTS)
    assert play(path, Cluster(cluster.scheduler_address))
    assert digests(path) == wanted
    check_whole(path)


@pytest.mark.slow  # Dask takes many seconds to miss a worker
@pytest.mark.parametrize("kills", [1, 4])
def test_killed_workers_change_nothing(cluster: Any, wanted: list[str | None], kills: int, tmp_path: Path) -> None:
    path = begin(tmp_path, **FACTS)
    killed: dict[int, int] = {}  # worker and the games counted before

    def kill_one(games: int) -> bool:
        """Kill a worker that plays, if there is one; Dask needs a moment to miss those killed before."""
        for worker in set(ready_workers(cluster)) - set(killed):
            os.kill(worker, signal.SIGKILL)
            killed[worker] = games
            return True
        return False

    def hunt() -> bool:
        """Kill a worker whenever games were counted since the last kill; the cluster starts another in its place."""
        if len(killed) < kills and (games := counted(path)) > max(killed.values(), default=0):
            wait_for(lambda: kill_one(games), "a worker is ready")
        return False

    assert play(path, Cluster(cluster.scheduler_address), stopping=hunt)
    assert len(killed) == kills
    assert digests(path) == wanted
    check_whole(path)


def test_a_killed_client_changes_nothing(cluster: Any, wanted: list[str | None], tmp_path: Path) -> None:
    path = begin(tmp_path, **FACTS)
    address = cluster.scheduler_address
    log = tmp_path / "log"
    for _ in range(2):
        before = counted(path)
        process = spawn("study", "resume", path, "--cluster", address, log=log)
        wait_for(lambda before=before: counted(path) > before, "a game is counted")
        kill(process)
    process = spawn("study", "resume", path, "--cluster", address, log=log)
    assert exit_code(process) == 0, log.read_text()
    assert digests(path) == wanted
    check_whole(path)


def test_threads_and_cluster_mix(cluster: Any, wanted: list[str | None], tmp_path: Path) -> None:
    """Started on threads, continued on the cluster, finished on threads."""
    path = begin(tmp_path, **FACTS)
    assert not play(path, stopping=lambda: counted(path) > 0)
    half = counted(path)
    assert not play(path, Cluster(cluster.scheduler_address), stopping=lambda: counted(path) > half)
    assert play(path)
    assert digests(path) == wanted


def test_workers_with_other_code_are_refused(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = begin(tmp_path, **FACTS)
    real = crew.Task.arguments.fget  # type: ignore[attr-defined]
    other = property(lambda task: (*real(task)[:2], "other code", *real(task)[3:]))
    monkeypatch.setattr(crew.Task, "arguments", other)
    with pytest.raises(StudyError, match=r"a worker of tcp://.*its code for wave differs from yours"):
        play(path, Cluster(cluster.scheduler_address))


def test_no_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "CONNECT_SECONDS", 1)
    path = begin(tmp_path)
    for address in ("tcp://127.0.0.1:1", "nonsense://x", "127.0.0.1"):
        result = call("study", "resume", path, "--cluster", address)
        assert result.exit_code == 2, result.output
        assert result.stderr.count("\n") == 1, result.stderr
        assert f"--cluster {address}: no Dask scheduler answers (" in result.stderr


def test_a_lost_scheduler(small_cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "LOST_SECONDS", 0.5)
    path = begin(tmp_path, **ENDLESS)

    def close() -> bool:
        if counted(path):
            small_cluster.close()
        return False

    with pytest.raises(DeviceError, match="the scheduler is gone; finished games are kept"):
        play(path, Cluster(small_cluster.scheduler_address), stopping=close)
    assert counted(path) > 0
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    assert not any(logging.getLogger(name).isEnabledFor(logging.CRITICAL) for name in names)


def test_workers_that_cannot_play_are_refused(
    small_cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one line, before any game is played."""
    path = begin(tmp_path, **FACTS)
    address = small_cluster.scheduler_address
    for codes, problem in (
        ({"wave": "other"}, "its code for wave differs from yours"),
        ({"whist": "x"}, "it cannot play whist: unknown"),
    ):
        crew_of_cluster = Cluster(address)
        with (
            closing(crew_of_cluster),
            pytest.raises(StudyError, match=rf"worker \S+ of {address} cannot play, .*: {problem}") as fault,
        ):
            crew_of_cluster.expect(codes)
        assert "\n" not in str(fault.value)
    monkeypatch.setattr(crew, "package_version", lambda name: "9.9")
    with pytest.raises(StudyError, match=r"it has houle \S+, not 9\.9; install the same version"):
        play(path, Cluster(address))
    assert counted(path) == 0


def test_no_workers_are_said_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "NO_WORKER_SECONDS", 3.0)
    path = begin(tmp_path, **FACTS)
    with local_cluster(0, processes=False) as empty:
        result = call("study", "resume", path, "--cluster", empty.scheduler_address)
    first, *others, last = result.stderr.splitlines()
    assert first == f"0 workers at {empty.scheduler_address}: waiting, for at most 0.05 minutes"
    assert last == f"houle: {empty.scheduler_address}: no worker answers; finished games are kept, resume later"
    assert (result.exit_code, others) == (2, [])


def test_lost_workers(small_cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scheduler without workers would keep a study waiting for ever."""
    monkeypatch.setattr(crew, "NO_WORKER_SECONDS", 0.5)
    monkeypatch.setattr(crew, "RECOUNT_SECONDS", 0.1)
    path = begin(tmp_path, **ENDLESS)

    def dismiss() -> bool:
        if counted(path):
            small_cluster.scale(0)
        return False

    with pytest.raises(DeviceError, match="no worker answers; finished games are kept, resume later") as fault:
        play(path, Cluster(small_cluster.scheduler_address), stopping=dismiss)
    assert "\n" not in str(fault.value)
    kept = counted(path)
    assert kept > 0
    assert not play(path, stopping=lambda: counted(path) > kept)


class Mixed(Cluster):
    """A cluster of which one worker has other code until `repaired`; its chunks fail as they would there."""

    def __init__(self, address: str, bad: str) -> None:
        super().__init__(address)
        self.bad, self.repaired, self.asked = bad, False, 0

    def _check(self, workers: Iterable[str]) -> None:
        real, asked = self._codes, set(workers)
        super()._check(asked - {self.bad})
        if self.bad in asked:
            self.asked += 1
            self._codes = real if self.repaired else {"wave": "other code"}
            super()._check([self.bad])
            self._codes = real


def test_a_worker_with_other_code_is_left_out(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The study goes on with the others, says so once, and uses the worker again when its code fits."""
    monkeypatch.setattr(crew, "RECOUNT_SECONDS", 0.05)
    monkeypatch.setattr(crew, "RECHECK_SECONDS", 0.1, raising=False)
    wait_for(lambda: len(ready_workers(cluster)) == 2, "two workers are ready")
    path = begin(tmp_path, **ENDLESS)
    mixed = Mixed(cluster.scheduler_address, next(iter(cluster.scheduler_info["workers"])))
    sent: list[tuple[bool, list[str] | None]] = []
    real = mixed._send

    def send(task: Any, tries: int) -> None:
        real(task, tries)
        sent.append((mixed.repaired, mixed._held[task].workers))

    monkeypatch.setattr(mixed, "_send", send)
    notes: list[str] = []

    def repaired() -> bool:
        """Whether all workers get chunks again, some time after games were counted without one of them."""
        notes.append(mixed.note)
        mixed.repaired = mixed.repaired or counted(path) > 0
        return bool(sent) and sent[-1] == (True, None)

    assert not play(path, mixed, stopping=repaired)
    line = f"worker {mixed.bad} is left out: its code for wave differs from yours (digest "
    assert any(note.startswith(line) and note.count("\n") == 0 for note in notes)
    assert all(workers and mixed.bad not in workers for repaired, workers in sent if not repaired)
    assert (mixed.asked > 1, notes[-1]) == (True, "")
    assert counted(path) > 0


def test_chunks_of_lost_workers_are_sent_again(small_cluster: Any, tmp_path: Path) -> None:
    """Also if they were meant only for workers that are gone now."""
    sent: list[Any] = []
    lonely = Cluster(small_cluster.scheduler_address)
    with closing(lonely):
        lonely.expect({})
        (address,) = lonely._fit
        task = Task(1, 0, 5, "", "", "", (), 1)
        lonely._unfit["tcp://other"] = "other code", 0.0
        lonely._fit = {"tcp://127.0.0.1:1"}
        lonely._send(task, 1)
        assert lonely._held[task].workers == ["tcp://127.0.0.1:1"]
        lonely._send = lambda *facts: sent.append(facts)  # type: ignore[method-assign]
        lonely._count()
        assert (lonely._fit, sent) == ({address}, [(task, 1)])


@pytest.mark.parametrize("fault", [StudyError("other code"), ImportError("no houle"), AttributeError("an old houle")])
def test_a_failed_chunk_is_tried_elsewhere(small_cluster: Any, fault: Exception) -> None:
    """A worker that has just joined may take a chunk before it is asked whether it can play it."""
    alone = Cluster(small_cluster.scheduler_address)
    with closing(alone):
        alone.expect({})
        task = Task(1, 0, 5, "", "", "", (), 1)
        for tries in range(1, crew.TRIES + 1):
            future = object()
            alone._held[task] = crew.Sent(future, tries, None)
            alone._results.put((task, future, fault))
            if tries == crew.TRIES:
                with pytest.raises(InputError, match=str(fault)):
                    alone.finished(1.0)
            else:
                assert alone.finished(1.0) == []
                assert alone._again.pop() == (task, tries + 1)
                assert alone._fit == set()  # all workers are asked again
