"""`make demo` and `make warm`: the report; every game compiles apart."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from houle.cli import demo, warm
from houle.cli.framework.options import Asked
from houle.solver import playout
from houle.solver.ruleset import game_names
from tests.support.made_reports import TINY


def test_the_demo_is_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demo.main(tmp_path / "new" / "folder", TINY, Asked("wave", (3,), ("base", "nazare")))
    told = capsys.readouterr().out
    page = tmp_path / "new" / "folder" / "index.html"
    assert f"saved {page}" in told
    assert page.resolve().as_uri() in told
    assert "WAVE" in page.read_text()
    assert "houle play wave " in told.splitlines()[-1]
    assert (tmp_path / "new" / "folder" / "tables" / "difficulty.csv").exists()


def test_a_game_is_compiled_in_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    """What searches in one process, all else in the other, and together everything."""
    played: list[str] = []
    monkeypatch.setattr(playout, "play_chunk", lambda setup, names, *rest: played.append(names[0]))
    warm.warm("wave", ("--search",))
    assert played == ["flat:1"]
    warm.warm("wave", ("--quick",))
    assert played == ["flat:1", "random", "thumb"]
    assert warm.warm_halves("wave")
    assert not warm.warm_halves("wafe")


def test_warm_takes_games_one_by_one() -> None:
    done = subprocess.run([sys.executable, "-m", "houle.cli.warm", "wave"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_warm_takes_every_game(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    seen = []

    def compiled(name: str) -> tuple[str, float, int]:
        seen.append(name)
        return name, 1.0, int(name == "wave")

    monkeypatch.setattr(warm, "_warm_apart", compiled)
    monkeypatch.setattr(sys, "argv", ["warm"])
    assert warm.main() == 1
    assert sorted(seen) == sorted(game_names())
    assert "failed" in capsys.readouterr().out
