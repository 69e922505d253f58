"""Every number of the README and the guides is generated, tested or listed in docs/data/quoted.csv with its source.

A measured number has its n, seed, day, version and command there; a default or an example has only its kind.
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import click
import pytest

from tests.docs.test_commands import read_command
from tools.people import pairs
from tools.people.games import HANABI
from tools.people.variants import read_variants
from tools.rows import read_rows

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
DATA = ROOT / "docs" / "data"
FOLDERS = (ROOT / "docs" / "guides", ROOT / "docs" / "start")
PAGES = [ROOT / "README.md", *(page for folder in FOLDERS for page in sorted(folder.glob("*.md")))]
KINDS = ("measured", "setting", "example")  # a setting is a default or a limit of the program
TITLES = "*"  # the page of rows with titles of pages, which any page may name
ELSEWHERE = {"docs/guides/own-game.md"}  # tests/examples/test_tutorial.py plays what its output blocks show
# `make pages` writes what is between these comments, and tests/docs/test_pages.py compares it.
GENERATED = re.compile(r"<!-- (\w+) -->.*?<!-- /\1 -->", re.DOTALL)
BLOCK = re.compile(r"```(?!text)\w*\n.*?```", re.DOTALL)  # blocks of output stay
CODE = re.compile(r"`[^`\n]*`|\]\([^)]*\)")
UNITS = "%|points?|s|ms|seconds?|minutes?|hours?|games|deals|worlds|people|comparisons|times|results|more games"
DIGITS = r"\d(?:[\d,.]*\d)?"
NUMBER = re.compile(rf"{DIGITS}(?: ?(?:{UNITS})(?![\w-])| (?:to|of|and) {DIGITS}%?)")


def rows() -> list[dict[str, str]]:
    with (DATA / "quoted.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def words_of(page: Path) -> str:
    """The page without code and generated parts, on one line."""
    text = GENERATED.sub("", page.read_text(encoding="utf-8"))
    text = BLOCK.sub("", text).replace("```", " ")
    return " ".join(CODE.sub(" ", text).split())


def unlisted(text: str, quotes: list[str]) -> Iterator[str]:
    """The numbers of a text that are in none of the quotes."""
    known = [(found.start(), found.end()) for quote in quotes for found in re.finditer(re.escape(quote), text)]
    for number in NUMBER.finditer(text):
        if not any(start <= number.start() and number.end() <= end for start, end in known):
            yield text[max(0, number.start() - 30) : number.end() + 10]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_numbers_are_listed_with_their_source(page: Path) -> None:
    name = str(page.relative_to(ROOT))
    if name in ELSEWHERE:
        pytest.skip("its output is played by another test")
    own = [row["text"] for row in rows() if row["page"] == name]
    titles = [row["text"] for row in rows() if row["page"] == TITLES]
    text = words_of(page)
    assert [quote for quote in own if quote not in text] == [], "changed by hand? measure again, then list it"
    assert list(unlisted(text, [*own, *titles])) == [], "list it in docs/data/quoted.csv"


def test_measured_numbers_can_be_played_again() -> None:
    for row in rows():
        assert row["kind"] in KINDS, row
        assert row["page"] == TITLES or (ROOT / row["page"]).exists(), row
        if row["kind"] == "measured":
            assert int(row["n"]) > 0, row
            assert row["seed"], row
            assert date.fromisoformat(row["played"]), row
            assert row["command"].startswith(("houle ", "make ", "python -m ")), row


def test_pages_name_earlier_versions_of_their_numbers() -> None:
    """Numbers of an earlier version may stay if the page says so."""
    now = version(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])
    earlier = [row for row in rows() if row["kind"] == "measured" and version(row["version"]) < now]
    silent = [row["text"] for row in earlier if row["version"] not in (ROOT / row["page"]).read_text(encoding="utf-8")]
    assert silent == []


def version(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def test_played_rows_have_their_source() -> None:
    """The rows that generated parts of the README and of the pages of games come from."""
    for path in (DATA / "results.csv", DATA / "strength.csv", *(DATA / "almanac").glob("*.csv")):
        with path.open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                assert row["seed"], row
                assert int(row.get("n") or row.get("games") or row["deals"]) > 0, row
                assert date.fromisoformat(row["played"]), row
                assert version(row["version"]), row
                assert row["command"].startswith("houle "), row


def test_rows_have_commands_of_today() -> None:
    """But rows of 0.4.0, whose options have gone: docs/start/from-0-4.md."""
    for path in (DATA / "results.csv", DATA / "strength.csv", *(DATA / "almanac").glob("*.csv")):
        for row in read_rows(path):
            if version(row["version"]) > version("0.4.0"):
                read_command(row["command"])
    with pytest.raises(click.NoSuchOption):
        read_command("houle strength wave -p 2 -s thumb,flat:20 -n 2000 --search-games 2000")


def test_labels_of_the_readme_are_counted() -> None:
    with (DATA / "labels.csv").open(encoding="utf-8") as file:
        played = [row for row in csv.DictReader(file) if row["label"] in ("easy", "expert")]
    right = sum(float(row["low"]) > 0 if row["label"] == "easy" else float(row["high"]) < 0 for row in played)
    assert f"{right} of {len(played)} comparisons" in words_of(ROOT / "README.md")


def test_pairs_of_the_readme_are_counted() -> None:
    """Thumbs and the two counts order as many pairs of variants as the README says."""
    path = HANABI / "people" / "hanabi_variants.csv"
    asked = pairs.Pairs(read_variants(path), path)
    with (DATA / pairs.FILE).open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["player"] == "thumb" and row["players"] != "5"]
    found = pairs.Values.of(rows)
    share, counts = asked.share(found.easy), asked.share(-asked.both)
    text = words_of(ROOT / "README.md")
    assert f"of {share.pairs:,} pairs of Hanabi variants" in text
    assert f"houle orders {100 * share.right:.0f}% as people do" in text
    assert f"a formula found afterwards, orders {100 * counts.right:.0f}%" in text


@pytest.mark.parametrize(
    "text", ["Families win 40% of games.", "It takes 29 s.", "3 of 4", "wins 5 more games in 100 now"]
)
def test_a_new_number_is_noticed(text: str) -> None:
    assert list(unlisted(text, ["Families win 41% of games."]))
    assert not list(unlisted(text, [text]))
