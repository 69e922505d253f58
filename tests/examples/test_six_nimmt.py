"""6 nimmt!, a game with secret choices, ordered rows and rounds, without the compiler: what each seat is shown."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.examples.test_installed import ROOT, answer

sys.path.append(str(ROOT / "examples" / "games" / "six_nimmt" / "tests"))
simulator = importlib.import_module("simulator")

pytestmark = pytest.mark.quick

FOLDER = ROOT / "examples" / "games" / "six_nimmt" / "six_nimmt"


def out(plain: subprocess.Popen[str], command: str) -> str:
    result = answer(plain, ["--game-path", str(FOLDER), *command.split()])
    assert result["code"] == 0, result["err"]
    return str(result["out"])


def test_face_down_cards_are_not_told(plain: subprocess.Popen[str]) -> None:
    """In the second trick seats 1 and 2 have chosen, seat 3 is to move."""
    lines = dict(line.split(": ", 1) for line in out(plain, "trace six-nimmt -p 4 --at 6").splitlines())
    assert lines["seat 1 chosen"] == lines["seat 2 chosen"] == "1 ?"
    assert lines["moves"].split(", ")[4:] == ["seat 1 choose ?", "seat 2 choose ?"]
    assert lines["moves"].split(", ")[2] == "seat 3 choose 81"


def test_positions_with_rows_read_back(plain: subprocess.Popen[str], tmp_path: Path) -> None:
    text = str(tmp_path / "here.txt")
    written = out(plain, f"trace six-nimmt -p 4 -v round --at 38 -o {text}")
    assert "rows 3: " in written
    advice = json.loads(out(plain, f"advise six-nimmt --position {text} --worlds 1 --json"))
    lines = dict(line.split(": ", 1) for line in written.splitlines())
    moves = ", ".join(one["move"].removeprefix("choose ") for one in advice["moves"])
    assert moves == lines[f"seat {lines['seat']} hand"]


def test_traces_count_seats_once(plain: subprocess.Popen[str]) -> None:
    shown = out(plain, "trace six-nimmt -p 10 -s random -v round")
    assert all(f"hand of seat {seat}: " in shown for seat in range(1, 11))
    assert "seat 11" not in shown


@pytest.mark.compiled
@pytest.mark.parametrize("too_low", ["choice", "fewest"])
def test_random_rounds_take_as_many_heads(plain: subprocess.Popen[str], too_low: str) -> None:
    """As in a simulator without code of houle; the tests of the example play more, with every number of players."""
    words = f"simulate {FOLDER / 'plain.py'} -p 4 -v round --set too_low={too_low} -s random -n 400 --threads 1 --json"
    sides = json.loads(out(plain, words))["sides"]
    mean, error = simulator.mean_heads(4, too_low == "choice", 2_000, 5)
    ours = sum(side["score"]["value"] for side in sides) / 4
    assert abs(ours - mean) < 4.5 * error * (2_000 / 400 + 1) ** 0.5


def test_every_number_of_players_has_weights() -> None:
    text = (FOLDER / "weights.toml").read_text()
    entries = tomllib.loads(text)["player"]
    assert [entry.get("when") for entry in entries][-1] is None  # the last one is for all other numbers
    assert "--game-path" not in text
