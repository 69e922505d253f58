"""Ctrl-C in a long run: what is done is shown, with the command that repeats that part; a report leaves nothing."""

from __future__ import annotations

import json
import shlex
import signal
from pathlib import Path

import pytest

from houle.cli.framework.progress import GamesProgress, SectionsProgress, StudyProgress
from houle.cli.framework.streams import Interrupted
from tests.support.call import good, interrupted

pytestmark = pytest.mark.quick


@pytest.mark.compiled
@pytest.mark.parametrize("command", ["simulate wave -j 2", "compare wave -v base -v virage -s thumb -j 1"])
def test_the_part_that_is_done_can_be_repeated(command: str) -> None:
    stopped = interrupted(*command.split(), "-n", "1e9", "--json", "--seed", "11")
    assert stopped.returncode == 130, stopped.stderr
    part, line = json.loads(stopped.stdout), stopped.stderr.strip()
    assert part["interrupted"]
    assert 0 < part["games"] < 10**9
    assert "\n" not in line
    assert "games are counted" in line or f"interrupted: {part['games']:,} of 1,000,000,000 are counted" in line
    words = shlex.split(line[line.index(": houle ") + 2 :])[1:]
    words[words.index("-n") + 1] = str(part["games"])  # compare says how to play the whole again
    again = json.loads(good(*words, "--json"))
    assert [again.get(name) for name in ("rows", "sides")] == [part.get(name) for name in ("rows", "sides")]
    assert command.startswith("compare") or again["result_digest"] == part["result_digest"]


@pytest.mark.compiled
def test_interrupted_report_leaves_nothing(tmp_path: Path) -> None:
    stopped = interrupted("report", "wave", "--effort", "deep", "-j", "1", "-o", str(tmp_path / "out"))
    assert (stopped.returncode, stopped.stdout) == (130, ""), stopped.stderr
    assert "interrupted" in stopped.stderr
    assert list(tmp_path.iterdir()) == []


def test_first_ctrl_c_ends_between_two_chunks() -> None:
    with GamesProgress(10, silent=True) as watch:
        watch(5, 0.1)
        signal.raise_signal(signal.SIGINT)  # from now on a run ends where its tally is whole
        with pytest.raises(KeyboardInterrupt):
            watch(6, 0.2)
        with pytest.raises(Interrupted):
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize(("done", "ends"), [(0, Interrupted), (5, KeyboardInterrupt)])
def test_interrupt_before_the_first_game(done: int, ends: type[BaseException]) -> None:
    """It stops at once; if a library that is being loaded swallows the exception, at the next poll."""
    with GamesProgress(10, silent=True) as watch:
        with pytest.raises(Interrupted):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(ends):
            watch(done, 0.1)


def test_a_report_stops_at_once() -> None:
    with SectionsProgress(silent=True) as course:
        course("difficulty", 1, 14, 0.1, 2.0)
        with pytest.raises(Interrupted):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(Interrupted):  # also if a library has swallowed the first exception
            course("difficulty", 1, 14, 0.2, 3.0)


def test_a_study_stops_at_the_second_signal() -> None:
    with StudyProgress(silent=True) as watch:
        signal.raise_signal(signal.SIGTERM)
        assert watch.stopping()
        with pytest.raises(Interrupted):
            signal.raise_signal(signal.SIGTERM)


def test_a_run_that_keeps_nothing_says_so() -> None:
    with pytest.raises(Interrupted, match="before there was a result"), GamesProgress(10, silent=True):
        raise KeyboardInterrupt
