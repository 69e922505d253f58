"""`houle players`: the page of named players, --fit and --learning with their JSON, files and figures, and faults."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from tests.cli.commands.test_skill import repeated
from tests.support.call import call, good


@pytest.fixture
def results(tmp_path: Path) -> Path:
    file = tmp_path / "results.csv"
    file.write_text("players,result,variant\n" + "3,win,\n" * 12 + "3,loss,base\n" * 68)
    return file


def test_levels_stand_among_the_players_and_say_what_they_are_not() -> None:
    page = good("players", "wave")
    for name in ("first-game = thumb[forgets=30,", "family = ", "regular = ", "expert = thumb"):
        assert name in page
    assert page.count("uncalibrated") >= 5
    for option in ("forgets", "nearsighted", "loses_count"):
        assert f"\n  {option}  In how many percent of its decisions" in page
    told = json.loads(good("players", "vague-verte", "--json"))
    assert [one["name"] for one in told["named"] if one["level"]] == ["first-game", "family", "regular", "expert"]


def test_a_fit_says_where_people_play_and_is_repeated(results: Path, tmp_path: Path) -> None:
    words = ("players", "wave", "--fit", str(results), "-n", "1000")
    table, picture = tmp_path / "fit.csv", tmp_path / "fit.png"
    page = good(*words, "-o", str(table), "--figure", str(picture))
    assert "verdict  your table plays like between family and regular" in page
    assert "80 results of people" in page
    assert "uncalibrated" in page
    found = json.loads(good(*repeated(page), "--json"))
    assert found["result_digest"] in page
    assert found["level"]["low"] < 1.5 < found["level"]["high"]
    assert set(pd.read_csv(table)["result_digest"]) == {found["result_digest"]}
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_learning_is_told_and_repeated(tmp_path: Path) -> None:
    words = ("players", "wave", "-p", "3", "--learning", "-n", "60")
    picture = tmp_path / "learning.svg"
    page = good(*words, "--figure", str(picture))
    assert "No rule: play at random." in page
    assert "at least once in 5" in page
    assert "<svg" in picture.read_text()
    found = json.loads(good(*repeated(page), "--json"))
    assert found["result_digest"] in page
    assert found["tries"]["player"] == "first-game"
    rivals = good("players", "vague-verte", "-p", "2", "--learning", "-n", "20")
    assert "one learns, all others follow every rule of thumb" in " ".join(rivals.split())


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--fit", "nowhere.csv"), "nowhere.csv: No such file or directory"),
        (("--fit", "a.csv", "--learning"), "--fit: not possible together with --learning"),
        (("--learning", "-n", "19"), "-n: '19' is not allowed; allowed: a whole number from 20"),
        (("-o", "players.csv"), "-o: without --fit or --learning there is nothing to write"),
        (("--figure", "players.png"), "--figure: without --fit or --learning there is nothing to write"),
    ],
)
def test_faults_are_one_line(words: tuple[str, ...], complaint: str) -> None:
    result = call("players", "wave", *words)
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_fault_of_the_table_names_its_line(results: Path) -> None:
    results.write_text(results.read_text() + "3,perhaps,\n")
    result = call("players", "wave", "--fit", str(results))
    assert result.exit_code == 2
    assert f"{results}: line 82: result: 'perhaps' is not allowed" in result.stderr
