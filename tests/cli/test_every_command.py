"""What all commands have in common, each as one test over a table of them.

A page fits the window, names the user's own variant and the players that were asked for, and can be repeated; its data
and figure say the same; a dry run plays nothing, and Ctrl-C keeps what was played (tests/cli/test_unwritable.py).
"""

from __future__ import annotations

import csv
import json
import re
import shlex
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import houle
from houle.analysis.blocks import sentence
from houle.analysis.players import weights_file
from houle.cli.framework.options import Asked
from houle.cli.main import COMMANDS
from houle.reports.blocks import every_block
from houle.reports.build import SECTIONS
from houle.reports.html.write import DATA, PAGE, PLAYER_PAGE
from houle.solver.players import player
from tests.support.call import good, spawn
from tests.support.made_reports import OWN, TINY, made, only_sections, report_of, sketched

pytestmark = pytest.mark.compiled

NAME, WORDS = "2+3", "hand.front = 2, not 3 (printed)"
PLAIN = "one card fewer in front and one card more at the back"  # as reports say it
SET = "hand.back=3"
SET_WORDS = "hand.back = 3, not 2 (printed)"

# Options for each command beside the setup, the last of `-s` in its page: few games, but enough to print and draw.
ASKED = {
    "simulate": "-s level:2.3 -n 60",
    "compare": "--rules base -s level:2.3 -n 60",
    "sweep": "--set talk=open,known -s level:2.3 -n 60",
    "design": "--target win=10%@first-game --change talk -n 4000",
    "difficulty": "-s random,level:2.3 -n 60",
    "trace": "-s family",
    "advise": "--from 1/0/0 --worlds 4",
    "strength": "-s random,level:2.3 -n 40",
    "balance": "-s level:2.3 -n 60",
    "rules": "",
    "players": "",
}
# Commands that show no setup of the user's.
ELSEWHERE = {"games", "new", "check", "demo"}
WITHOUT_A_HEAD = {"tune", "play", "studio", "review"}  # data or a game, with tests of their own below
IN_FILES = {"study", "report"}  # with tests of their own below
NO_FIGURE = {"trace", "rules", "players"}
NO_GAMES = {"rules", "players"}
LONG = ("design",)  # commands that take seconds
NO_DIGEST = {"trace", "advise", "rules", "players", *LONG}  # test_design.py repeats a design
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


def drawn_in(figure: Path) -> str:
    """What is written in a figure."""
    return plain(" ".join(re.findall(r"<!-- (.*?) -->", figure.read_text())))


@pytest.mark.quick
def test_no_command_is_forgotten() -> None:
    assert set(ASKED) | ELSEWHERE | WITHOUT_A_HEAD | IN_FILES == set(COMMANDS)


@pytest.mark.parametrize("command", ASKED)
def test_page_figure_and_data_name_variant_and_players(
    command: str, own: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    width = 120 if command == "difficulty" else 100  # labels of so few games are long
    monkeypatch.setenv("COLUMNS", str(width))
    figure, data, *tables = (tmp_path / name for name in ("drawn.svg", "data.json", "data.csv", "data.parquet"))
    files = [] if command in NO_FIGURE else [word for out in (figure, data, *tables) for word in ("-o", str(out))]
    words = [command, "wave", "-p", "3", "--rules", own, *ASKED[command].split()]
    lines = good(*words, *files)
    for line in lines.splitlines():
        assert len(line) <= width or line.startswith(("repeat", "note")), line
    page = plain(lines)
    assert NAME in page.split("time", 1)[0]
    assert WORDS in page
    assert not COLUMN.search(page)
    if files:
        assert NAME in drawn_in(figure)
        assert WORDS in drawn_in(figure)
        assert not COLUMN.search(drawn_in(figure))
        assert "a-file" not in drawn_in(figure)
        assert len(pd.read_csv(tables[0])) == len(pd.read_parquet(tables[1])) > 0
    said = data.read_text() if files else good(*words, "--json")
    if command not in NO_GAMES:
        assert_data_has_the_name(command, json.loads(said))
    if command not in NO_DIGEST:
        again = shlex.split(page.rpartition("repeat houle ")[2])
        assert json.loads(good(*again, "--json"))["result_digest"] == json.loads(said)["result_digest"]
        assert json.loads(said)["result_digest"] in page
    if "-s" in words:
        who = words[words.index("-s") + 1]
        assert players_in(json.loads(said)) in ({*who.split(",")}, set())
        for text in (page, said, *((tables[0].read_text(), figure.read_text()) if files else ())):
            assert not BEHIND.search(text)
        assert not files or who in page.rpartition("repeat")[2]
        assert command == "trace" or who.rpartition(",")[2] in page.partition("time ")[0]


def repeated_by(page: str) -> list[str]:
    """The words of the command that a page repeats by."""
    return shlex.split(page.rpartition("repeat   houle ")[2])


def test_repeat_lines_keep_the_language(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    good("trace wave --seed 7 --game 3 --record", str(record))
    for words in (
        ["advise", "wave", "--from", "7/3/5", "--worlds", "4"],
        ["trace", "wave", "--seed", "7", "--game", "3"],
        ["trace", str(record)],
        ["review", str(record), "--worlds", "2", "--side", "2"],
    ):
        page = good(*words, "--language", "fr")
        assert good(*repeated_by(page)) == page
        assert "--language" not in repeated_by(good(*words))


@pytest.mark.parametrize("compiled", [False, True], ids=["class", "package"])
def test_repeat_lines_find_your_own_game(compiled: bool, tmp_path: Path) -> None:
    """A record names its game, so the command must name its code."""
    assert spawn("new", "mine", *(["--compiled"] if compiled else []), cwd=tmp_path).returncode == 0
    name, path = ("mine", "mine/mine") if compiled else ("mine.py", "mine.py")
    given, record = ["--game-path", path], "game.txt"
    trace = spawn("trace", name, "-p", "3", "-s", "random", "--record", record, *given, cwd=tmp_path)
    assert trace.returncode == 0, trace.stderr
    for words in (
        ["simulate", name, "-p", "3", "-s", "random", "-n", "40"],
        ["trace", record],
        *([] if compiled else [["review", record, "--worlds", "2"]]),
    ):
        page = spawn(*words, *given, cwd=tmp_path)
        again = spawn(*repeated_by(page.stdout), cwd=tmp_path)
        assert (page.returncode, again.returncode) == (0, 0), (page.stderr, again.stderr)
        assert again.stdout.partition("time ")[0] == page.stdout.partition("time ")[0]
        assert repeated_by(again.stdout) == repeated_by(page.stdout)


def players_in(data: Any) -> set[str]:
    """The players that data name: no others than those that were asked for."""
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    named = data.get("strategies", ()) if isinstance(data, dict) else ()
    return {one for one in named if isinstance(one, str)}.union(*map(players_in, inner))


def assert_data_has_the_name(command: str, data: Any) -> None:
    shown = data["arms"][0] if command in ("compare", "sweep") else data
    assert shown["rules_name"].startswith(NAME)
    assert WORDS in shown["differs"]
    assert [(rule["knob"], rule["now"]) for rule in shown["differences"]][:2] == [("hand.front", 2), ("hand.back", 3)]


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (name in LONG))
        for name in ASKED
        if name not in ("compare", "sweep")
    ],
)
def test_changed_knob_counts_as_own_variant(command: str) -> None:
    page = plain(good(command, "wave", "-p", "3", "--set", SET, *ASKED[command].split()))
    words = f"{SET} differs from the printed rules of WAVE in 1 rule: {SET_WORDS}; set by --set"
    assert words in page if command == "design" else page.startswith(words)  # a design begins with its answer
    assert f"WAVE, 3 players, {SET}" in page
    assert not COLUMN.search(page)


TUNE = "tune wave -p 3 --weights mine --generations 1 --population 4 -n 20 --check-games 100"


def test_weights_name_their_setup(own: str, tmp_path: Path) -> None:
    """What is printed first is the entry of a weights file; the command in it is the one to repeat."""
    table = tmp_path / "weights.csv"
    text, _, page = good(TUNE, "--rules", own, "-o", str(table)).partition("\n\n")
    (entry,) = tomllib.loads(text)["player"]
    assert (entry["name"], entry["when"]) == ("mine", {"players": 3})
    assert f"WAVE, 3 players, {NAME}" in page
    assert WORDS in plain(page)
    assert not COLUMN.search(page)
    assert WORDS in plain(good(TUNE, "--rules", own, "--dry-run"))
    repeat = page.partition("repeat   ")[2]
    assert sorted(shlex.split(repeat)) == sorted(shlex.split(entry["tuned"]["command"]))
    data = json.loads(good(*shlex.split(repeat)[1:], "--json"))
    assert data["weights"] == entry["weights"]
    assert data["result_digest"] in page
    assert set(pd.read_csv(table)["feature"]) == set(entry["weights"])


def test_saved_weights_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "weights.toml"
    file.write_text(player.weights_file("wave").read_text())
    for module in (player, weights_file):
        monkeypatch.setattr(module, "weights_file", lambda game: file)
    player.weights_of.cache_clear()
    try:
        assert "\nsaved" in good(TUNE, "--save")
        assert tomllib.loads(file.read_text())["player"][-1]["name"] == "mine"
        assert "thumb[weights=mine]" in good(*["simulate", "wave", "-s", "thumb[weights=mine]", "-n", "20"])
    finally:
        player.weights_of.cache_clear()


PLANNED = {  # what would play nothing, and the games that it says
    "simulate wave -n 1000": "1,000 games",
    "compare wave -v base -v virage -s random -n 300": "600 games",
    "compare sea-change --open-rules -s thumb -n 60": " games",
    "sweep wave -p 3 -p 4 --set hand.back=1..2 -s random -n 200": "800 games",
    "difficulty wave -s random,thumb -n 2000": "4,000 games",
    "strength wave -s random,thumb -n 20": " games",
    "balance wave -n 1000": "1,000 games",
    "tune wave -p 3": "640,000 games",
}


@pytest.mark.parametrize("command", PLANNED)
def test_dry_run_plays_no_games(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **facts: object) -> None:
        raise AssertionError("a dry run played")

    for module in ("sampling.experiment", "explain.balance"):  # how long a game takes may be measured
        monkeypatch.setattr(f"houle.analysis.{module}.play_games", refuse)
    out = tmp_path / "out.csv"
    page = good(command, "--dry-run", "-j", "2", "-o", str(out))
    assert PLANNED[command] in page
    assert "games, about" in page
    assert "on 2 threads" in page
    assert not out.exists()


def test_files_hold_the_frame(tmp_path: Path) -> None:
    compared = houle.compare(houle.grid("wave", variants=["base", "virage"]), strategies="random", games=300)
    for words, result in (
        ("compare wave -v base -v virage -s random -n 300", compared),
        (
            "balance wave -p 2 -s random -n 300",
            houle.balance(houle.setup("wave", players=2), strategies="random", games=300),
        ),
    ):
        file, table, frame = tmp_path / "out.parquet", tmp_path / "out.csv", result.frame()
        good(words, "-o", str(file), "-o", str(table))
        pd.testing.assert_frame_equal(pd.read_parquet(file), frame, check_dtype=False)
        assert table.read_text() == frame.to_csv(index=False)


def test_formulas_in_csv_files_are_texts(tmp_path: Path) -> None:
    """A rules file may come from anybody, and its name is in tables. Numbers, JSON and Parquet stay as they are."""
    name = '=HYPERLINK("http://example.com")'
    rules, files = tmp_path / "rules.toml", [tmp_path / f"out{ending}" for ending in (".csv", ".json", ".parquet")]
    rules.write_text(f"name = '{name}'\n[set]\n\"hand.front\" = 4\n")
    outs = [word for file in files for word in ("-o", str(file))]
    good("compare", "wave", "--rules", "base", "--rules", str(rules), "-s", "random", "-n", "50", *outs)
    frame = pd.read_parquet(files[2])
    marked = frame.map(lambda cell: f"'{name}" if cell == name else cell)
    assert marked.to_csv(index=False) == files[0].read_text() != frame.to_csv(index=False)
    assert json.dumps(name) in files[1].read_text()


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
    for text in (page, drawn_in(figure)):
        assert WORDS in text
        assert not COLUMN.search(text)


def test_play_starts_with_the_changed_rules(own: str) -> None:
    page = plain(good("play", "wave", "-p", "3", "--rules", own, "--seed", "7"))
    assert f"{NAME}: hand.front = 2, not 3 (printed); hand.back = 3, not 2 (printed)" in page
    assert f"WAVE, 3 players, {NAME}" in page


def test_several_setups_show_their_names(own: str, tmp_path: Path) -> None:
    unnamed = tmp_path / "deck.toml"
    unnamed.write_text('game = "wave"\n[set]\ndeck.missing = ["white 0"]\n')
    page = plain(good("compare wave -s random -n 100 --rules base --rules", own, "--rules", str(unnamed)))
    body = page.split("time", 1)[0]
    assert "navy 5 is in now; 35 cards, not 34" in page
    assert "printed rules" in body
    assert ".toml" not in body
    assert "deck.missing=[white 0] " in body


HARBOUR = 'game = "wave"\nname = "Harbour"\nplayers = 3\n[set]\nhand.back = 3\n"deck.missing+" = ["sky 5"]\n'


@pytest.mark.parametrize(
    "words",
    [
        "compare wave --open-rules -s thumb -n 60",
        "compare wave -n 60",
        "sweep wave --set talk=open,known -n 60",
        "design wave --target win=40%@thumb --change talk -n 2000",
    ],
)
def test_deck_without_a_card_is_played(words: str, tmp_path: Path) -> None:
    """With a knob turned and a name: every command that plays other rules beside them."""
    file = tmp_path / "harbour.toml"
    file.write_text(HARBOUR)
    page = plain(good(words, "--rules", str(file)))
    assert "Harbour" in page
    assert "sky 5 is out now; 33 cards, not 34" in page


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
    return {path.name: drawn_in(path) for path in (folder / "figures").glob("*.svg")}


def test_report_names_the_variant(own: str, tmp_path: Path) -> None:
    """Without the sections that play long; a slow test has them all."""
    names = {step.name for step in SECTIONS} - {"suggestions", "decisions", "open-rules"}
    few = replace(TINY, counts=TINY.counts | {"bound": False})
    with only_sections(*names), sketched(None):
        page = made(
            Asked("wave", players=(3,), variants=(), settings=(), files=(own,)),
            tmp_path / "report",
            effort=few,
            seed=39,
        )
    assert_names_the_variant(page.parent)


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
    assert [name for name, picture in drawn.items() if NAME not in picture] == []
    assert [
        name for name, picture in drawn.items() if COLUMN.search(picture) or re.search(r"\.toml|a-file", picture)
    ] == []
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
