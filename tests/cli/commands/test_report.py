"""`houle report` as users call it: faults in one line, Ctrl-C without leftovers, the report of a study."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from houle.cli.framework.progress import SectionsProgress
from houle.cli.framework.streams import Interrupted
from houle.reports.blocks import every_block
from tests.support.call import good, interrupted
from tests.support.made_reports import TINY, only_sections, sketched

pytestmark = pytest.mark.quick


@pytest.mark.compiled
def test_report_of_one_setup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sections and figures have tests of their own; here the command makes those that it names."""
    monkeypatch.setattr("houle.reports.context.load_effort", lambda name, game: TINY)
    out = tmp_path / "out"
    words = ("report", "wave", "-p", "2", "-v", "base", "--effort", "deep", "--seed", "3", "-j", "1", "-o", str(out))
    with sketched(), only_sections("verdict", "difficulty", "appendix"):
        line = good(*words)
    assert line.startswith("With two surfers")  # the verdict, then where the page is
    assert str(out / "index.html") in line
    data = json.loads((out / "data.json").read_text())
    assert data["facts"]["seed"] == "3"
    appendix = next(section for section in data["parts"][0]["sections"] if section["name"] == "appendix")
    blocks = [block for block in every_block(appendix["blocks"]) if block["kind"] == "commands"]
    commands = [line for block in blocks for line in block["lines"]]
    assert commands[0] == "houle report wave -p 2 -v base --effort deep --seed 3"
    assert any(line.startswith("houle difficulty wave -p 2 ") for line in commands)


@pytest.mark.compiled
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


@pytest.mark.compiled
def test_interrupted_report_leaves_nothing(tmp_path: Path) -> None:
    stopped = interrupted("report", "wave", "--effort", "deep", "-j", "1", "-o", str(tmp_path / "out"))
    assert (stopped.returncode, stopped.stdout) == (130, ""), stopped.stderr
    assert "interrupted" in stopped.stderr
    assert list(tmp_path.iterdir()) == []


def test_progress_stops_at_once() -> None:
    with SectionsProgress(silent=True) as course:
        course("difficulty", 1, 14, 0.1, 2.0)
        with pytest.raises(Interrupted):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(Interrupted):  # also if a library has swallowed the first exception
            course("difficulty", 1, 14, 0.2, 3.0)


@pytest.mark.compiled
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
    tables = {block["name"]: block for section in sections for block in every_block(section["blocks"])
              if block["kind"] == "table"}  # fmt: skip
    assert len(tables["difficulty-wave"]["rows"]) == 4
    assert len(tables["difficulty-land-unter"]["rows"]) == 1
    text = (tmp_path / "out" / "index.html").read_text()
    assert "Cards in front" in text
    assert "the hardest setup is" in text
