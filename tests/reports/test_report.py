"""Reports of every game: the files, the sections, numbers that agree everywhere, and seats that count from 1."""

from __future__ import annotations

import csv
import html
import itertools
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from houle.analysis.blocks import sentence
from houle.analysis.players.named_players import players_of
from houle.reports.blocks import every_block
from houle.reports.build import COMPETITIVE
from houle.reports.effort import EFFORTS, load_effort
from houle.reports.figures.style import PHONE
from houle.reports.html import sheet as sheets
from houle.reports.html.format import csv_rows, shown_rows
from houle.reports.html.sheet import browser_path, write_sheet
from houle.reports.html.write import DATA, PAGE, PLAYER_PAGE, SHEET, SHEET_PDFS
from houle.reports.sections.verdict import MOST_NUMBERS
from houle.solver.errors import InputError
from tests.support.made_reports import GAMES, MARKED, SETUPS, TINY, made, only_sections, report_of, sketched
from tools.replay import claims

pytestmark = pytest.mark.compiled

SECTIONS = [
    "verdict",
    "difficulty",
    "endings",
    "variants",
    "suggestions",
    "openings",
    "balance",
    "decisions",
    "strength",
    "open-rules",
    "appendix",
    "rules-of-thumb",
    "first-moves",
    "mistakes",
]

ALWAYS = {"verdict", "balance", "decisions", "appendix", "rules-of-thumb", "mistakes"}

MOST_BYTES = 5_000_000


@pytest.fixture(scope="module", params=MARKED)
def reported(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, Any], str]:
    """The folder, the data, and the text of both pages without tags."""
    folder = report_of(request.param, tmp_path_factory)
    return folder, json.loads((folder / DATA).read_text()), words_of(pages_of(folder))


def pages_of(folder: Path) -> str:
    return (folder / PAGE).read_text() + (folder / PLAYER_PAGE).read_text()


def words_of(page: str) -> str:
    body = re.sub(r"<(style|svg)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def blocks(data: dict[str, Any]) -> list[dict[str, Any]]:
    parts = data["parts"]
    return [block for part in parts for section in part["sections"] for block in every_block(section["blocks"])]


def test_sections_and_files_are_complete(reported: tuple[Path, dict[str, Any], str]) -> None:
    folder, data, _ = reported
    names = [section["name"] for part in data["parts"] for section in part["sections"]]
    order = SECTIONS if data["game"] == "wave" else COMPETITIVE
    assert names == [name for name in order if name in names]
    assert set(names) >= ALWAYS
    assert [part["page"] for part in data["parts"]] == [PAGE, PLAYER_PAGE]
    assert data["parts"][0]["sections"][-1]["name"] == "appendix"
    for part in data["parts"]:
        page = (folder / part["page"]).read_text()
        assert len(page) < MOST_BYTES
        for section in part["sections"]:
            assert section["blocks"], section["name"]
            assert html.escape(section["title"]) in page
    check_figures(folder, data)


def check_figures(folder: Path, data: dict[str, Any]) -> None:
    figures = [block["name"] for block in blocks(data) if block["kind"] == "figure"]
    assert sorted(path.name for path in (folder / "figures").iterdir()) == sorted(
        f"{name}{ending}" for name in figures for ending in (".png", ".svg", f"{PHONE}.svg")
    )
    assert len(set(figures)) == len(figures) >= 4
    assert all(block["alt"] for block in blocks(data) if block["kind"] in ("figure", "position"))


def test_page_shows_the_data(reported: tuple[Path, dict[str, Any], str]) -> None:
    _, data, text = reported
    for block in blocks(data):
        if block["kind"] in ("text", "lead", "note"):
            assert " ".join(sentence(block).split()) in text
        if block["kind"] == "list":
            assert all(" ".join(sentence(item).split()) in text for item in block["items"])
        if block["kind"] == "table" and block["shown"]:
            for row in shown_rows(block):
                shown = " ".join(f"{cell['text']} {cell['span']} {cell['word']}" for cell in row)
                assert " ".join(shown.split()) in text


def test_numbers_say_about_whom(reported: tuple[Path, dict[str, Any], str]) -> None:
    """Every sentence with an interval has its players, its measure and its games in the data."""
    _, data, _ = reported
    every = list(claims(data))
    assert len(every) >= 6
    assert [claim.words for claim in every if not claim.said] == []
    for claim in every:
        assert claim.n == min(number.n for _, number in claim.numbers), claim.words


def test_page_is_about_one_level(reported: tuple[Path, dict[str, Any], str]) -> None:
    """Length, endings, openings, seats and tension are those of the level in the headline."""
    _, data, _ = reported
    one = {claim.player for claim in claims(data) if claim.section in ("balance", "endings")}
    assert one <= {data["facts"]["players"]}
    assert data["facts"]["players"] == "family"
    openings = {claim.player for claim in claims(data) if claim.section == "openings"}
    section = next(one for part in data["parts"] for one in part["sections"] if one["name"] == "openings")
    lists = [block["items"] for block in every_block(section["blocks"]) if block["kind"] == "list"]
    named = [item for items in lists for item in items if ": with " in sentence(item)]
    assert openings == ({"family"} if named else set())  # few games may confirm no opening
    assert players_of("family") in sentence(section["blocks"][0])


def test_head_has_few_numbers(reported: tuple[Path, dict[str, Any], str]) -> None:
    _, data, _ = reported
    assert sum(len(claim.numbers) for claim in claims(data) if claim.section == "verdict") <= MOST_NUMBERS


def test_tables_match_their_files(reported: tuple[Path, dict[str, Any], str]) -> None:
    folder, data, _ = reported
    tables = [block for block in blocks(data) if block["kind"] == "table"]
    assert len({block["name"] for block in tables}) == len(tables)
    for block in tables:
        heads, rows = csv_rows(block)
        with (folder / "tables" / f"{block['name']}.csv").open(newline="") as file:
            lines = list(csv.reader(file))
        assert lines == [heads, *([("" if cell is None else str(cell)) for cell in row] for row in rows)]


def test_numbers_come_from_results(reported: tuple[Path, dict[str, Any], str]) -> None:
    """Every estimate in sentences and tables is in the results of some section."""
    _, data, _ = reported
    known: set[float] = set()

    def collect(value: Any) -> None:
        if isinstance(value, dict):
            for one in value.values():
                collect(one)
        elif isinstance(value, list):
            for one in value:
                collect(one)
        elif isinstance(value, float):
            known.add(abs(value))

    for part in data["parts"]:
        for section in part["sections"]:
            collect(section["results"])
    for block in blocks(data):
        for value in estimates(block):
            shown = value["high"] if value["value"] is None else value["value"]  # of a gap only the ends are shown
            assert abs(shown) in known or float(shown).is_integer(), (block, value)


def estimates(data: Any) -> Iterator[dict[str, Any]]:
    """Every number with an interval, however deep."""
    if isinstance(data, dict) and "low" in data:
        yield data
    elif isinstance(data, dict | list):
        for value in data.values() if isinstance(data, dict) else data:
            yield from estimates(value)


def test_report_has_no_times_scripts_or_links(reported: tuple[Path, dict[str, Any], str]) -> None:
    folder, _data, _ = reported
    assert '"seconds"' not in (folder / DATA).read_text()
    pages = pages_of(folder)
    assert "<script" not in pages
    links = {link.partition("#")[0] for link in re.findall(r"""(?:src|href)=["']([^"'#][^"']*)""", pages)}
    assert {link for link in links if not link.startswith("data:")} == {PAGE, PLAYER_PAGE}


DATE = re.compile(r'"date": "[^"]*"|<dd class="date">[^<]*')


def contents(folder: Path) -> dict[str, bytes | str]:
    """Every file of a report without its date."""
    files = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*.*"))}
    return {
        name: path.read_bytes() if path.suffix == ".png" else DATE.sub("", path.read_text())
        for name, path in files.items()
    }


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("land-unter", ("verdict", "balance", "strength", "appendix")),
        pytest.param("vague-attaque", SECTIONS, marks=pytest.mark.slow),
    ],
)
def test_same_seed_gives_same_report(game: str, names: Sequence[str], tmp_path: Path) -> None:
    """With two threads as with one."""
    with sketched(), only_sections(*names):
        for threads in (1, 2):
            made(SETUPS[game], tmp_path / str(threads), threads)
    one, other = contents(tmp_path / "1"), contents(tmp_path / "2")
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_all_figures(game: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The ordinary run draws all figures of one game, as SVG."""
    folder = report_of(game, tmp_path_factory, complete=True)
    check_figures(folder, json.loads((folder / DATA).read_text()))
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in (folder / "figures").glob("*.png"))


@pytest.mark.quick
def test_efforts_grow() -> None:
    counts = [load_effort(name, "wave").counts for name in EFFORTS]
    own = set(TINY.counts) - {"search", "every_section"}  # instead of the expert; of tests only
    slow = {"search_games", "strength_search_deals", "suggestions_games", "suggestions_fresh"}  # not for quick reports
    assert [own - set(one) for one in counts] == [slow, set(), set()]
    for low, high in itertools.pairwise(counts):
        assert all(low[key] <= high[key] for key in low.keys() & high.keys() if isinstance(low[key], int))
    assert load_effort("quick", "vague-attaque")["games"] < load_effort("quick", "wave")["games"]
    for unknown in ("quik", "share", "tiny"):
        with pytest.raises(InputError, match=f"unknown effort '{unknown}'"):
            load_effort(unknown, "wave")


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
    parts = json.loads((folder / DATA).read_text())["parts"]
    balance = next(section for part in parts for section in part["sections"] if section["name"] == "balance")
    assert balance["results"]["balance"]["sides"][0]["side"] == "seat 0"
    seats = next(block for block in every_block(balance["blocks"]) if block.get("name") == "seats")
    assert seats["rows"][0][0] == "seat 0"


PAPERS = {"sheet-a4.pdf": (595, 842), "sheet-letter.pdf": (612, 792)}  # points


@pytest.fixture(params=["land-unter", pytest.param("wave", marks=pytest.mark.slow)])
def folder(request: pytest.FixtureRequest, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(report_of(request.param, tmp_path_factory), tmp_path / "report")


@pytest.mark.compiled
def test_sheet_has_the_answers_of_the_report(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "BROWSERS", ())
    assert write_sheet(folder) == [folder / SHEET]
    shown = words_of((folder / SHEET).read_text())
    verdict = json.loads((folder / DATA).read_text())["parts"][0]["sections"][0]
    lead, answers = verdict["blocks"][:2]
    assert sentence(lead) in shown
    assert all(f"{item['label']} {sentence(item)}" in shown for item in answers["items"])
    assert re.search(r"come from: \d+ \w+", shown)
    assert "houle report" in shown


@pytest.mark.browser
@pytest.mark.skipif(browser_path() is None, reason="no browser is installed")
def test_sheet_is_printed_on_one_page(folder: Path) -> None:
    written = write_sheet(folder)
    assert [file.name for file in written] == [SHEET, *SHEET_PDFS]
    for file in written[1:]:
        printed = file.read_bytes()
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1, file.name
        box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", printed)
        assert box
        assert [round(float(side)) for side in box.groups()] == pytest.approx(PAPERS[file.name], abs=1)
