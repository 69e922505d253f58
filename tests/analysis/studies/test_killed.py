"""A study that is killed at any moment, by any signal, ends with the same digest."""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

import pytest

from tests.support.studies import counted, digest, exit_code, kill, play, spawn, wait_for, write_spec

pytestmark = pytest.mark.compiled

FACTS = {"games": 200_000, "chunk": 2_000}
ENDLESS = {"games": 50_000_000, "chunk": 20_000}  # never over before the test stops it


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> str | None:
    folder = tmp_path_factory.mktemp("calm")
    assert play(write_spec(folder, **FACTS), folder / "study", threads=1)
    return digest(folder / "study")


def resumed(spec: str, folder: Path, log: Path, kill_at: float | None, at_work: bool) -> int | None:
    """The exit code of a process that continues a study and may be killed, before or after it counts a game."""
    before = counted(folder)
    process = spawn("study", "run", spec, "-o", str(folder), "-j", "2", log=log)
    if kill_at is None:
        return exit_code(process)
    if at_work:
        wait_for(lambda: not process.is_alive() or counted(folder) > before, "a game is counted")
    time.sleep(kill_at / 3 if at_work else kill_at)
    return kill(process)


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_killed_many_times(tmp_path: Path, wanted: str | None, kills: int) -> None:
    """A study that ends before all kills are done is checked, and another is begun."""
    spec, log = write_spec(tmp_path, **FACTS), tmp_path / "log"
    rng = random.Random(9)
    done, progress = 0, set()  # kills, and the games counted at each
    for study in range(kills):
        folder, code = tmp_path / str(study), None
        while code != 0:
            before = counted(folder)
            code = resumed(spec, folder, log, rng.uniform(0.0, 0.1) if done < kills else None, at_work=done % 3 > 0)
            assert code in (0, -signal.SIGKILL), log.read_text()
            assert counted(folder) >= before, "logged games were lost"
            if code:
                done += 1
                progress.add((study, counted(folder)))
        assert digest(folder) == wanted
        if done == kills:
            break
    assert done == kills, "the studies ended before their kills"
    assert len(progress) > kills // 2, "the kills hit no work"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_stop_a_study(tmp_path: Path, number: signal.Signals) -> None:
    spec, folder, log = write_spec(tmp_path, **ENDLESS), tmp_path / "study", tmp_path / "log"
    process = spawn("study", "run", spec, "-o", str(folder), log=log)
    wait_for(lambda: counted(folder) > 0, "a game is counted")
    assert kill(process, number) == 128 + number, log.read_text()
    assert "Traceback" not in log.read_text()
    assert f"continue with: houle study run {spec} -o {folder}" in log.read_text()
    assert counted(folder) > 0


def test_two_processes_start_at_once(tmp_path: Path) -> None:
    spec, folder = write_spec(tmp_path), tmp_path / "study"
    logs = [tmp_path / "first", tmp_path / "second"]
    both = [spawn("study", "run", spec, "-o", str(folder), log=log) for log in logs]
    codes = sorted(exit_code(process) or 0 for process in both)
    assert codes in ([0, 2], [0, 0]), [log.read_text() for log in logs]
    assert digest(folder) is not None
    assert [file.name for file in folder.iterdir()] == ["part-1-of-1.jsonl"]
