"""Pages count seats from 1; data.json and the CSV files count from 0."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from houle.analysis.blocks import SEATS, Column, seat_words, sentence, table, text
from houle.reports.blocks import every_block
from houle.reports.cards import position_rows
from houle.reports.html.format import csv_rows, shown_rows
from houle.reports.html.write import DATA
from houle.solver.language.seats import from_1
from houle.solver.matches.match import Match
from houle.solver.matches.views import move_in_words
from houle.solver.rules import make_setup
from tests.reports.test_report import pages_of, words_of
from tests.support.made_reports import SETUPS, made, only_sections, report_of, sketched

pytestmark = pytest.mark.compiled


@pytest.mark.quick
def test_only_seat_words_are_renumbered() -> None:
    """A variant may be called "seat 0"."""
    block = table("t", "c", [Column("side", "side", SEATS), Column("variant", "variant")], [["seat 0", "seat 0"]])
    assert [cell["text"] for cell in shown_rows(block)[0]] == ["seat 1", "seat 0"]
    assert csv_rows(block) == (["side", "variant"], [["seat 0", "seat 0"]])
    assert sentence(text("{a} and {b}", a=seat_words("team 1"), b="team 1")) == "team 2 and team 1"


ZERO = re.compile(r"\b(seat|team) 0\b")
SIDES, LEVELS = {"seats.csv": "side"}, {"openings.csv": "level"}


@pytest.mark.slow
@pytest.mark.parametrize(("game", "files"), [("sea-change", SIDES), ("vague-verte", SIDES | LEVELS)])
def test_pages_count_seats_from_one(game: str, files: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> None:
    assert_counted_from_one(report_of(game, tmp_path_factory), files)


def test_no_page_has_a_seat_0(tmp_path_factory: pytest.TempPathFactory) -> None:
    assert not ZERO.search(words_of(pages_of(report_of("land-unter", tmp_path_factory))))


@pytest.mark.parametrize(("game", "files"), [("sea-change", SIDES), ("vague-verte", SIDES | LEVELS)])
def test_sections_on_seats_count_from_one(game: str, files: dict[str, str], tmp_path: Path) -> None:
    """With teams, and where openings differ by seat; slow tests have the other sections of these games."""
    with sketched(), only_sections("verdict", "openings", "balance", "appendix", "rules-of-thumb"):
        folder = made(SETUPS[game], tmp_path / "report").parent
    assert_counted_from_one(folder, files)


def assert_counted_from_one(folder: Path, files: dict[str, str]) -> None:
    page = words_of(pages_of(folder))
    assert not ZERO.search(page)
    with (folder / "tables" / "seats.csv").open(newline="") as opened:
        seats = len(list(csv.DictReader(opened)))
    # `the seat` is a row in the table on luck, followed by its share.
    assert set(re.findall(r"(?<!the )\bseat (\d)", page)) <= set(map(str, range(1, seats + 1)))
    for file, column in files.items():
        with (folder / "tables" / file).open(newline="") as opened:
            assert "seat 0" in {row[column] for row in csv.DictReader(opened)}
    balance = next(section for section in sections(folder) if section["name"] == "balance")
    assert balance["results"]["balance"]["sides"][0]["side"] == "seat 0"
    seats = next(block for block in every_block(balance["blocks"]) if block.get("name") == "seats")
    assert seats["rows"][0][0] == "seat 0"


def sections(folder: Path) -> list[dict[str, Any]]:
    data = json.loads((folder / DATA).read_text())
    return [section for part in data["parts"] for section in part["sections"]]


def test_moves_name_the_seats_of_the_drawing() -> None:
    """Drawings count players from 1, moves from 0. Moves are renumbered for the page, drawings are not."""
    setup = make_setup("vague-verte", 2)
    aimed: set[str] = set()
    labels: set[str] = set()
    for game in range(20):
        match = Match(setup, 1, game)
        for _ in range(12):
            moves = match.moves()
            if match.to_move() < 0:
                break
            words = [from_1(move_in_words(match.setup, match.name(move))) for move in moves]
            other = 2 - match.to_move()
            aimed |= {f"{other}:{number}" for line in words for number in re.findall(r"on seat (\d)", line)}
            labels |= {f"{other}:{row['label'][-1]}" for row in position_rows(match) if "road of" in row["label"]}
            match.apply(moves[0])
    assert {"1:1", "2:2"} <= aimed
    assert {pair[-1] for pair in aimed} <= {"1", "2"}
    assert labels <= {"1:1", "2:2"}
