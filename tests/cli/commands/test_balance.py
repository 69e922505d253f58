"""`houle balance`: its page, JSON, files, figures, errors."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from tests.support.call import good

pytestmark = pytest.mark.compiled


def test_a_page_for_people_and_json_for_programs() -> None:
    words = ("balance", "wave", "-p", "3", "-n", "3000", "--seed", "4")
    page = good(*words)
    answers, numbers = page.index("The most dangerous card"), page.index("how games go")
    assert answers < page.index("What the deal decides") < numbers
    assert "cards of the first surfer that beat the start card" in page
    assert "repeat   houle balance wave -p 3 -n 3000 --seed 4" in page
    result = json.loads(good(*words, "--json"))
    assert result["result_digest"] in page
    assert result["games"] == 3000
    level = result["openings"]["facts"][0]["levels"][0]
    assert {"level", "n", "games", "win", "win_more", "score", "score_more", "fresh", "named"} == set(level)
    assert {"value", "low", "high", "n"} == set(level["win"])
    assert result["endings"]["lost"] == sum(int(turns != "33") * games for turns, games in result["lengths"].items())


def test_sea_change_says_one_round_is_played() -> None:
    page = " ".join(good("balance", "sea-change", "-n", "200").split())
    assert "one round is played" in page


@pytest.mark.parametrize("game", ["wave", "land-unter"])
def test_files_and_figures(game: str, tmp_path: Path) -> None:
    command = ("balance", game, "-n", "200")
    table, columns, data, picture = (
        tmp_path / name for name in ("result.csv", "result.parquet", "result.json", "picture.png")
    )
    good(*command, *(word for out in (table, columns, data, picture) for word in ("-o", str(out))))
    assert picture.stat().st_size > 5000
    rows = pd.read_csv(table)
    assert len(pd.read_parquet(columns)) == len(rows) > 0
    parts = {"seats", "course", "ends", "openings"} | ({"endings"} if game == "wave" else set())
    assert set(rows["part"]) == parts
    assert "result_digest" in json.loads(data.read_text())


def test_balance_says_what_it_cannot_measure() -> None:
    page = good("balance", "vague-verte", "-p", "3", "-s", "thumb", "-n", "600", "--seed", "4")
    said = " ".join(page.split())
    assert "The seats are not fair: between players who follow every rule of thumb seat 1 wins" in said
    assert "The largest difference of two is that of seat 1 and seat 3" in said
    assert "times the lead changes hands" in page
    wave = good("balance", "wave", "-n", "200")
    assert "WAVE has no lead" in wave
    assert "times the lead changes hands" not in wave
    result = json.loads(good("balance", "land-unter", "-p", "4", "-s", "thumb", "-n", "200", "--json"))
    assert result["gap"]["verdict"] == "unknown"
    assert result["measures"]["comebacks"]["n"] <= 200
    assert len(result["sides"]) == 4
    assert result["endings"] is None


def test_different_players_are_no_test_of_seats() -> None:
    page = good("balance", "vague-verte", "-p", "2", "-n", "400", "-s", "thumb,random")
    assert "The seats or their players make a difference" in " ".join(page.split())
