"""`houle position`: what a seat knows, written and read again."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.support.call import call, good

pytestmark = pytest.mark.compiled


def test_a_position_of_a_game_and_back(tmp_path: Path) -> None:
    file = tmp_path / "here.txt"
    page = good("position", "wave", "-v", "nazare", "--from", "7/3/5", "-o", str(file))
    assert file.read_text() == page
    assert "luck: 7/3/5\n" in page
    assert page.count(" play ") + page.count(" point ") == 5
    assert good("position", "wave", "--position", str(file)) == page
    data = json.loads(good("position", "wave", "--position", str(file), "--json"))
    assert tomllib.loads(good("position", "wave", "--position", str(file), "--toml")) == data
    assert data["variants"] == "nazare"
    assert len(data["moves"]) == 5
    assert "moves" not in good("position", "wave", "--from", "7/3/5", "--no-moves")


def test_hidden_cards_are_not_written() -> None:
    """Seat 1 sees neither the front cards of the others nor a word of the pile."""
    page = good("position", "wave", "--from", "7/3/2")
    assert "seat 2 front: ?, ?, ?\n" in page
    assert "pile: 18\n" in page


def test_errors_are_one_line() -> None:
    for words, fault in (
        (["--from", "7/3"], "--from: '7/3' is not allowed; allowed: SEED/GAME/PLY in whole numbers, as 7/3/12"),
        (["--from", "7/3/99"], "position: game 3 of seed 7 is over after"),
        ([], "position: give either --from SEED/GAME/PLY or --position FILE|-|TEXT"),
        (["--position", "nowhere.txt"], "nowhere.txt: No such file or directory; nor is it the text of a position"),
        (["--position", "seat: 9"], "position: seat: '9' is not allowed"),
        (
            ["-v", "virage", "--position", "variants: nazare"],
            "position: variants: this text is for nazare, the setup has virage",
        ),
    ):
        result = call("position", "wave", *words)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"houle: {fault}")
        assert result.stderr.count("\n") == 1
