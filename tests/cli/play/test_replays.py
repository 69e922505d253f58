"""A page replays the game at most once, and the page after a move replays nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.applications import Starlette

from houle.analysis.play.table_game import Course, Sitting
from houle.cli.play.app import make_app
from tests.support.asking import ask
from tests.support.playing import WORD, found, move_on, seated

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
    return make_app(seated("wave", *people, others=["random"]), str(record) if record else None, WORD)


def clicked(app: Starlette, page: str) -> tuple[str, str]:
    """The address and the page after the first move of a page."""
    address, body = move_on(page)
    status, headers, _ = ask(app, f"/{WORD}/{address}", "POST", body)
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
    ask(app, f"/{WORD}/" + found(r'action="(undo\?[^"]*)"', page), "POST")
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
