"""Studies on a Dask cluster of real processes: the same digests even if workers or clients die."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import pytest

from houle.analysis.studies import cluster as cluster_module
from houle.analysis.studies.cell import Cell
from houle.analysis.studies.cluster import Needs, play_portable
from houle.analysis.studies.serialize import _line_up, cell_data, package_version, rules_code
from houle.solver.errors import ClusterError, StudyError
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup
from houle.solver.rules.game_folders import VARIABLE
from tests.support.call import call
from tests.support.studies import Stopping, counted, digest, exit_code, kill, play, spawn, wait_for, write_spec
from tests.support.toys.quay_beside import FOLDER, make_known

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
def wanted(tmp_path_factory: pytest.TempPathFactory) -> str | None:
    folder = tmp_path_factory.mktemp("calm")
    assert play(write_spec(folder, **FACTS), folder / "study", threads=1)
    return digest(folder / "study")


def ready_workers(cluster: Any) -> list[int]:
    """Process ids of the workers that play; a worker that is starting is not one of them."""
    from distributed import Status

    async def pids() -> list[int]:
        running = [one for one in cluster.workers.values() if one.process and one.process.status is Status.running]
        return [nanny.pid for nanny in running if nanny.pid]

    workers: list[int] = cluster.sync(pids)  # in the thread that changes them
    return workers


def test_the_same_digest(cluster: Any, wanted: str | None, tmp_path: Path) -> None:
    assert play(write_spec(tmp_path, **FACTS), tmp_path / "study", cluster=cluster.scheduler_address)
    assert digest(tmp_path / "study") == wanted


@pytest.mark.slow  # Dask takes many seconds to miss a worker
@pytest.mark.parametrize("kills", [1, 4])
def test_killed_workers_change_nothing(cluster: Any, wanted: str | None, kills: int, tmp_path: Path) -> None:
    folder = tmp_path / "study"
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
        if len(killed) < kills and (games := counted(folder)) > max(killed.values(), default=0):
            wait_for(lambda: kill_one(games), "a worker is ready")
        return False

    spec = write_spec(tmp_path, **FACTS)
    assert play(spec, folder, cluster=cluster.scheduler_address, watch=Stopping(hunt))
    assert len(killed) == kills
    assert digest(folder) == wanted


def test_a_killed_client_changes_nothing(cluster: Any, wanted: str | None, tmp_path: Path) -> None:
    spec, folder, log = write_spec(tmp_path, **FACTS), tmp_path / "study", tmp_path / "log"
    words = ("study", "run", spec, "-o", str(folder), "--cluster", cluster.scheduler_address)
    for _ in range(2):
        before = counted(folder)
        process = spawn(*words, log=log)
        wait_for(lambda before=before: counted(folder) > before, "a game is counted")
        kill(process)
    assert exit_code(spawn(*words, log=log)) == 0, log.read_text()
    assert digest(folder) == wanted


def test_threads_and_cluster_mix(cluster: Any, wanted: str | None, tmp_path: Path) -> None:
    """Started on threads, continued on the cluster, finished on threads."""
    spec, folder = write_spec(tmp_path, **FACTS), tmp_path / "study"
    assert not play(spec, folder, watch=Stopping(lambda: counted(folder) > 0))
    half = counted(folder)
    more = Stopping(lambda: counted(folder) > half)
    assert not play(spec, folder, cluster=cluster.scheduler_address, watch=more)
    assert play(spec, folder)
    assert digest(folder) == wanted


def test_no_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 1)
    spec = write_spec(tmp_path)
    for address in ("tcp://127.0.0.1:1", "nonsense://x", "127.0.0.1"):
        result = call("study", "run", spec, "-o", str(tmp_path / "study"), "--cluster", address)
        assert result.exit_code == 2, result.output
        assert result.stderr.count("\n") == 1, result.stderr
        assert f"--cluster {address}: no Dask scheduler answers (" in result.stderr


def test_a_lost_scheduler(small_cluster: Any, tmp_path: Path) -> None:
    """The command ends, and the log has all that arrived."""
    spec, folder = write_spec(tmp_path, **ENDLESS), tmp_path / "study"

    def close() -> bool:
        if counted(folder):
            small_cluster.close()
        return False

    with pytest.raises(ClusterError, match="the scheduler is gone; finished games are logged"):
        play(spec, folder, cluster=small_cluster.scheduler_address, watch=Stopping(close))
    assert counted(folder) > 0


@pytest.mark.parametrize(
    ("other", "problem"),
    [
        ({"codes": {"wave": "other"}}, "its code for wave differs from yours"),
        ({"houle": "9.9"}, "it has houle .*, not 9.9; install the same version"),
    ],
)
def test_no_worker_can_play(
    small_cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: dict[str, Any], problem: str
) -> None:
    """In one line, before any game is played."""
    needs = cluster_module.Needs
    monkeypatch.setattr(cluster_module, "Needs", lambda *values: needs(*values)._replace(**other))
    with pytest.raises(StudyError, match=f"no worker can play this study: {problem}") as fault:
        play(write_spec(tmp_path, **FACTS), tmp_path / "study", cluster=small_cluster.scheduler_address)
    assert "\n" not in str(fault.value)


def test_a_worker_with_other_code_is_left_out(
    cluster: Any, wanted: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The study goes on with the others and says so in one line."""
    from distributed import Client

    wait_for(lambda: len(ready_workers(cluster)) == 2, "two workers are ready")
    real, used = Client.run, set()

    def one_differs(client: Any, *words: Any) -> Any:
        answers = real(client, *words)
        return {**answers, min(answers): "its code for wave differs from yours"}

    def submit(client: Any, *words: Any, workers: Any = None, **more: Any) -> Any:
        used.update(workers)
        return real_submit(client, *words, workers=workers, **more)

    real_submit = Client.submit
    monkeypatch.setattr(Client, "run", one_differs)
    monkeypatch.setattr(Client, "submit", submit)
    watch = Stopping()
    spec = write_spec(tmp_path, **FACTS)
    assert play(spec, tmp_path / "study", cluster=cluster.scheduler_address, watch=watch)
    bad, good = sorted(cluster.scheduler_info["workers"])
    assert watch.notes == [f"worker {bad} is left out: its code for wave differs from yours"]
    assert used == {good}
    assert digest(tmp_path / "study") == wanted


def test_a_worker_needs_the_game_and_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch)
    cell = cell_data(Cell(seat_strategies(make_setup("quay", 4), ("random",) * 4), 1, 5))
    needs = Needs(package_version("houle"), {"quay": rules_code("quay")}, ())
    monkeypatch.setenv(VARIABLE, "")
    _line_up.cache_clear()
    with pytest.raises(StudyError, match="unknown game 'quay'"):
        play_portable(needs, cell, 0, 5)
    there = needs._replace(game_paths=(str(FOLDER),))
    assert play_portable(there, cell, 0, 5).games == 5
    with pytest.raises(StudyError, match="its code for quay differs from yours"):
        play_portable(there._replace(codes={"quay": "other code"}), cell, 0, 5)
