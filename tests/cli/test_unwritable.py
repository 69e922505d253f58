"""Files that cannot be written: found before anything is played, named, exit 1, and nothing half-written stays."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from houle.analysis.difficulty import difficulty
from houle.cli.commands import demo, report
from tests.support.call import call, good

pytestmark = pytest.mark.quick

COMMANDS = {  # and the file that the error names
    "report wave -p 3 -v base -q -o rep": "rep", "report seed.db -o rep": "rep", "demo -o rep": "rep",
    "review game.txt -o rep": "rep", "report wave -o deep/er/rep": "deep/er/rep", "new my-game": "my_game.py",
    "new my-game --compiled": "my-game", "simulate wave -n 10 -s random -o r.csv": "r.csv",
    "trace wave --record r.txt": "r.txt", "study merge a.db --db rep.db": "rep.db",
}  # fmt: skip
FAULTS = {"read-only": errno.EROFS, "full": errno.ENOSPC, "forbidden": errno.EACCES}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("game.txt").write_text("game: wave\n")
    for name in ("seed.db", "a.db"):
        Path(name).write_bytes(b"x")
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
