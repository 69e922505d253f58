"""Reports of every game: the files, the sections, and numbers that are the same wherever they are told."""

from __future__ import annotations

import csv
import html
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from houle.cli.commands.report import write_game
from houle.cli.framework.options import Asked
from houle.reports.effort import EFFORTS, load_effort
from houle.reports.html.format import csv_rows, sentence, shown_rows
from houle.reports.html.write import DATA, PAGE
from houle.solver.ruleset import RulesetError
from tests.support.made_reports import GAMES, TINY, report_of

SECTIONS = [
    "verdict", "difficulty", "bands", "shape", "changes", "survival", "setups", "balance", "decisions", "skill",
    "assumed", "appendix", "rules-of-thumb", "shortlist", "openings", "mistakes",
]  # fmt: skip
MOST_BYTES = 5_000_000


@pytest.fixture(scope="module", params=GAMES)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], str]:
    """Folder, data, and the page's text without its tags."""
    folder = report_of(request.param, tmp_path_factory)
    page = (folder / PAGE).read_text()
    return folder, json.loads((folder / DATA).read_text()), words_of(page)


def words_of(page: str) -> str:
    body = re.sub(r"<(style|svg)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def blocks(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [block for part in data["parts"] for section in part["sections"] for block in section["blocks"]]


def test_all_is_there(made: tuple[Path, dict[str, Any], str]) -> None:
    folder, data, text = made
    names = [section["name"] for part in data["parts"] for section in part["sections"]]
    assert names == SECTIONS
    for part in data["parts"]:
        for section in part["sections"]:
            assert section["blocks"], section["name"]
            assert section["title"] in text
    assert (folder / PAGE).stat().st_size < MOST_BYTES
    figures = [block["name"] for block in blocks(data) if block["kind"] == "figure"]
    assert sorted(path.name for path in (folder / "figures").iterdir()) == sorted(
        f"{name}.{ending}" for name in figures for ending in ("png", "svg")
    )
    assert len(set(figures)) == len(figures) >= 4
    assert all(block["alt"] for block in blocks(data) if block["kind"] in ("figure", "position"))


def test_the_page_says_what_the_data_says(made: tuple[Path, dict[str, Any], str]) -> None:
    _, data, text = made
    for block in blocks(data):
        if block["kind"] in ("text", "lead", "note"):
            assert " ".join(sentence(block).split()) in text
        if block["kind"] == "list":
            assert all(" ".join(sentence(item).split()) in text for item in block["items"])
        if block["kind"] == "table":
            for row in shown_rows(block):
                shown = " ".join(f"{cell['text']} {cell['span']} {cell['word']}" for cell in row)
                assert " ".join(shown.split()) in text


def test_tables_are_the_same_in_their_files(made: tuple[Path, dict[str, Any], str]) -> None:
    folder, data, _ = made
    tables = [block for block in blocks(data) if block["kind"] == "table"]
    assert len({block["name"] for block in tables}) == len(tables)
    for block in tables:
        heads, rows = csv_rows(block)
        with (folder / "tables" / f"{block['name']}.csv").open(newline="") as file:
            found = list(csv.reader(file))
        assert found == [heads, *([("" if cell is None else str(cell)) for cell in row] for row in rows)]


def test_numbers_come_from_the_analyses(made: tuple[Path, dict[str, Any], str]) -> None:
    """Every estimate of the sentences and tables stands in the results behind some section."""
    _, data, _ = made
    known: set[float] = set()

    def collect(value: Any) -> None:
        if isinstance(value, dict):
            for one in value.values():
                collect(one)
        elif isinstance(value, list):
            for one in value:
                collect(one)
        elif isinstance(value, float):
            known.add(value)

    for part in data["parts"]:
        for section in part["sections"]:
            collect(section["results"])
    for block in blocks(data):
        for value in estimates(block):
            assert value["value"] in known or float(value["value"]).is_integer(), (block, value)


def estimates(data: Any) -> Iterator[dict[str, Any]]:
    """Every number with an interval, however deep."""
    if isinstance(data, dict) and "low" in data:
        yield data
    elif isinstance(data, dict | list):
        for value in data.values() if isinstance(data, dict) else data:
            yield from estimates(value)


def test_nothing_passing_is_kept(made: tuple[Path, dict[str, Any], str]) -> None:
    folder, _data, _ = made
    assert '"seconds"' not in (folder / DATA).read_text()
    assert "<script" not in (folder / PAGE).read_text()
    page = (folder / PAGE).read_text()
    links = set(re.findall(r"""(?:src|href)=["']([^"'#][^"']*)""", page))
    assert all(link.startswith("data:") for link in links)


def test_the_same_seed_gives_the_same_report(tmp_path: Path) -> None:
    asked = Asked("wave", (3,), ("base", "virage"))
    one, other = tmp_path / "one", tmp_path / "other"
    write_game(asked, TINY, 5, 1, one)
    write_game(asked, TINY, 5, 2, other)
    date = re.compile(r'"date": "[^"]*"|<dd class="date">[^<]*')
    for path in sorted(one.rglob("*.*")):
        twin = other / path.relative_to(one)
        if path.suffix == ".png":
            assert path.read_bytes() == twin.read_bytes(), path.name
        else:
            assert date.sub("", path.read_text()) == date.sub("", twin.read_text()), path.name


def test_efforts() -> None:
    counts = [load_effort(name, "wave").counts for name in EFFORTS]
    assert all(set(one) == set(TINY.counts) for one in counts)
    for low, high in itertools.pairwise(counts):
        assert all(low[key] <= high[key] for key in low if isinstance(low[key], int))
    assert load_effort("quick", "vague-attaque")["games"] < load_effort("quick", "wave")["games"]
    for unknown in ("quik", "share", "tiny"):
        with pytest.raises(RulesetError, match=f"unknown effort '{unknown}'"):
            load_effort(unknown, "wave")
