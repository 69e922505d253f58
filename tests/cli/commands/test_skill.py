"""`houle decisions`, `skill` and `ablate`: pages, JSON, files, figures, repeats, and one line for every error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.call import call, good

DECISIONS = ("decisions", "wave", "-p", "3", "-s", "flat:20", "-n", "4", "--seed", "2")
SKILL = ("skill", "wave", "-p", "3", "-s", "random,thumb", "-n", "40", "--search-games", "8", "--replays", "2")
ABLATE = ("ablate", "wave", "-p", "3", "-n", "50", "--never", "reverse,swap", "--without", "awkward")


def repeated(page: str) -> list[str]:
    """The words of the command that a page says repeats it."""
    line = next(line for line in page.splitlines() if line.startswith("repeat"))
    return line.split()[2:]


@pytest.mark.parametrize("words", [DECISIONS, SKILL, ABLATE], ids=lambda words: words[0])
def test_page_json_files_and_figure_say_the_same(words: tuple[str, ...], tmp_path: Path) -> None:
    import pandas as pd

    data = json.loads(good(*words, "--json"))
    table, picture = tmp_path / "result.csv", tmp_path / "result.png"
    page = good(*words, "-o", str(table), "--figure", str(picture))
    assert data["result_digest"] in page
    assert set(pd.read_csv(table)["result_digest"]) == {data["result_digest"]}
    assert picture.read_bytes().startswith(b"\x89PNG")
    again = json.loads(good(*repeated(page), "--json"))
    assert again["result_digest"] == data["result_digest"]
    parquet = tmp_path / "result.parquet"
    good(*words, "-q", "-o", str(parquet), "--figure", str(tmp_path / "result.svg"))
    assert len(pd.read_parquet(parquet)) == len(pd.read_csv(table))
    assert "<svg" in (tmp_path / "result.svg").read_text()


def test_the_page_of_decisions() -> None:
    page = good(*DECISIONS)
    assert "thumb plays, flat:20 judges" in page
    assert "share of choices that matter" in page
    assert "90 to 100%" in page
    assert "seat 3" in page
    assert "seat 0" not in page
    assert "4 games" in good(*DECISIONS, "--dry-run")
    plan = good("decisions", "wave", "-p", "3", "--dry-run")  # judged in fewer worlds than would be played
    assert "flat:200 judges" in plan
    assert "40 games, about" in plan


def test_the_page_of_skill() -> None:
    page = good(*SKILL)
    assert "relative" in page
    assert "the most that is possible" in page
    assert "missing  the player's part: not measured" in page
    assert "clairvoyant sees every hand" in page
    rivals = good("skill", "vague-verte", "-p", "3", "-s", "random,thumb", "-n", "20", "--replays", "2")
    assert "it is not known how much the best play could win" in rivals
    assert "thumb, random, random play, in each seat in turn" in rivals
    assert "who plays" in rivals


def test_too_few_deals_are_reported() -> None:
    page = good("skill", "wave", "-p", "3", "-s", "random,thumb,flat:20", "-n", "300", "--search-games", "8")
    line = next(line for line in page.splitlines() if line.startswith("flat:20, twice"))
    assert "unknown; needs about" in line
    assert "(flat:20, twice: not known yet)" in " ".join(page.split())


def test_page_of_ablate() -> None:
    page = good(*ABLATE)
    assert "everyone plays thumb; the whole team is restricted" in page
    assert "never swap: never came up: changed nothing in 50 deals" in page
    assert "Get rid of cards that fit on few others" in page
    assert "certain: although 2 restrictions were looked at" in page
    assert [line.split()[-1] for line in page.splitlines() if "certain" in line][:1] == ["made"]  # a column
    rivals = good("ablate", "land-unter", "-p", "3", "-n", "20", "--never", "high")
    assert "in each seat in turn" in rivals


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("decisions wave -s thumb", "'thumb' cannot judge moves; allowed: flat:N"),
        ("decisions wave -s flat:4", "allowed: flat:20 or more"),
        ("decisions wave --least 70", "70.0 is not in the range"),
        ("decisions wave -o result.xls", ".json, .csv, .parquet"),
        ("decisions wave --figure result.gif", "--figure: result.gif"),
        ("skill wave -s random,clairvoyant", "clairvoyant is a bound, not a player"),
        ("skill wave -s random,thumb --line-up thumb,random,random", "all players are one side"),
        ("skill vague-verte -s random,thumb --line-up thumb", "line-up: 1 for 3 players"),
        ("skill wave --replays 1", "--replays: '1' is not allowed"),
        ("ablate wave -s random", "'random' has nothing to leave out"),
        ("ablate wave --never swop", "did you mean 'swap'?"),
        ("ablate wave --without luck", "no rule of thumb 'luck'"),
    ],
)
def test_errors_are_one_line(words: str, part: str) -> None:
    result = call(*words.split())
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert part in result.stderr
