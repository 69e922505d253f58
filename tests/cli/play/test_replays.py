"""A page replays the game at most once, and the page after a move replays nothing."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from starlette.applications import Starlette

from houle.analysis.play.table_game import Course, Sitting, people_and, sit_down
from houle.cli.play.app import make_app
from houle.solver.rules import make_setup
from tests.support.asking import ask
from tests.support.playing import WORD

pytestmark = pytest.mark.quick


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of moves of every game that was replayed since."""
    found: list[int] = []
    replay = Course.__init__

    def counted(course: Course, sitting: Sitting) -> None:
        found.append(len(sitting.moves))
        replay(course, sitting)

    monkeypatch.setattr(Course, "__init__", counted)
    return found


def app_of(people: list[int], record: Path | None = None) -> Starlette:
    wave = make_setup("wave", 3)
    first = sit_down(wave, people_and(wave, people, ["random"]), 7)
    return make_app(first, str(record) if record else None, WORD)


def link(page: str, name: str) -> str:
    match = re.search(rf'(?:action|href)="({name}\?[^"]*)"', page)
    assert match
    return f"/{WORD}/{unescape(match[1])}"


def clicked(app: Starlette, page: str) -> tuple[str, str]:
    """The address and the page after the first move of a page."""
    pick = re.search(r'<button name="pick" value="(\d+)"', page)
    ply = re.search(r'name="ply" value="(\d+)"', page)
    assert pick
    assert ply
    status, headers, _ = ask(app, link(page, "move"), "POST", f"ply={ply[1]}&pick={pick[1]}")
    assert status == 303
    status, _, text = ask(app, headers["location"])
    assert status == 200
    return headers["location"], text


def opened(app: Starlette) -> str:
    return ask(app, ask(app, f"/{WORD}/")[1]["location"])[2]


def test_a_clicked_move_replays_nothing(replays: list[int], tmp_path: Path) -> None:
    """The page before it is known. A record file is written too."""
    app = app_of([0], tmp_path / "game.txt")
    address, page = clicked(app, opened(app))
    replays.clear()
    for _ in range(2):
        address, page = clicked(app, page)
    assert replays == []
    assert (tmp_path / "game.txt").read_text().count("move ") == len(address.partition("moves=")[2])
    ask(app, link(page, "undo"), "POST")
    assert replays == []


def test_an_unknown_link_is_replayed_once(replays: list[int]) -> None:
    """By a click and the page after it together, and by a page."""
    app = app_of([0])
    address, page = clicked(app, clicked(app, opened(app))[1])
    moves = len(address.partition("moves=")[2])
    replays.clear()
    clicked(app_of([0]), page)
    assert [number for number in replays if number] == [moves]
    for name in ("table", "moves", "record"):
        fresh = app_of([0])
        replays.clear()
        assert ask(fresh, address.replace("/table?", f"/{name}?"))[0] == 200
        assert replays == [moves], name


def test_a_link_needs_no_replay(replays: list[int]) -> None:
    """The list of moves has a link back to each own decision."""
    app = app_of([0, 1, 2])
    page = ask(app, f"{ask(app, f'/{WORD}/')[1]['location']}&open=1")[2]
    replays.clear()
    for _ in range(3):
        address, page = clicked(app, page)
        seat = re.search(r"&amp;open=(\d)", page)
        if 'id="uncover"' in page and seat:
            address = f"{address}&open={seat[1]}"
            page = ask(app, address)[2]
    listed = ask(app, address.replace("/table?", "/moves?"))[2]
    assert listed.count('class="what-if"') == 3
    assert replays == []
