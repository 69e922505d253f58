"""A study that is killed at any moment, by any signal, ends with the same digests."""

from __future__ import annotations

import os
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
    finished,
    play,
    spawn,
    wait_for,
    write_spec,
)

KILLS = 20


def test_killed_twenty_times(tmp_path: Path) -> None:
    facts = {"games": 800_000, "chunk": 5_000}
    wanted = finished(tmp_path / "calm", **facts)
    path = begin(tmp_path, **facts)
    log = tmp_path / "log"
    rng = random.Random(9)
    kills, progress = 0, set()
    while kills < KILLS:
        process = spawn("study", "resume", path, "-j", "2", log=log)
        if kills % 3:  # every third may die before it has counted anything
            before = counted(path)
            wait_for(lambda process=process, before=before: not process.is_alive() or counted(path) > before)
            time.sleep(rng.uniform(0.0, 0.03))
        else:
            time.sleep(rng.uniform(0.0, 0.1))
        if not process.is_alive():
            break
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
        kills += 1
        progress.add(counted(path))
    process = spawn("study", "resume", path, log=log)
    process.join()
    assert process.exitcode == 0, log.read_text()
    assert digests(path) == wanted
    check_whole(path)
    assert kills == KILLS, "the study ended before its kills"
    assert len(progress) > 5, "the kills hit no work"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_stop_a_study(tmp_path: Path, number: signal.Signals) -> None:
    facts = {"games": 2_000_000, "chunk": 20_000}
    path = begin(tmp_path, **facts)
    log = tmp_path / "log"
    process = spawn("study", "resume", path, log=log)
    wait_for(lambda: counted(path) > 0)
    os.kill(process.pid or 0, number)
    process.join()
    assert process.exitcode == 128 + number
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
    # A cell is what simulate gives, digest and all; a precision cell too.
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
    path = begin(tmp_path, games=3_000_000, chunk=20_000)
    first, second = tmp_path / "first", tmp_path / "second"
    process = spawn("study", "resume", path, log=first)
    wait_for(lambda: counted(path) > 0)
    status = read_status(path)
    assert status.running
    assert status.digest is None
    other = spawn("study", "resume", path, log=second)
    other.join()
    assert other.exitcode == 2
    assert second.read_text().count("\n") == 1
    assert "another process is running this study" in second.read_text()
    assert process.is_alive()
    with pytest.raises(StudyError, match="another process"):
        play(path)
    os.kill(process.pid or 0, signal.SIGKILL)
    process.join()
    assert not read_status(path).running
    assert not play(path, stopping=lambda: True)


def test_two_processes_start_at_once(tmp_path: Path) -> None:
    spec, path = write_spec(tmp_path, games=100_000), str(tmp_path / "study.db")
    logs = [tmp_path / "first", tmp_path / "second"]
    both = [spawn("study", "run", spec, "--db", path, log=log) for log in logs]
    for process in both:
        process.join()
    codes = sorted(process.exitcode or 0 for process in both)
    assert codes in ([0, 2], [0, 0]), [log.read_text() for log in logs]
    check_whole(path)
    assert sorted(file.name for file in tmp_path.glob("study.db*")) == ["study.db", "study.db-lock"]
