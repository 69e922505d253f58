"""`houle advise`: ranked moves, a verdict, reasons, and the same from text, file and game."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.support.call import call, good

pytestmark = pytest.mark.compiled

HERE = ("advise", "wave", "--from", "7/3/5", "--worlds", "60")


def test_a_page_of_advice(tmp_path: Path) -> None:
    page = good(*HERE)
    assert page.startswith("WAVE, 3 players, base game; seat 2 is to move\n\nBest: ")
    assert "Hidden cards imagined 60 times" in " ".join(page.split())
    assert re.search(r"^1  play (the card @\d|\w+ \d) +\d+% \(\d+ to \d+\)", page, re.MULTILINE)
    assert "Why rather than " in page
    assert "is stuck" in page
    file = tmp_path / "here.txt"
    good("trace", "wave", "--seed", "7", "--game", "3", "--at", "5", "-o", str(file))
    assert good("advise", "wave", "--position", str(file), "--worlds", "60") == page


def test_json_files_and_figure(tmp_path: Path) -> None:
    table, figure = tmp_path / "advice.csv", tmp_path / "advice.svg"
    data = json.loads(good(*HERE, "--json", "-o", str(table), "-o", str(figure)))
    assert data["worlds"] == 60
    assert data["best"] == data["moves"][0]["move"]
    assert set(data["moves"][0]["win"]) == {"value", "low", "high", "n"}
    assert data["why"]["reasons"]
    assert len(table.read_text().splitlines()) == 1 + len(data["moves"])
    assert "<svg" in figure.read_text()


@pytest.mark.quick
def test_bad_position_is_one_line() -> None:
    result = call("advise", "wave", "--position", "top: white 9")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert result.stderr.startswith("houle: position: seat: this line is missing")
