"""`houle decisions`, `skill` and `ablate`: pages, JSON, files, figures, repeats, and one line for every error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.call import call, good

pytestmark = pytest.mark.compiled

DECISIONS = ("decisions", "wave", "-p", "3", "-s", "flat:20", "-n", "2", "--seed", "34")  # short games
SKILL = ("skill", "wave", "-p", "3", "-s", "random,thumb", "-n", "40", "--search-games", "8", "--replays", "2")
ABLATE = ("ablate", "wave", "-p", "3", "-n", "50", "--never", "reverse,swap", "--without", "awkward")


def repeated(page: str) -> list[str]:
    """The words of the command that a page says repeats it."""
    line = next(line for line in page.splitlines() if line.startswith("repeat"))
    return line.split()[2:]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where each command has written its table and its figure."""
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="module")
def pages(folder: Path) -> dict[str, str]:
    """The page of each command."""
    return {words[0]: good(*words, "-o", str(folder / f"{words[0]}.csv"), "--figure", str(folder / f"{words[0]}.png"))
            for words in (DECISIONS, SKILL, ABLATE)}  # fmt: skip


@pytest.mark.parametrize("command", ["decisions", "skill", "ablate"])
def test_page_json_files_and_figure_agree(command: str, pages: dict[str, str], folder: Path) -> None:
    import pandas as pd

    parquet = folder / f"{command}.parquet"
    data = json.loads(good(*repeated(pages[command]), "--json", "-o", str(parquet)))
    assert data["result_digest"] in pages[command]
    table = pd.read_csv(folder / f"{command}.csv")
    assert set(table["result_digest"]) == {data["result_digest"]}
    assert len(pd.read_parquet(parquet)) == len(table)
    assert (folder / f"{command}.png").read_bytes().startswith(b"\x89PNG")


def test_the_page_of_decisions(pages: dict[str, str]) -> None:
    page = pages["decisions"]
    assert "thumb plays, flat:20 judges" in page
    assert "share of choices that matter" in page
    assert "90 to 100%" in page
    assert "seat 3" in page
    assert "seat 0" not in page
    assert "2 games" in good(*DECISIONS, "--dry-run")
    plan = good("decisions", "wave", "-p", "3", "--dry-run")
    assert "flat:200 judges" in plan
    assert "40 games, about" in plan


def test_the_page_of_skill(pages: dict[str, str]) -> None:
    planned = good(*SKILL, "--dry-run")
    assert "relative skill: 8 deals, 24 games" in planned
    assert "games, about" in planned
    page = pages["skill"]
    assert "relative" in page
    assert "the most that is possible" in page
    assert "missing  the player's part: not measured" in page
    assert "clairvoyant sees every hand" in page
    rivals = good("skill", "vague-verte", "-p", "3", "-s", "random,thumb", "-n", "20", "--replays", "2")
    assert "it is not known how much the best play could win" in rivals
    assert "thumb, random, random play, in each seat in turn" in rivals
    assert "who plays" in rivals


def test_too_few_deals_are_reported() -> None:
    page = good("skill", "wave", "-p", "3", "-s", "random,thumb,flat:20", "-n", "100", "--search-games", "8")
    line = next(line for line in page.splitlines() if line.startswith("flat:20, twice"))
    assert int(line.split()[-1].replace(",", "")) > 8  # deals to know it


def test_page_of_ablate(pages: dict[str, str]) -> None:
    page = pages["ablate"]
    assert "everyone plays thumb; the whole team is restricted" in page
    assert "never swap: never came up: changed nothing in 50 deals" in page
    assert "Get rid of cards that fit on few others" in page
    assert "certain: also when all 2 are judged together" in page
    assert [line.split()[-1] for line in page.splitlines() if "certain" in line][:1] == ["made"]  # a column
    rivals = good("ablate", "land-unter", "-p", "3", "-n", "20", "--never", "high")
    assert "in each seat in turn" in rivals


@pytest.mark.quick
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
