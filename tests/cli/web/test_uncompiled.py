"""While a game is compiled, a process without the compiler answers; the change to compiled pages loses no move."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from html import unescape

import pytest

from houle.analysis.play.link import link_of
from houle.analysis.play.table_game import people_and, sit_down
from houle.analysis.players.line_ups import setup
from houle.cli import warm
from houle.cli.play.app import NEEDS, make_app
from houle.cli.web import preparing, uncompiled
from tests.support import playing
from tests.support.call import PATIENCE
from tests.support.playing import WORD, Client, served

pytestmark = pytest.mark.compiled

WAVE = setup("wave", players=3)
SEED = 7
NOTICE = 'id="compiling"'


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """A compiler that is ready when the event is set."""
    ready = threading.Event()
    monkeypatch.setenv("HOULE_TOKEN", WORD)
    monkeypatch.setattr(preparing, "_has_compiler", lambda: True)
    monkeypatch.setattr(preparing, "is_warm", lambda game: False)
    monkeypatch.setattr(preparing, "_loaded_from_cache", lambda game: False)
    monkeypatch.setattr(preparing, "compile_apart", lambda game: ready.wait(PATIENCE) and False)
    monkeypatch.setattr(warm, "warm", lambda game: None)
    preparation, process = preparing.Preparation(), uncompiled.Uncompiled()
    process.words = ["play", "wave", "-p", "3", "--seed", str(SEED)]
    preparation.loaded = True
    monkeypatch.setattr(preparing, "UNCOMPILED", process)
    waits_for_nothing = preparing.Preparation()
    waits_for_nothing.works["wave"] = preparing.Work("wave")
    waits_for_nothing.works["wave"].done.set()
    monkeypatch.setattr(playing, "PREPARATION", waits_for_nothing)
    monkeypatch.setattr(preparing.Prepared.__init__, "__defaults__", (preparation, "en"))
    yield ready
    ready.set()
    process.end()


def until(client: Client, path: str, notice: bool) -> str:
    """The page of an address when it begins, or no longer begins, with what is being compiled."""
    end = time.monotonic() + PATIENCE
    while True:
        assert time.monotonic() < end
        _, _, page = client.ask(path)
        if "http-equiv" not in page and (NOTICE in page) == notice:
            return page
        time.sleep(0.2)


def moved(client: Client, page: str) -> str:
    """The address after the first move of a page."""
    form = re.search(r'action="(move\?[^"]*)"', page)
    ply, pick = re.search(r'name="ply" value="(\d+)"', page), re.search(r'name="pick" value="(\d+)"', page)
    assert form
    assert ply
    assert pick
    status, headers, text = client.ask(unescape(form[1]), "POST", f"ply={ply[1]}&pick={pick[1]}")
    assert status == 303, text
    return headers["location"]


def moves_in(address: str) -> str:
    found = re.search(r"moves=(\w*)", address)
    assert found
    return found[1]


def test_change_to_compiled_pages_loses_no_move(compiler: threading.Event) -> None:
    first = sit_down(WAVE, people_and(WAVE, [0], ()), SEED)
    with served(make_app(first, None, WORD), NEEDS, "wave") as client:
        start = f"table?{link_of(first)}"
        page = until(client, start, notice=True)
        assert "You can already play" in page
        after = moved(client, page)
        page = until(client, after, notice=True)
        assert client.ask(f"hint?worlds=5&{after.partition('?')[2]}", x_part="hint")[0] == 503  # only compiled
        later = moved(client, page)
        compiler.set()
        page = until(client, later, notice=False)
        last = moved(client, page)
    assert moves_in(after)
    assert moves_in(later).startswith(moves_in(after))
    assert moves_in(last).startswith(moves_in(later))
    assert len(moves_in(last)) > len(moves_in(later)) > len(moves_in(after))


@pytest.mark.quick
def test_notice_stands_at_the_top_of_a_page() -> None:
    page = uncompiled.with_words(b'<html><body class="x"><main></main></body></html>', "23 s left & <more>")
    assert page.startswith(b'<html><body class="x"><p class="notice" role="status" id="compiling">23 s left &amp; &lt;')
    assert page.endswith(b"</p><main></main></body></html>")
