"""`houle demo` prints first numbers, writes a report and says where it is."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from houle.cli import waiting, warm
from houle.cli.commands import demo
from tests.support.call import good
from tests.support.made_reports import TINY, only_sections, sketched

pytestmark = pytest.mark.compiled


def run_demo(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the demo prints, with few games and without compiling."""
    monkeypatch.setattr(warm, "is_warm", lambda game: False)
    monkeypatch.setattr(waiting, "patient", lambda command: [sys.executable, "-c", ""])
    monkeypatch.setenv("HOULE_STATE_DIR", str(folder.parent / "state"))
    monkeypatch.setattr(demo, "GAMES", 60)
    whole = demo.write_game
    monkeypatch.setattr(demo, "write_game", lambda asked, folder, **run: whole(asked, folder, **run | {"effort": TINY}))
    with sketched(), only_sections("verdict", "difficulty", "appendix", "mistakes"):
        return good("demo", "-o", str(folder))


def test_demo_writes_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "folder"
    printed = run_demo(folder, monkeypatch)
    lines = " ".join(printed.split())
    assert re.search(r"rules of thumb only win \d+% \(\d+ to \d+\) of 20 games", lines)
    assert re.search(r"Families win [\d.]+% \([\d.]+ to [\d.]+\) of 60 games", lines)
    assert lines.index("rules of thumb only") < lines.index("Families win")
    page = folder / "index.html"
    assert f"saved {page}" in printed
    assert page.resolve().as_uri() in printed
    assert "WAVE" in page.read_text(encoding="utf-8")
    named = [line.split()[1] for line in printed.partition("What to try next:")[2].splitlines() if line.strip()]
    assert named == ["play", "studio", "report"]
    assert (folder / "tables" / "difficulty.csv").exists()
