"""Everything that is printed or drawn names the user's own variant and how it differs from the printed rules.

Who asks for a level reads its name there: in pages, data, figures, tables and the command that repeats a result.
"""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from houle.analysis.blocks import sentence
from houle.cli.framework.options import Asked
from houle.cli.main import COMMANDS
from houle.reports.blocks import Report, every_block
from houle.reports.build import SECTIONS
from houle.reports.figures.style import PHONE, save
from houle.reports.html.page import clean
from houle.reports.html.write import DATA, PAGE, PLAYER_PAGE
from tests.support.call import call, good
from tests.support.made_reports import OWN, TINY, made, only_sections, report_of

pytestmark = pytest.mark.compiled

NAME, WORDS = "2+3", "hand.front = 2, not 3 (printed)"
PLAIN = "one card fewer in front and one card more at the back"  # as reports say it
SET = "hand.back=3"
SET_WORDS = "hand.back = 3, not 2 (printed)"

# Options for each command beside the setup, the last of `-s` in its page: few games, but enough to print and draw.
ASKED = {
    "simulate": ("-s", "level:2.3", "-n", "60"),
    "compare": ("--rules", "base", "-s", "level:2.3", "-n", "60"),
    "sweep": ("--set", "talk=open,known", "-s", "level:2.3", "-n", "60"),
    "design": ("--target", "win=10%@first-game", "--change", "talk", "-n", "1000"),
    "difficulty": ("-s", "random,level:2.3", "-n", "60"),
    "trace": ("-s", "family"),
    "advise": ("--from", "1/0/0", "--worlds", "4"),
    "strength": ("-s", "random,level:2.3", "-n", "40"),
    "balance": ("-s", "level:2.3", "-n", "60"),
    "rules": (),
    "players": (),
}
# Commands that show no setup of the user's.
ELSEWHERE = {"games", "new", "check", "demo"}
WITHOUT_A_HEAD = {"tune", "play", "studio", "review"}  # data or a game, with tests of their own below
IN_FILES = {"study", "report"}  # with tests of their own below
NO_FIGURE = {"trace", "rules", "players"}
NO_GAMES = {"rules", "players"}
COLUMN = re.compile(r"\bbase game\b")
BEHIND = re.compile(r"level\[|slips=|thought=|forgets=|nearsighted=")  # what a level is made of


@pytest.fixture
def own(tmp_path: Path) -> str:
    file = tmp_path / "a-file.toml"
    file.write_text(f'game = "wave"\nname = "{NAME}"\n[set]\nhand.front = 2\nhand.back = 3\n')
    return str(file)


def plain(text: str) -> str:
    """On one line, as it would stand in a window wide enough."""
    return " ".join(text.split())


@pytest.mark.quick
def test_no_command_is_forgotten() -> None:
    assert set(ASKED) | ELSEWHERE | WITHOUT_A_HEAD | IN_FILES == set(COMMANDS)


@pytest.mark.parametrize("command", ASKED)
def test_page_figure_and_data_name_variant_and_players(command: str, own: str, tmp_path: Path) -> None:
    figure, file, cells = tmp_path / "figure.svg", tmp_path / "data.json", tmp_path / "data.csv"
    drawn = () if command in NO_FIGURE else ("-o", str(figure), "-o", str(file), "-o", str(cells))
    words = (command, "wave", "-p", "3", "--rules", own, *ASKED[command])
    page = plain(good(*words, *drawn))
    assert NAME in page.split("time", 1)[0]
    assert WORDS in page
    assert not COLUMN.search(page)
    if drawn:
        picture = plain(" ".join(re.findall(r"<!-- (.*?) -->", figure.read_text())))
        assert NAME in picture
        assert WORDS in picture
        assert not COLUMN.search(picture)
        assert "a-file" not in picture
    said = file.read_text() if drawn else good(*words, "--json")
    if command not in NO_GAMES:
        assert_data_has_the_name(command, json.loads(said))
    if "-s" in words:
        who = words[words.index("-s") + 1]
        for text in (page, said, *((cells.read_text(), figure.read_text()) if drawn else ())):
            assert not BEHIND.search(text)
        assert not drawn or who in page.rpartition("repeat")[2]
        assert command == "trace" or who.rpartition(",")[2] in page.partition("time ")[0]


def assert_data_has_the_name(command: str, data: Any) -> None:
    shown = data["arms"][0] if command in ("compare", "sweep") else data
    assert shown["rules_name"].startswith(NAME)
    assert WORDS in shown["differs"]
    assert [(rule["knob"], rule["now"]) for rule in shown["differences"]][:2] == [("hand.front", 2), ("hand.back", 3)]


LONG = ("design",)  # commands that take seconds


@pytest.mark.parametrize("command", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in ASKED
                                     if name not in ("compare", "sweep")])  # fmt: skip
def test_changed_knob_counts_as_own_variant(command: str) -> None:
    page = plain(good(command, "wave", "-p", "3", "--set", SET, *ASKED[command]))
    words = f"{SET} differs from the printed rules of WAVE in 1 rule: {SET_WORDS}; set by --set"
    assert words in page if command == "design" else page.startswith(words)  # a design begins with its answer
    assert f"WAVE, 3 players, {SET}" in page
    assert not COLUMN.search(page)


def test_weights_name_their_setup(own: str) -> None:
    small = ("--weights", "mine", "--generations", "1", "--population", "4", "-n", "20", "--check-games", "100")
    weights, _, page = good("tune", "wave", "-p", "3", "--rules", own, *small).partition("\n\n")
    assert "when = {players = 3}" in weights
    assert f"WAVE, 3 players, {NAME}" in page
    assert WORDS in plain(page)
    assert not COLUMN.search(page)


def test_a_position_names_every_rule_that_differs(own: str) -> None:
    """So that it is read back by the same rules: advice about it tells them as it does for the table itself."""
    written = good("trace", "wave", "-p", "3", "--rules", own, "--at", "2")
    assert "set hand.front: 2\nset hand.back: 3\n" in written
    page = plain(good("advise", "wave", "--position", written, "--worlds", "4"))
    assert WORDS in page
    assert not COLUMN.search(page)


def test_review_shows_rules_of_its_record(own: str, tmp_path: Path) -> None:
    record, figure = str(tmp_path / "game.txt"), tmp_path / "figure.svg"
    good("trace", "wave", "-p", "3", "--rules", own, "--seed", "3", "--record", record)
    page = plain(good("review", record, "--worlds", "2", "-o", str(figure)))
    assert WORDS in page
    assert not COLUMN.search(page)
    picture = plain(" ".join(re.findall(r"<!-- (.*?) -->", figure.read_text())))
    assert WORDS in picture
    assert not COLUMN.search(picture)


def test_play_starts_with_the_changed_rules(own: str) -> None:
    page = plain(good("play", "wave", "-p", "3", "--rules", own, "--seed", "7"))
    assert f"{NAME}: hand.front = 2, not 3 (printed); hand.back = 3, not 2 (printed)" in page
    assert f"WAVE, 3 players, {NAME}" in page


def test_names_stand_in_rules_files() -> None:
    for words in (("simulate", "--set", SET), ("compare", "--set", "hand.back=2,3")):
        refused = call(words[0], "wave", *words[1:], "--name", "x")
        assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
        assert "give a rules file, which has a name" in refused.stderr


def test_several_setups_show_their_names(own: str, tmp_path: Path) -> None:
    unnamed = tmp_path / "deck.toml"
    unnamed.write_text('game = "wave"\n[set]\ndeck.missing = ["white 0"]\n')
    page = plain(
        good("compare", "wave", "--rules", "base", "--rules", own, "--rules", str(unnamed), "-s", "random", "-n", "100")
    )
    body = page.split("time", 1)[0]
    assert "navy 5 is in now; 35 cards, not 34" in page
    assert "printed rules" in body
    assert ".toml" not in body
    assert "deck.missing=[white 0] " in body


HARBOUR = 'game = "wave"\nname = "Harbour"\nplayers = 3\n[set]\nhand.back = 3\n"deck.missing+" = ["sky 5"]\n'


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "--open-rules", "-s", "thumb", "-n", "60"),
        ("compare", "-n", "60"),
        ("sweep", "--set", "talk=open,known", "-n", "60"),
        ("design", "--target", "win=40%@thumb", "--change", "talk", "-n", "2000"),
    ],
    ids=["open-rules", "compare", "sweep", "design"],
)
def test_deck_without_a_card_is_played(words: tuple[str, ...], tmp_path: Path) -> None:
    """With a knob turned and a name: every command that plays other rules beside them."""
    file = tmp_path / "harbour.toml"
    file.write_text(HARBOUR)
    command, *options = words
    page = plain(good(command, "wave", "--rules", str(file), *options))
    assert "Harbour" in page
    assert "sky 5 is out now; 33 cards, not 34" in page
    assert ("left out heights" in page) == ("--open-rules" in words)  # columns that hold 34 cards


@pytest.mark.quick
def test_rules_say_what_is_yours(own: str) -> None:
    page = plain(good("rules", "wave", "--rules", own))
    assert "hand.front = 2 (yours; a whole number from 0 to 16)" in page
    assert "talk = points (printed;" in page


def test_difficulty_compares_with_printed_rules(own: str) -> None:
    words = ("difficulty", "wave", "--rules", own, "-s", "random,thumb", "-n", "300")
    data = json.loads(good(*words, "--json"))
    printed = json.loads(good("difficulty", "wave", "-s", "random,thumb", "-n", "300", "--json"))
    beside = [row["value"] for row in data["rows"] if row["measure"] == "win" and "printed" in row["label"]]
    assert beside == [row["value"] for row in printed["rows"] if row["measure"] == "win"]
    assert not any("printed" in row["label"] for row in printed["rows"])
    page = plain(good(*words))
    assert "player win printed rules difference it is" in page
    assert "Compared with the printed rules:" in page


def said_in(folder: Path) -> tuple[str, list[str], str]:
    """The first lines of a report, its sentences from the subtitle on, and everything that it says."""
    data = json.loads((folder / DATA).read_text())
    first = plain(" ".join(sentence(line) for line in data["notices"]))
    parts = [section for part in data["parts"] for section in part["sections"]]
    blocks = [block for section in parts for block in every_block(section["blocks"])]
    said = [plain(sentence(block)) for block in blocks if block["kind"] in ("text", "lead", "note")]
    return first, [data["subtitle"], *said], json.dumps(blocks)


def pictures(folder: Path) -> dict[str, str]:
    """What is written in every figure."""
    return {path.name: plain(" ".join(re.findall(r"<!-- (.*?) -->", path.read_text())))
            for path in (folder / "figures").glob("*.svg")}  # fmt: skip


def drawn_once(report: Report, folder: Path, _: object) -> dict[str, str]:
    """Draws every figure of a report only as one SVG: drawing takes most of the time of a report."""
    pictures: dict[str, str] = {}
    for section in report.sections:
        for name, draw in section.drawings.items():
            save(draw(), folder / f"{name}.svg")
            pictures[name] = pictures[f"{name}{PHONE}"] = clean((folder / f"{name}.svg").read_text())
    return pictures


@pytest.fixture
def quick_report(own: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Without the sections that play long; a slow test has them all."""
    monkeypatch.setattr("houle.reports.html.write._draw_figures", drawn_once)
    monkeypatch.setattr("houle.reports.html.write.Gallery.begin", lambda gallery, section: None)
    names = {step.name for step in SECTIONS} - {"suggestions", "decisions", "open-rules"}
    few = replace(TINY, counts=TINY.counts | {"bound": False})
    with only_sections(*names):
        return made(Asked("wave", (3,), (), (), (own,)), tmp_path / "report", effort=few, seed=39).parent


def test_report_names_the_variant(quick_report: Path) -> None:
    assert_names_the_variant(quick_report)


@pytest.mark.slow
def test_whole_report_names_the_variant(tmp_path_factory: pytest.TempPathFactory) -> None:
    """With the figures for phones."""
    assert_names_the_variant(report_of(OWN, tmp_path_factory))


def assert_names_the_variant(folder: Path) -> None:
    """On the first line of both pages, in the verdict, in every figure; what it is compared with is print."""
    first, said, words = said_in(folder)
    assert first.startswith(f"{NAME}: {PLAIN}.")
    assert f"{NAME} and printed rules" in said[0]
    assert NAME in said[1]
    assert not COLUMN.search(words)
    for page in (PAGE, PLAYER_PAGE):
        text = plain((folder / page).read_text())
        assert text.index(PLAIN) < text.index("<h3")
        assert not COLUMN.search(text)
    drawn = pictures(folder)
    assert len(drawn) >= 4
    for name, picture in drawn.items():
        assert NAME in picture, name
        assert not COLUMN.search(picture), name
        assert ".toml" not in picture, name
        assert "a-file" not in picture, name
    with (folder / "tables" / "rules.csv").open(newline="") as file:
        sources = {row["rule"]: row["provenance"] for row in csv.DictReader(file)}
    assert {knob for knob, source in sources.items() if source == "yours"} == {"hand.front", "hand.back"}


@pytest.mark.parametrize(
    ("grid", "differs"),
    [
        ('rules = ["a-file.toml"]', f"{NAME}: {WORDS}; hand.back = 3, not 2 (printed)"),
        ("[grid.set]\nhand.back = [3]", f"{SET}: {SET_WORDS}"),
        ("[grid.set]\nhand.back = [2, 3, 4]", "hand.back: 2 unless set (printed)"),
        ("[grid.set]\nhand.back = [3, 4]", "hand.back: 2 unless set (printed)"),
    ],
)
def test_study_shows_how_setups_differ(grid: str, differs: str, own: str, tmp_path: Path) -> None:
    """In `study show`, in its data and in its report."""
    spec, db = tmp_path / "study.toml", str(tmp_path / "study")
    spec.write_text(f'name = "Own"\ngames = 50\n[[grid]]\ngame = "wave"\nstrategies = ["random"]\n{grid}\n')
    good("study", "run", str(spec), "-o", db, "-q")
    page = plain(good("study", "show", db))
    assert page.startswith(differs)
    cell = json.loads(good("study", "show", db, "--json"))["cells"][-1]
    assert cell["rules_name"] in differs or cell["rules_name"] == "hand.back=4"
    assert cell["differences"]
    good("report", db, "-o", str(tmp_path / "out"))
    first, _, words = said_in(tmp_path / "out")
    assert first == f"{differs}."
    assert differs in plain((tmp_path / "out" / PAGE).read_text())
    for text in (page, words, *pictures(tmp_path / "out").values()):
        assert not COLUMN.search(text)


def test_a_study_shows_the_level(tmp_path: Path) -> None:
    spec, file, table = (tmp_path / name for name in ("study.toml", "study", "cells.csv"))
    spec.write_text('game = "wave"\nplayers = 3\nstrategies = ["family", "level:2.3"]\ngames = 60\n')
    ran, shown, exported, data = (
        good("study", "run", str(spec), "-o", str(file)),
        good("study", "show", str(file)),
        good("study", "export", str(file), "-o", str(table)),
        good("study", "show", str(file), "--json"),
    )
    for page in (ran, shown, exported, data, table.read_text()):
        assert not BEHIND.search(page)
    assert all(name in page for name in ("family", "level:2.3") for page in (shown, data, table.read_text()))


def test_a_report_shows_the_levels(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = report_of("wave", tmp_path_factory)
    for name in (PAGE, DATA):
        assert not BEHIND.search((folder / name).read_text())
