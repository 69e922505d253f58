"""`houle try`: a class in plain Python from the command line."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.support.call import call, good, interrupted
from tests.support.toys import last_trick

pytestmark = pytest.mark.quick

TOY = str(Path(last_trick.__file__))


def test_page_matches_simulate_and_repeats() -> None:
    page = good("try", TOY, "-p", "2", "-n", "30", "-s", "random")
    assert "last_trick in plain Python, 2 players, everyone plays random" in page
    assert "side    seats  wins" in page
    again = shlex.split(page[page.index("houle try") :])
    assert json.loads(good(*again[1:], "--json"))["result_digest"] in page


def test_variants_are_compared() -> None:
    page = good("try", TOY, "-p", "2", "-n", "20", "-s", "random", "-s", "thumb", "--set", "hand=2,3")
    assert "4 variants on the same deals" in page
    assert "difference from random, hand=2" in page
    words = shlex.split(page[page.index("houle try") :])
    assert json.loads(good(*words[1:], "--json"))["result_digest"] in page


def test_one_game_is_printed() -> None:
    page = good("try", TOY, "-p", "3", "--trace", "--seed", "4")
    assert page.count("seat ") >= 9
    assert "instead of: " in page
    assert "     hands [[" in page


def test_errors_are_one_line(tmp_path: Path) -> None:
    for words, said in (
        ([str(tmp_path / "none.py")], "no such file"),
        ([str(tmp_path)], "ends in .py"),
        ([TOY, "-s", "ismcts:20"], "not possible in plain Python; allowed: random, thumb, flat:N"),
        ([TOY, "-s", "thumb,random"], "one for each of 3 players"),
        ([f"{TOY}:Gam"], "did you mean 'Game'"),
        ([TOY, "-p", "8"], "IndexError"),
    ):
        result = call("try", *words)
        assert result.exit_code == 2
        assert said in result.stderr
        assert result.stderr.count("\n") == 1


@pytest.mark.compiled
def test_ctrl_c_keeps_what_was_played() -> None:
    stopped = interrupted("try", TOY, "-p", "2", "-n", "1e6", "--json")
    assert stopped.returncode == 130, stopped.stderr
    part = json.loads(stopped.stdout)
    assert 0 < part["games"] < 10**6
    assert f"{part['games']:,} of 1,000,000 are counted" in stopped.stderr
