"""A study that is killed at any moment, by any signal, ends with the same digests."""

from __future__ import annotations

import random
import signal
import time
from pathlib import Path

import pytest

from houle import read_study, setup, simulate
from houle.analysis.studies.executors import Threads
from houle.analysis.studies.status import read_status
from houle.solver.errors import StudyError
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
    write_spec,
)

pytestmark = pytest.mark.compiled

FACTS = {"games": 200_000, "chunk": 2_000}
ENDLESS = {"games": 50_000_000, "chunk": 20_000}  # never over before the test stops it


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> list[str | None]:
    return finished(tmp_path_factory.mktemp("calm") / "one", **FACTS)


def resumed(path: str, log: Path, kill_at: float | None, at_work: bool) -> int | None:
    """The exit code of a process that continues a study and may be killed, before or after it counts a game."""
    before = counted(path)
    process = spawn("study", "resume", path, "-j", "2", log=log)
    if kill_at is None:
        return exit_code(process)
    if at_work:
        wait_for(lambda: not process.is_alive() or counted(path) > before, "a game is counted")
    time.sleep(kill_at / 3 if at_work else kill_at)
    return kill(process)


@pytest.mark.parametrize("kills", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_killed_many_times(tmp_path: Path, wanted: list[str | None], kills: int) -> None:
    """A study that ends before all kills are done is checked, and another is begun."""
    log = tmp_path / "log"
    rng = random.Random(9)
    done, progress = 0, set()  # kills, and the games counted at each
    for study in range(kills):
        folder = tmp_path / str(study)
        folder.mkdir()
        path = begin(folder, **FACTS)
        while None in digests(path):
            code = resumed(path, log, kill_at=rng.uniform(0.0, 0.1) if done < kills else None, at_work=done % 3 > 0)
            assert code in (0, -signal.SIGKILL), log.read_text()
            if code:
                done += 1
                progress.add((study, counted(path)))
        assert digests(path) == wanted
        check_whole(path)
        if done == kills:
            break
    assert done == kills, "the studies ended before their kills"
    assert len(progress) > kills // 2, "the kills hit no work"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_stop_a_study(tmp_path: Path, number: signal.Signals) -> None:
    path = begin(tmp_path, **ENDLESS)
    log = tmp_path / "log"
    process = spawn("study", "resume", path, log=log)
    wait_for(lambda: counted(path) > 0, "a game is counted")
    assert kill(process, number) == 128 + number, log.read_text()
    assert "Traceback" not in log.read_text()
    assert f"continue with: houle study resume {path}" in log.read_text()
    kept = counted(path)
    assert kept > 0
    assert not play(path, stopping=lambda: True)
    assert counted(path) >= kept


def test_threads_do_not_matter(tmp_path: Path) -> None:
    wanted = finished(tmp_path / "one")
    path = begin(tmp_path)
    assert play(path, Threads(2))
    assert digests(path) == wanted
    frame = read_study(path).frame()
    assert frame["done"].all()
    # A cell has the same digest as `simulate` with the same options, also with a precision.
    same = simulate(setup("wave", variants="virage"), strategies="random", games=20_000, seed=2).frame()
    row = frame[(frame["variants"] == "virage") & (frame["seed"] == 2)].iloc[0]
    assert row["result_digest"] == same["result_digest"][0]
    precise = simulate(setup("wave", set={"hand.front": 4}), strategies="random", seed=3, precision=0.5).frame()
    row = frame[frame["set.hand.front"] == "4"].iloc[0]
    assert (row["result_digest"], row["games"], row["win_high"]) == (
        precise["result_digest"][0],
        precise["games"][0],
        precise["win_high"][0],
    )


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    path = begin(tmp_path, **ENDLESS)
    first, second = tmp_path / "first", tmp_path / "second"
    process = spawn("study", "resume", path, log=first)
    wait_for(lambda: counted(path) > 0, "a game is counted")
    status = read_status(path)
    assert status.running
    assert status.digest is None
    other = spawn("study", "resume", path, log=second)
    assert exit_code(other) == 2
    assert second.read_text().count("\n") == 1
    assert "another process is running this study" in second.read_text()
    assert process.is_alive()
    with pytest.raises(StudyError, match="another process"):
        play(path)
    kill(process)
    assert not read_status(path).running
    assert not play(path, stopping=lambda: True)


def test_two_processes_start_at_once(tmp_path: Path) -> None:
    spec, path = write_spec(tmp_path), str(tmp_path / "study.db")
    logs = [tmp_path / "first", tmp_path / "second"]
    both = [spawn("study", "run", spec, "--db", path, log=log) for log in logs]
    codes = sorted(exit_code(process) or 0 for process in both)
    assert codes in ([0, 2], [0, 0]), [log.read_text() for log in logs]
    check_whole(path)
    assert sorted(file.name for file in tmp_path.glob("study.db*")) == ["study.db", "study.db-lock"]
