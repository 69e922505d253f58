"""`houle calibrate`: the level of a group from its results, as page, JSON, file and figure."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from tests.cli.commands.test_skill import repeated
from tests.support.call import call, good

pytestmark = pytest.mark.quick


@pytest.fixture
def results(tmp_path: Path) -> Path:
    file = tmp_path / "results.csv"
    file.write_text("players,result,variant\n" + "3,win,\n" * 12 + "3,loss,base\n" * 68)
    return file


@pytest.mark.compiled
def test_page_names_level_and_repeats(results: Path, tmp_path: Path) -> None:
    table, picture = tmp_path / "level.csv", tmp_path / "level.png"
    page = good(
        "calibrate",
        "wave",
        "--set",
        "talk=known",
        str(results),
        "-n",
        "100",
        "-o",
        str(table),
        "--figure",
        str(picture),
    )
    assert "80 results of people" in page
    assert "imagined deals where a move is unsure" in " ".join(page.split())
    data = json.loads(good(*repeated(page), "--json"))
    assert data["result_digest"] in page
    assert data["level"]["low"] < 1 < data["level"]["high"]
    assert len(data["points"]) == 20
    assert set(pd.read_csv(table)["result_digest"]) == {data["result_digest"]}
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_bad_result_names_its_line(results: Path) -> None:
    results.write_text(results.read_text() + "3,perhaps,\n")
    result = call("calibrate", "wave", str(results))
    assert result.exit_code == 2
    assert f"{results}: line 82: result: 'perhaps' is not allowed" in result.stderr


def test_missing_file_is_one_line() -> None:
    for words, part in (
        (("nowhere.csv",), "nowhere.csv: No such file or directory"),
        ((), "Missing argument 'RESULTS'"),
    ):
        result = call("calibrate", "wave", *words)
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert part in result.stderr


RECORD = "game: wave\nplayers: 3\ndeal: 7/3\nmove 1: seat 9 point 5\n"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("game.txt",), "game.txt: move 1: 'seat 9 point 5'"),
        (("land-unter", "game.txt"), "game.txt: game: this text is for wave, not for land-unter"),
        (("wave", "results.csv", "results.csv"), "results.csv: a second table of results; allowed: one CSV file"),
        (("game.txt", "--seats", "one"), "--seats: 'one' is not allowed; allowed: seats from 1, as in 1+2"),
        (("game.txt", "nowhere.txt"), "nowhere.txt: No such file or directory"),
    ],
)
@pytest.mark.usefixtures("results")
def test_bad_records_are_one_line(
    words: tuple[str, ...], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.txt").write_text(RECORD)
    result = call("calibrate", *words)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert complaint in result.stderr


def test_dry_run_of_records_plays_no_games(tmp_path: Path) -> None:
    game = tmp_path / "game.txt"
    game.write_text("game: wave\nplayers: 3\ndeal: 7/3\nbroken off: yes\nmove 1: seat 2 point none\n")
    assert "0 games" in good("calibrate", str(game), "--dry-run")
