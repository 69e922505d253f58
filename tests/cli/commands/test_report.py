"""`houle report` as users call it, of a setup and of a study, and `houle demo`, which writes one."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from houle.cli import waiting, warm
from houle.cli.commands import demo
from houle.reports.blocks import every_block
from tests.support.call import good
from tests.support.made_reports import TINY, only_sections, sketched

pytestmark = pytest.mark.compiled


def test_report_of_one_setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sections and figures have tests of their own; here the command makes those that it names."""
    monkeypatch.setattr("houle.reports.context.load_effort", lambda name, game: TINY)
    out = tmp_path / "out"
    words = "report wave -p 2 -p 3 -v base --effort deep --seed 3 -j 1"
    with sketched(), only_sections("verdict", "difficulty", "appendix"):
        line = good(words, "-o", str(out))
    assert line.startswith("With two surfers")  # the verdict, then where the page is
    assert str(out / "index.html") in line
    data = json.loads((out / "data.json").read_text())
    assert data["facts"]["seed"] == "3"
    appendix = next(section for section in data["parts"][0]["sections"] if section["name"] == "appendix")
    blocks = [block for block in every_block(appendix["blocks"]) if block["kind"] == "commands"]
    commands = [line for block in blocks for line in block["lines"]]
    assert commands[0] == "houle report wave -p 2 -p 3 -v base --effort deep --seed 3"
    assert any(line.startswith("houle difficulty wave -p 2 ") for line in commands)


def test_chosen_sections_are_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With their tables as CSV; the section has the command that makes it again."""
    monkeypatch.setattr("houle.reports.context.load_effort", lambda name, game: TINY)
    out = tmp_path / "out"
    with sketched():
        page = good("report", "wave", "-p", "3", "-v", "base", "--only", "rules-of-thumb", "-j", "1", "-o", str(out))
    assert page.startswith("Rules of thumb that win games\nWith three surfers (base game), ")
    assert {path.name for path in out.rglob("*.csv")} == {"rules-of-thumb.csv"}
    (part,) = json.loads((out / "data.json").read_text())["parts"]
    (section,) = part["sections"]
    assert section["repeat"] == ["houle report wave -p 3 -v base --seed 1 --only rules-of-thumb"]


def test_the_report_of_a_study(tmp_path: Path) -> None:
    spec = tmp_path / "study.toml"
    spec.write_text(
        'name = "Cards in front"\nseed = 1\ngames = 200\n'
        '[[grid]]\ngame = "wave"\nplayers = [2, 3]\nvariants = ["base", "nazare"]\nstrategies = ["random"]\n'
        '[[grid]]\ngame = "land-unter"\nplayers = [3]\nstrategies = ["random"]\n'
    )
    good("study", "run", str(spec), "-o", str(tmp_path / "study"), "-j", "1", "-q")
    page = good("report", str(tmp_path / "study"), "-o", str(tmp_path / "out"))
    assert page.strip() == str(tmp_path / "out" / "index.html")
    data = json.loads((tmp_path / "out" / "data.json").read_text())
    sections = data["parts"][0]["sections"]
    tables = {
        block["name"]: block
        for section in sections
        for block in every_block(section["blocks"])
        if block["kind"] == "table"
    }
    assert len(tables["difficulty-wave"]["rows"]) == 4
    assert len(tables["difficulty-land-unter"]["rows"]) == 1
    text = (tmp_path / "out" / "index.html").read_text()
    assert "Cards in front" in text
    assert "the hardest setup is" in text


def test_demo_writes_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First numbers, the report and what to try next; here with few games and without compiling."""
    monkeypatch.setattr(warm, "is_warm", lambda game: False)
    monkeypatch.setattr(waiting, "patient", lambda command: [sys.executable, "-c", ""])
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setattr(demo, "GAMES", 60)
    whole, page = demo.write_game, tmp_path / "folder" / "index.html"
    monkeypatch.setattr(demo, "write_game", lambda asked, folder, **run: whole(asked, folder, **run | {"effort": TINY}))
    with sketched(), only_sections("verdict", "difficulty", "appendix", "mistakes"):
        printed = good("demo", "-o", str(page.parent))
    lines = " ".join(printed.split())
    assert re.search(r"rules of thumb only win \d+% .* of 20 games.* Families win .* of 60 games", lines)
    assert f"saved {page}" in printed
    assert page.resolve().as_uri() in printed
    assert "WAVE" in page.read_text(encoding="utf-8")
    named = [line.split()[1] for line in printed.partition("What to try next:")[2].splitlines() if line.strip()]
    assert named == ["play", "studio", "report"]
    assert (page.parent / "tables" / "difficulty.csv").exists()
