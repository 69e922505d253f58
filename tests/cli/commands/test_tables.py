"""compare, sweep, difficulty and balance: what each page and its data say besides what all commands have in common."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pandas as pd
import pytest

from tests.support.call import good

pytestmark = pytest.mark.compiled

SWEEP = "sweep wave -p 3 -p 4 --set hand.back=1..2 -s random -n 200"


def said(words: str, *more: str) -> str:
    """What a command prints, on one line."""
    return " ".join(good(words, *more).split())


@pytest.mark.parametrize("words", [
    "compare wave --set hand.back=2,3 -s random --measure score --until-sure",
    "compare sea-change --open-rules -s thumb -n 60", f"{SWEEP} --target win=0%..1%",
    "sweep wave -v base -v nazare -s random -n 50", "balance land-unter -s random -n 60",
])  # fmt: skip
def test_kinds_of_rows_have_figures_and_repeat(words: str, tmp_path: Path) -> None:
    figure = tmp_path / "figure.png"
    page = good(words, "-o", str(figure))
    assert figure.stat().st_size > 5_000
    again = shlex.split(page.splitlines()[-1])
    assert again[:2] == ["repeat", "houle"]
    assert json.loads(good(*again[2:], "--json"))["result_digest"] in page


@pytest.mark.parametrize(("words", "shown"), [
    ("compare wave -p 3 -p 4 -s random -n 100", "unpaired 4 players: other deals than 3 players"),
    ("compare wave -v virage -s random -n 100", "base game"),
    ("compare vague-verte -p 2 --set max_turns=10,20 -s thumb -n 50", "when the turn limit of 10 is reached"),
    ("balance sea-change -n 200", "one round is played"),
    ("balance vague-verte -p 2 -n 400 -s thumb,random", "The seats or their players make a difference"),
])  # fmt: skip
def test_page_says_what_limits_its_numbers(words: str, shown: str) -> None:
    assert shown in said(words)


def test_one_variant_is_compared_with_print(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text('name = "Big swell"\n[set]\nhand.front = 4\n')
    page = good("compare wave -s random --measure win -n 200", "--rules", str(file))
    assert page.startswith("Big swell: hand.front = 4, not 3 (printed)\n")
    assert "printed rules" in page
    again = shlex.split(page.splitlines()[-1])[2:]
    assert json.loads(good(*again, "--json"))["result_digest"] in page


def test_players_are_compared_within_themselves(tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    words = "compare wave --set hand.back=3 --measure win -n 300"
    players = ("-s", "family", "-s", "thumb")
    data = json.loads(good(words, *players, "--json", "-o", str(out)))
    alone = [json.loads(good(words, *one, "--json")) for one in (players[:2], players[2:])]
    assert [arm["result_digest"] for arm in data["arms"][::2]] == [one["arms"][0]["result_digest"] for one in alone]
    assert [row["against"] for row in data["rows"]] == [None, data["rows"][0]["label"], None, data["rows"][2]["label"]]
    assert len(pd.read_csv(out)) == 4
    assert good(words, *players).count("the reference") == 2


def test_targets_on_the_page() -> None:
    page = said(SWEEP, "--target", "win=0%..100%")
    for words in (
        "win=0%..100%, certainly: 4 setups",
        "win=0%..100%, outside: 0 setups",
        "on the games that picked it",
    ):
        assert words in page
    page = good(SWEEP, "-s", "thumb", "--target", "win=90%@thumb")
    assert "win=90%@thumb, outside: 4 setups" in page
    rows = [line for line in page.splitlines() if "too hard by" in line]
    assert rows[0].split()[:3] == ["3", "thumb", "2"]
    assert ", of other players: 4 setups" in page


def test_balance_answers_before_its_numbers(tmp_path: Path) -> None:
    file = tmp_path / "balance.json"
    page = good("balance wave -p 3 -s thumb -n 3000 --seed 4", "-o", str(file))
    parts = ("The most dangerous card", "What the deal decides", "how games go")
    assert [page.index(part) for part in parts] == sorted(page.index(part) for part in parts)
    assert "WAVE has no lead" in page
    assert "cards of the first surfer that beat the start card" in page
    result = json.loads(file.read_text())
    level = result["openings"]["facts"][0]["levels"][0]
    assert {"level", "n", "games", "win", "win_more", "score", "score_more", "fresh", "named"} == set(level)
    assert {"value", "low", "high", "n"} == set(level["win"])
    assert result["endings"]["lost"] == sum(int(turns != "33") * games for turns, games in result["lengths"].items())


def test_balance_compares_the_seats() -> None:
    page = said("balance vague-verte -p 3 -s thumb -n 600 --seed 4")
    assert "The seats are not fair: between players who follow every rule of thumb seat 1 wins" in page
    assert "The largest difference of two is that of seat 1 and seat 3" in page
    assert "times the lead changes hands" in page
    result = json.loads(good("balance land-unter -p 4 -s thumb -n 200 --json"))
    assert (result["gap"]["verdict"], result["endings"], len(result["sides"])) == ("unknown", None, 4)
    assert result["measures"]["comebacks"]["n"] <= 200
