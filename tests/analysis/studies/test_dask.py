"""Studies on a Dask cluster of real processes: the same digests even if workers or clients die."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from houle.analysis.studies import executors as crew
from houle.analysis.studies.executors import Cluster
from houle.solver.errors import DeviceError, StudyError
from tests.support.call import call
from tests.support.studies import (
    begin,
    check_whole,
    counted,
    digests,
    finished,
    play,
    spawn,
    wait_for,
)

FACTS = {"games": 600_000, "chunk": 10_000}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as local:
        yield local


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> list[str | None]:
    return finished(tmp_path_factory.mktemp("calm") / "one", **FACTS)


def worker_processes(cluster: Any) -> list[int]:
    """Process ids of the workers that are alive now."""
    return [nanny.pid for nanny in cluster.workers.values() if nanny.pid]


def test_the_same_digests(cluster: Any, wanted: list[str | None], tmp_path: Path) -> None:
    path = begin(tmp_path, **FACTS)
    assert play(path, Cluster(cluster.scheduler_address))
    assert digests(path) == wanted
    check_whole(path)


def test_killed_workers_change_nothing(cluster: Any, wanted: list[str | None], tmp_path: Path) -> None:
    path = begin(tmp_path, **FACTS)
    killed: set[int] = set()
    stop = threading.Event()

    def hunt() -> None:
        """One after each tenth of the work; the cluster starts others in their place."""
        while not stop.wait(0.02) and len(killed) < 3:
            alive = [pid for pid in worker_processes(cluster) if pid not in killed]
            if alive and counted(path) > (len(killed) + 1) * 4 * FACTS["games"] // 10:
                os.kill(alive[0], signal.SIGKILL)
                killed.add(alive[0])

    hunter = threading.Thread(target=hunt)
    hunter.start()
    try:
        assert play(path, Cluster(cluster.scheduler_address))
    finally:
        stop.set()
        hunter.join()
    assert len(killed) > 1
    assert digests(path) == wanted
    check_whole(path)


def test_a_killed_client_changes_nothing(cluster: Any, wanted: list[str | None], tmp_path: Path) -> None:
    path = begin(tmp_path, **FACTS)
    address = cluster.scheduler_address
    seen = set()
    for least in (1, 300_000):
        process = spawn("study", "resume", path, "--cluster", address, log=tmp_path / "log")
        wait_for(lambda least=least: counted(path) >= least)
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
        seen.add(counted(path))
    assert len(seen) == 2
    process = spawn("study", "resume", path, "--cluster", address, log=tmp_path / "log")
    process.join()
    assert process.exitcode == 0, (tmp_path / "log").read_text()
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
    with pytest.raises(StudyError, match=r"a worker of tcp://.*has other code"):
        play(path, Cluster(cluster.scheduler_address))


def test_no_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "CONNECT_SECONDS", 1)
    path = begin(tmp_path)
    for address in ("tcp://127.0.0.1:1", "nonsense://x", "127.0.0.1"):
        result = call("study", "resume", path, "--cluster", address)
        assert result.exit_code == 2, result.output
        assert result.stderr.count("\n") == 1, result.stderr
        assert f"--cluster {address}: no Dask scheduler answers (" in result.stderr


def test_a_lost_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import LocalCluster

    monkeypatch.setattr(crew, "LOST_SECONDS", 2.0)
    path = begin(tmp_path, games=5_000_000, chunk=10_000)
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0", silence_logs=50
    ) as brief:
        workers = Cluster(brief.scheduler_address)

        def close() -> None:
            wait_for(lambda: counted(path) > 0)
            brief.close()

        closer = threading.Thread(target=close)
        closer.start()
        start = time.monotonic()
        with pytest.raises(DeviceError, match="the scheduler is gone; finished games are kept"):
            play(path, workers)
        closer.join()
        assert time.monotonic() - start < 60
    assert counted(path) > 0
