"""`make warm`: every game is compiled in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from houle.cli import warm
from houle.solver.rules import game_names
from houle.solver.run import playout


def test_game_is_compiled_in_two_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search in one process, everything else in the other."""
    played: list[str] = []
    monkeypatch.setattr(playout, "play_chunk", lambda line_up, *rest: played.append(line_up.names[0]))
    warm.warm("wave", ("--search",))
    assert played == ["flat:1"]
    warm.warm("wave", ("--quick",))
    assert played == ["flat:1", "random", "thumb"]
    assert warm.warm_halves("wave")
    assert not warm.warm_halves("wafe")


def test_warm_compiles_one_game() -> None:
    done = subprocess.run([sys.executable, "-m", "houle.cli.warm", "wave"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


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
