"""Memory of a study stays flat over 100,000 chunks, on threads and on a cluster (slow)."""

from __future__ import annotations

import os
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from houle.analysis.studies.cell import measure
from houle.analysis.studies.spec import read_spec
from houle.analysis.studies.store import create
from tests.support.studies import check_whole, counted, exit_code, spawn

pytestmark = pytest.mark.compiled

CHUNKS = 100_000
ALLOWED = 16 * 2**20  # bytes, for 90,000 chunks


def begin_many(folder: Path) -> str:
    """Five cells of single-game chunks."""
    spec = folder / "many.toml"
    spec.write_text(f'game = "wave"\nstrategies = "random"\nchunk = 1\ngames = {CHUNKS // 5}\nseed = [1, 2, 3, 4, 5]\n')
    study = read_spec(spec)
    path = str(folder / "many.db")
    create(path, study, [measure(cell) for cell in study.cells])
    return path


def memory(process: BaseProcess) -> int:
    """Bytes that a process holds."""
    pages = Path(f"/proc/{process.pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def follow(process: BaseProcess, path: str) -> dict[int, int]:
    """Memory by games counted, while the process lives."""
    seen: dict[int, int] = {}
    while process.is_alive():
        time.sleep(0.5)
        try:
            seen[counted(path)] = memory(process)
        except (OSError, IndexError):
            break
    exit_code(process)
    return seen


def check_flat(seen: dict[int, int]) -> None:
    early = max(held for games, held in seen.items() if CHUNKS // 20 < games < CHUNKS // 4)
    late = max(held for games, held in seen.items() if games > CHUNKS * 3 // 4)
    print(f"{early / 2**20:.1f} MiB early, {late / 2**20:.1f} MiB late")
    assert late - early < ALLOWED


@pytest.mark.slow
def test_memory_stays_flat_on_threads(tmp_path: Path) -> None:
    path = begin_many(tmp_path)
    process = spawn("study", "resume", path, "-j", "2", log=tmp_path / "log")
    check_flat(follow(process, path))
    assert process.exitcode == 0
    check_whole(path)


@pytest.mark.slow
def test_memory_stays_flat_on_a_cluster(tmp_path: Path) -> None:
    from distributed import LocalCluster

    path = begin_many(tmp_path)
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as cluster:
        words = ("study", "resume", path, "--cluster", cluster.scheduler_address)
        process = spawn(*words, log=tmp_path / "log")
        check_flat(follow(process, path))
    assert process.exitcode == 0
    check_whole(path)
