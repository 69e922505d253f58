"""What cannot be written, files or streams: found before anything is played, one line, exit 1, nothing half-written."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from functools import partial
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
@pytest.mark.parametrize(("line", "answer"), [
    ("houle games >&-", (1, "", "houle: stdout is closed, so nothing can be printed\n")),
    ("houle rules wav 2>&-", (2, "", "")),
    ("houle > /dev/full", (1, "", FULL)),
    ("houle games > /dev/full", (1, "", FULL)),
    ("houle study --help > /dev/full", (1, "", FULL)),
    ("houle --version > /dev/full", (1, "", FULL)),
    ("set -o pipefail; { sleep 0.5; houle games; } | true", (1, "", "")),
    ("houle rules wave | head -1", (0, "WAVE, 3 players, base game\n", "")),
])  # fmt: skip
def test_closed_or_full_streams(line: str, answer: tuple[int, str, str], tmp_path: Path) -> None:
    """One line for a full disk, silence for a closed pipe."""
    assert in_shell(tmp_path, line) == answer


@pytest.mark.slow
def test_other_broken_streams(tmp_path: Path) -> None:
    shell = partial(in_shell, tmp_path)
    assert shell("houle games 2>&-")[::2] == (0, "")
    assert shell("houle rules wav <&- >&- 2>&-") == (1, "", "")
    assert shell("houle rules wav 2> /dev/full") == (2, "", "")
    assert shell("mkdir gone; cd gone; rmdir ../gone; houle rules wave -o x")[0] == 2
    (tmp_path / "my.toml").write_text('name = "wave \U0001f30a"', encoding="utf-8")
    code, out, err = shell("houle rules wave --rules my.toml", PYTHONIOENCODING="latin-1")
    assert (code, err) == (0, "")
    assert out.startswith("wave \\U0001f30a changes no rule")
    code, out, err = shell(r"houle rules $'wav\xff'")
    assert (code, out) == (2, "")
    assert "unknown game 'wav\\udcff'; did you mean 'wave'?" in err
