"""Files that cannot be written: found before anything is played, named, exit 1, and nothing half-written stays."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from houle.analysis.tables import difficulty
from houle.cli.commands import demo, report
from tests.support.call import PATIENCE, call, good

pytestmark = pytest.mark.quick

COMMANDS = {  # and the file that the error names
    "report wave -p 3 -v base -q -o rep": "rep", "report seed -o rep": "rep", "demo -o rep": "rep",
    "review game.txt -o rep.csv": "rep.csv", "report wave -o deep/er/rep": "deep/er/rep", "new my-game": "my_game.py",
    "new my-game --compiled": "my-game", "simulate wave -n 10 -s random -o r.csv": "r.csv",
    "trace wave --record r.txt": "r.txt",
}  # fmt: skip
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
    for module, name in (
        (report, "write_game"),
        (report, "write_study"),
        (demo, "start_halves"),
        (difficulty, "differs"),
    ):
        monkeypatch.setattr(module, name, _never)
    refused = call(*command.split())
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1), refused.output
    assert f"{COMMANDS[command]}: nothing can be written in " in refused.stderr
    assert os.strerror(FAULTS[fault]) in refused.stderr
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("command", ["new my-game", "new my-game --compiled"])
def test_a_full_disk_leaves_nothing_half_written(folder: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk takes the name of the file and then runs full."""
    before, real = sorted(folder.rglob("*")), Path.write_text

    def fill(path: Path, text: str, *rest: Any, **more: Any) -> int:
        real(path, text[: len(text) // 2], *rest, **more)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), None)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", fill)
        refused = call(*command.split())
    name = "my-game" if "compiled" in command else "my_game.py"
    assert (refused.exit_code, refused.stderr) == (1, f"houle: {name}: No space left on device\n")
    assert sorted(folder.rglob("*")) == before
    assert name in good(*command.split())


@pytest.mark.compiled
@pytest.mark.parametrize("command", ["", "study", "games", "--help", "rules wave", "--version", "study --help"])
def test_full_or_closed_stdout_is_no_traceback(command: str) -> None:
    """One line for a full disk, silence for a closed pipe."""
    with open("/dev/full", "w") as full:
        refused = spawn_into(full.fileno(), command)
    assert refused == (1, "houle: No space left on device\n")
    reading, writing = os.pipe()
    os.close(reading)
    assert spawn_into(writing, command) == (1, "")
    os.close(writing)


def spawn_into(stdout: int, command: str) -> tuple[int, str]:
    """Runs a command as a new process with this stdout; its exit code and stderr."""
    words = [sys.executable, "-m", "houle.cli.main", *command.split()]
    done = subprocess.run(words, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False, timeout=PATIENCE)
    return done.returncode, done.stderr
