"""`make demo` and `make warm`: the table, the CSV, the figure; every game compiles apart."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from houle.cli import demo, warm
from houle.solver.ruleset import game_names, load


def test_the_difficulty_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demo.main(tmp_path / "new" / "folder", games=2_000)
    page = capsys.readouterr().out
    frame = pd.read_csv(tmp_path / "new" / "folder" / "wave-difficulty.csv")
    cells = [(variant, players) for variant in ("base", *load("wave").variants) for players in (2, 3, 4)]
    assert list(zip(frame["variants"], frame["players"], strict=True)) == cells
    assert (frame["games"] == 2_000).all()
    assert (frame["win_low"] <= frame["win"]).all()
    assert (frame["win"] <= frame["win_high"]).all()
    assert page.count(" facedown") == 3
    assert page.count(" cards_left") == 12
    picture = (tmp_path / "new" / "folder" / "wave-difficulty.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 20_000


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
