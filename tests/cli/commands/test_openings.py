"""`houle openings` and `houle balance`: pages, JSON, files, figures, errors."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from tests.support.call import call, good

pytestmark = pytest.mark.compiled

WISH = "top: white 3; seat 1: navy 4, red 1"


def test_a_page_for_people_and_json_for_programs() -> None:
    words = ("openings", "wave", "-p", "3", "-n", "500", "--seed", "4")
    page = good(*words)
    assert "cards of the first surfer that beat the start card" in page
    assert "repeat   houle openings wave -p 3 -s thumb -n 500 --seed 4" in page
    result = json.loads(good(*words, "--json"))
    assert result["result_digest"] in page
    assert result["games"] == 500
    level = result["facts"][0]["levels"][0]
    assert {"level", "n", "games", "win", "win_more", "score", "score_more", "stands", "fresh"} == set(level)
    assert {"value", "low", "high", "n"} == set(level["win"])
    assert "Less important facts" in page
    assert "Less important facts" not in good(*words, "--all")


def test_land_unter_rates_every_weather_card(tmp_path: Path) -> None:
    data = tmp_path / "data.json"
    page = good("openings", "land-unter", "-n", "100", "-o", str(data))
    assert "worth of each weather card" in page
    assert "variance of points within a round: pack" in page
    result = json.loads(data.read_text())
    assert [each["card"] for each in result["rotating_hands"]["card_values"]] == list(range(1, 61))


@pytest.mark.quick
def test_land_unter_refuses_players_that_search() -> None:
    result = call("openings", "land-unter", "-n", "2", "-s", "flat:2")
    assert result.exit_code == 2
    assert "not available for players that think ahead" in result.stderr


def test_sea_change_says_one_round_is_played() -> None:
    assert "one round is played" in good("openings", "sea-change", "-n", "200")


def test_chosen_deal_of_sea_change_plays_one_round() -> None:
    """The wish arranges the first round: the result is that of a game to one victory point, and the page says so."""
    words = ("openings", "sea-change", "-n", "300", "--deal", "seat 1: yellow 9, blue 9", "-s", "random")
    page = good(*words)
    assert "one round is played" in page
    result, once = (json.loads(good(*words, *more, "--json")) for more in ((), ("--set", "target=1")))
    assert result["remark"]
    assert result["options"]["target"] == 1
    assert result["sides"] == once["sides"]
    assert json.loads(good("openings", "wave", "-n", "50", "--deal", WISH, "--json"))["remark"] is None


def test_impossible_deals_name_the_problem() -> None:
    for words, fault in (
        (("wave", "--deal", "top:"), "as `top: "),
        (("sea-change", "-p", "3", "--deal", "seat 1: red 4"), "red is not in play with 3 players"),
        (("sea-change", "--set", "deck.colours=3", "--deal", "seat 1: red 4"), "not in play: deck.colours=3"),
    ):
        result = call("openings", *words)
        assert result.exit_code == 2
        assert fault in result.stderr
        assert "white 0" not in result.stderr


@pytest.mark.parametrize("words", [("openings",), ("openings", "--deal", WISH), ("balance",)])
def test_files_and_figures(words: tuple[str, ...], tmp_path: Path) -> None:
    command = (words[0], "wave", *words[1:], "-n", "200")
    table, columns, data, picture = (
        tmp_path / name for name in ("result.csv", "result.parquet", "result.json", "picture.png")
    )
    good(*command, "-o", str(table), "--figure", str(picture))
    assert picture.stat().st_size > 5000
    for out in (columns, data):
        good(*command, "-o", str(out))
    assert len(pd.read_parquet(columns)) == len(pd.read_csv(table)) > 0
    assert "result_digest" in json.loads(data.read_text())


def test_a_start_typed_in_or_from_a_file(tmp_path: Path) -> None:
    page = good("openings", "wave", "-n", "300", "--deal", WISH)
    assert "random deal" in page
    assert f"--deal '{WISH}'" in page
    file = tmp_path / "start.txt"
    file.write_text("# my start\ntop: white 3\nseat 1: navy 4, red 1\n", encoding="utf-8")
    result = json.loads(good("openings", "wave", "-n", "300", "--deal", str(file), "--json"))
    assert result["result_digest"] in page
    assert result["opening"] == WISH


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--deal", "top: purple 3"), "unknown card 'purple 3'"),
        (("--deal", "hand: white 3"), "unknown place 'hand'"),
        (("--deal", "top: white 3; seat 2: white 3"), "named 2 times"),
        (("--deal", "top: white 3; seat 0: red 1"), "opening: seat 0: seats count from 1"),
        (("--deal", "seat 4: red 1"), "unknown place 'seat 4'"),
        (("--deal", "nowhere.txt"), "neither a readable file"),
        (("--figure", "picture.bmp"), "--figure: picture.bmp"),
        (("-o", "result.xls"), "-o: result.xls"),
        (("-n", "1"), "a whole number from 2"),
    ],
)
def test_errors_are_one_line(words: tuple[str, ...], fault: str) -> None:
    result = call("openings", "wave", *words)
    assert result.exit_code == 2
    assert fault in result.stderr
    assert result.stderr.count("\n") == 1


def test_balance_says_what_it_cannot_measure() -> None:
    page = good("balance", "vague-verte", "-p", "3", "-n", "600", "--seed", "4")
    said = " ".join(page.split())
    assert "The seat matters: between players who follow every rule of thumb seat 1 wins" in said
    assert "chi-square" in page
    assert "times the lead changes hands" in page
    wave = good("balance", "wave", "-n", "200")
    assert "WAVE has no lead" in wave
    assert "times the lead changes hands" not in wave
    result = json.loads(good("balance", "land-unter", "-p", "4", "-n", "200", "--json"))
    assert result["even"]["freedom"] == 3
    assert result["measures"]["comebacks"]["n"] <= 200
    assert len(result["sides"]) == 4


def test_different_players_are_no_test_of_seats() -> None:
    page = good("balance", "vague-verte", "-p", "2", "-n", "400", "-s", "thumb,random")
    assert "The seats or their players make a difference" in " ".join(page.split())


def test_places_by_the_name_of_the_deck() -> None:
    words = ("openings", "vague-attaque", "-n", "20", "-s", "random", "--deal")
    named = json.loads(good(*words, "seat 1: lighthouse (a)", "--json"))
    assert named["sides"] == json.loads(good(*words, "seat 1: place 1a", "--json"))["sides"]
    assert call(*words, "seat 1: lighthouse").exit_code == 2
    alone = json.loads(good(*words, "seat 1: lighthouse", "-p", "2", "--json"))
    assert alone["sides"] == json.loads(good(*words, "seat 1: place 1", "-p", "2", "--json"))["sides"]
    result = call(*words, "seat 1: lighthouse (b)", "-p", "2")
    assert "places have no second copy with two players" in result.stderr
