"""What cannot be written is found before anything is played, and Ctrl-C keeps what was played, in one line."""

from __future__ import annotations

import errno
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from houle.analysis.tables import difficulty
from houle.cli.commands import demo, report
from houle.cli.framework.progress import GamesProgress, SectionsProgress, StudyProgress
from houle.cli.framework.streams import Interrupted
from tests.support.call import PATIENCE, call, good, interrupted

pytestmark = pytest.mark.quick

COMMANDS = {  # and the file that the error names
    "report wave -p 3 -v base -q -o rep": "rep",
    "report seed -o rep": "rep",
    "demo -o rep": "rep",
    "review game.txt -o rep.csv": "rep.csv",
    "report wave -o deep/er/rep": "deep/er/rep",
    "new my-game": "my_game.py",
    "new my-game --compiled": "my-game",
    "simulate wave -n 10 -s random -o r.csv": "r.csv",
    "trace wave --record r.txt": "r.txt",
}
FAULTS = {"read-only": errno.EROFS, "full": errno.ENOSPC, "forbidden": errno.EACCES}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("game.txt").write_text("game: wave\n")
    Path("seed").mkdir()
    Path("seed/part-1-of-1.jsonl").write_bytes(b"x\n")
    return tmp_path


def _never(*_: Any, **__: Any) -> Any:
    raise AssertionError("it played first")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("fault", FAULTS)
def test_nothing_is_played_first(folder: Path, command: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a disk that takes no file: no permission binds the administrator, so the call is what fails."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise OSError(FAULTS[fault], os.strerror(FAULTS[fault]))

    before = sorted(folder.rglob("*"))
    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    plays = [(report, "write_game"), (report, "write_study"), (demo, "without_compiler"), (difficulty, "differs")]
    for module, name in plays:
        monkeypatch.setattr(module, name, _never)
    refused = call(command)
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1), refused.output
    assert f"{COMMANDS[command]}: nothing can be written in " in refused.stderr
    assert os.strerror(FAULTS[fault]) in refused.stderr
    assert sorted(folder.rglob("*")) == before


def half_written(patch: pytest.MonkeyPatch) -> None:
    """The disk takes the name of a file and half of it, and then runs full."""
    real = Path.write_text

    def fill(path: Path, text: str, *rest: Any, **more: Any) -> int:
        real(path, text[: len(text) // 2], *rest, **more)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), None)

    patch.setattr(Path, "write_text", fill)


@pytest.mark.parametrize(("command", "name"), [("new my-game", "my_game.py"), ("new my-game --compiled", "my-game")])
def test_a_full_disk_leaves_nothing_half_written(folder: Path, command: str, name: str) -> None:
    before = sorted(folder.rglob("*"))
    with pytest.MonkeyPatch.context() as patch:
        half_written(patch)
        refused = call(command)
    assert (refused.exit_code, refused.stderr) == (1, f"houle: {name}: No space left on device\n")
    assert sorted(folder.rglob("*")) == before
    assert name in good(command)


@pytest.mark.compiled
def test_failed_writes_leave_old_file(tmp_path: Path) -> None:
    """And nothing beside it; a file that is written keeps its link and its mode."""
    out, link = tmp_path / "out.json", tmp_path / "link.json"
    out.write_text("before")
    with pytest.MonkeyPatch.context() as patch:
        half_written(patch)
        result = call("simulate wave -s random -n 2 -o", str(out))
    assert (result.exit_code, result.stderr) == (1, f"houle: {out}: No space left on device\n")
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    assert out.read_text() == "before"
    out.chmod(0o640)
    link.symlink_to(out)
    good("simulate wave -s random -n 2 -o", str(link))
    assert link.is_symlink()
    assert out.read_text().startswith("{")
    assert out.stat().st_mode & 0o777 == 0o640


def in_shell(folder: Path, line: str, **facts: str) -> tuple[int, str, str]:
    houle, env = f"{sys.executable} -m houle.cli.main", {**os.environ, **facts}
    words = ["bash", "-c", line.replace("houle", houle)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=env, cwd=folder, timeout=PATIENCE)
    return done.returncode, done.stdout, done.stderr


FULL = "houle: No space left on device\n"


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("houle games >&-", (1, "", "houle: stdout is closed, so nothing can be printed\n")),
        ("houle rules wav 2>&-", (2, "", "")),
        ("houle > /dev/full", (1, "", FULL)),
        ("houle games > /dev/full", (1, "", FULL)),
        ("houle study --help > /dev/full", (1, "", FULL)),
        ("houle --version > /dev/full", (1, "", FULL)),
        ("set -o pipefail; { sleep 0.5; houle games; } | true", (1, "", "")),
        ("houle rules wave | head -1", (0, "WAVE, 3 players, base game\n", "")),
    ],
)
def test_closed_or_full_streams(line: str, answer: tuple[int, str, str], tmp_path: Path) -> None:
    """One line for a full disk, silence for a closed pipe."""
    assert in_shell(tmp_path, line) == answer


@pytest.mark.compiled
@pytest.mark.parametrize(
    "command",
    [
        "simulate wave -j 2",
        "compare wave -v base -v virage -s thumb -j 1",
        "sweep wave --set hand.back=0..2 -s random",
        "strength wave -s random,thumb",
    ],
)
def test_the_part_that_is_done_can_be_repeated(command: str) -> None:
    stopped = interrupted(*command.split(), "-n", "1e9", "--json", "--seed", "11")
    assert stopped.returncode == 130, stopped.stderr
    part, line = json.loads(stopped.stdout), stopped.stderr.strip()
    assert part["interrupted"]
    assert 0 < part["games"] < 10**9
    assert "\n" not in line
    assert f"interrupted: {part['games']:,} of 1,000,000,000 are counted; exactly this part again: houle " in line
    again = json.loads(good(*shlex.split(line[line.index(": houle ") + 2 :])[1:], "--json"))
    for name in ("rows", "sides", "result_digest"):
        assert again.get(name) == part.get(name)


@pytest.mark.compiled
@pytest.mark.parametrize(
    "command", ["balance wave -s random", "sweep wave --set hand.back=0,1 -s random --target win=0..20"]
)
def test_a_part_that_cannot_be_repeated_is_said(command: str) -> None:
    """What is played later, or shown, depends on whether all games are played."""
    stopped = interrupted(*command.split(), "-n", "1e9", "--seed", "11")
    assert stopped.returncode == 130, stopped.stderr
    assert "note: interrupted; only the whole can be repeated\n" in stopped.stdout
    again = stopped.stdout.rpartition("repeat   ")[2].strip()
    assert again.endswith("-n 1000000000 --seed 11")
    assert stopped.stderr.strip() == f"houle: interrupted: only the whole can be repeated: {again}"


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
        course("difficulty", number=1, steps=14, share=0.1, seconds=2.0)
        with pytest.raises(Interrupted):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(Interrupted):  # also if a library has swallowed the first exception
            course("difficulty", number=1, steps=14, share=0.2, seconds=3.0)


def test_a_study_stops_at_the_second_signal() -> None:
    with StudyProgress(silent=True) as watch:
        signal.raise_signal(signal.SIGTERM)
        assert watch.stopping()
        with pytest.raises(Interrupted):
            signal.raise_signal(signal.SIGTERM)


def test_a_run_that_keeps_nothing_says_so() -> None:
    with pytest.raises(Interrupted, match="before there was a result"), GamesProgress(10, silent=True):
        raise KeyboardInterrupt
