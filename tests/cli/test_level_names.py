"""Who asks for a level reads its name: in pages, data, figures, tables and the command that repeats a result."""

from __future__ import annotations

from pathlib import Path

import pytest

from houle.cli.main import COMMANDS
from houle.reports.html.write import DATA, PAGE
from tests.support.call import good
from tests.support.made_reports import report_of

pytestmark = pytest.mark.compiled

# Commands that take -s: options beside setup and players; few games, but enough to print and draw.
ASKED = {
    "simulate": ("-n", "100"),
    "compare": ("--set", "hand.back=2,3", "-n", "100"),
    "sweep": ("--set", "hand.back=2,3", "-n", "100"),
    "difficulty": ("-n", "100"),
    "trace": (),
    "strength": ("-n", "50"),
    "balance": ("-n", "100"),
}
NO_FIGURE = {"trace"}
SEVERAL = {"strength": "random,first-game,level:2.3", "difficulty": "family,level:2.3"}
# Their players are not typed, or have tests below.
WITHOUT = {
    "games", "new", "check", "rules", "tune", "review",
    "advise", "play", "players", "report", "study", "design",
    "demo", "studio",
}  # fmt: skip
BEHIND = ("level[", "slips=", "thought=", "forgets=", "nearsighted=")


def assert_only_names(text: str) -> None:
    for word in BEHIND:
        assert word not in text


@pytest.mark.quick
def test_no_command_is_forgotten() -> None:
    assert set(ASKED) | WITHOUT == set(COMMANDS)


LONG = ("balance",)  # they take seconds


@pytest.mark.parametrize("command", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in ASKED])
def test_everything_shows_the_level(command: str, tmp_path: Path) -> None:
    who = SEVERAL.get(command, "family")
    figure, table = tmp_path / "figure.svg", tmp_path / "data.csv"
    words = (command, "wave", "-p", "3", "-s", who, *ASKED[command])
    files = () if command in NO_FIGURE else ("-o", str(figure), "-o", str(table))
    page = good(*words, *files)
    assert_only_names(page)
    assert who in page.rpartition("repeat")[2] or command in NO_FIGURE
    assert_only_names(good(*words, "--json"))
    if files:
        assert_only_names(table.read_text())
        assert_only_names(figure.read_text())
    if command not in NO_FIGURE:
        assert who.rpartition(",")[2] in page.partition("time ")[0]


def test_a_study_shows_the_level(tmp_path: Path) -> None:
    spec, file, table = (tmp_path / name for name in ("study.toml", "study", "cells.csv"))
    spec.write_text('game = "wave"\nplayers = 3\nstrategies = ["family", "level:2.3"]\ngames = 200\n')
    pages = [
        good("study", "run", str(spec), "-o", str(file)),
        good("study", "show", str(file)),
        good("study", "export", str(file), "-o", str(table)),
        good("study", "show", str(file), "--json"),
        table.read_text(),
    ]
    for page in pages:
        assert_only_names(page)
    _, shown, _, data, cells = pages
    assert all(name in page for name in ("family", "level:2.3") for page in (shown, data, cells))


def test_a_target_and_its_design_show_the_level() -> None:
    page = good("design", "wave", "-p", "3", "--target", "win=30%@family", "--change", "talk", "-n", "1000")
    assert_only_names(page)
    assert "family" in page


def test_a_report_shows_the_levels(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = report_of("wave", tmp_path_factory)
    for name in (PAGE, DATA):
        assert_only_names((folder / name).read_text())
