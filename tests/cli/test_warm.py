"""`make warm`: every game is compiled in a process of its own."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from houle.cli import waiting, warm
from houle.solver.errors import InputError
from houle.solver.rules import game_names
from houle.solver.run import playout
from tests.support.call import PATIENCE

pytestmark = pytest.mark.compiled


def test_parts_of_a_game_are_compiled_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """What families need, then search in one process and everything else in another."""
    played: list[str] = []
    importlib.import_module("houle.analysis.play.advise")  # takes the real function with it
    monkeypatch.setattr(playout, "play_chunk", lambda line_up, *rest, **filled: played.append(line_up.names[0]))
    for part, players in ((warm.FAMILIES, ["family"]), (warm.SEARCH, ["flat:1"]), (warm.QUICK, ["random", "thumb"])):
        warm.warm("wave", (part,))
        assert played == players
        played.clear()


def test_families_need_no_other_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where families are compiled, the studio shows a number, and the time is remembered."""
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    monkeypatch.setattr(warm, "warm", lambda game, parts: warm.mark(game, *parts))
    monkeypatch.setattr(warm, "mark", lambda game, part: tmp_path / part)
    waiting.compile_families("wave")
    assert waiting.FAMILIES in waiting._known_seconds()
    (tmp_path / waiting.FILE).unlink()
    (tmp_path / warm.SEARCH).touch()  # its entry plays families too
    waiting.compile_families("wave")
    assert waiting._known_seconds() == {}


@pytest.mark.parametrize(("game", "noted"), [("wave", True), ("wafe", False)])
def test_time_of_both_halves_is_remembered(
    game: str, noted: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:  # fmt: skip
    """Each half in a process; here in processes that do not load the compiler. One that fails says nothing."""
    started: list[str] = []

    def start(command: list[str], **facts: Any) -> subprocess.Popen[bytes]:
        command = command[command.index(sys.executable) :]  # after `nice`, where there is one
        assert command[:4] == [sys.executable, "-P", "-m", "houle.cli.warm"]
        started.extend(command[5:])
        return real([sys.executable, "-c", f"raise SystemExit({command[4:] == ['wafe', warm.QUICK]:d})"], **facts)

    real = subprocess.Popen
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    monkeypatch.setattr(subprocess, "Popen", start)
    waiting.Compiling(game).wait()
    assert started == [warm.SEARCH, warm.QUICK]
    assert (tmp_path / waiting.FILE).exists() == noted


def test_warm_compiles_one_game() -> None:
    command = [sys.executable, "-m", "houle.cli.warm", "wave"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with pytest.raises(InputError, match="unknown game 'wafe'"):
        warm.warm("wafe")


@pytest.mark.quick
def test_warm_compiles_every_game(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    seen = []

    def compiled(name: str) -> tuple[str, float, int]:
        seen.append(name)
        return name, 1.0, int(name == "wave")

    monkeypatch.setattr(warm, "_warm_apart", compiled)
    monkeypatch.setattr(sys, "argv", ["warm"])
    assert warm.main() == 1
    assert sorted(seen) == sorted(game_names())
    assert "failed" in capsys.readouterr().out
