"""A game that is not compiled yet: its pages say so and go on by themselves; the address comes first."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message

from houle.cli.waiting import ALL, FAMILIES, usual_seconds
from houle.cli.web.preparing import Preparation, Prepared, Work
from houle.cli.web.server import Loading
from tests.support.call import PATIENCE
from tests.support.playing import serving

QUAY = Path(__file__).parents[3] / "examples" / "games" / "quay" / "quay"


def until_ready(address: str) -> list[str]:
    """What an address shows until its game is compiled: pages, and the notice of pages that do not wait."""
    pages: list[str] = []
    end = time.monotonic() + PATIENCE
    while True:
        assert time.monotonic() < end, f"not ready in {PATIENCE:.0f} seconds: {pages[-1][:500]}"
        with urlopen(Request(address), timeout=PATIENCE) as answer:
            pages.append(answer.read().decode())
        with urlopen(Request(f"{address}compiling"), timeout=PATIENCE) as answer:
            pages.insert(-1, answer.read().decode())
        if "http-equiv" not in pages[-1] and not pages[-2]:
            return pages
        time.sleep(0.3)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["play", "studio"])
def test_a_cold_game_is_prepared_visibly(tmp_path: Path, command: str) -> None:
    game, cold = ("quay", "--game-path", str(QUAY)), str(tmp_path / "cache")
    with serving(command, *game, state=tmp_path / "state", HOULE_CACHE_DIR=cold) as address:
        pages = until_ready(address)
        assert any("Preparing " in page for page in pages)
        assert "Preparing " not in pages[-1]
        assert "quay" in (tmp_path / "state" / "compile-seconds.json").read_text()


@pytest.mark.compiled
def test_a_compiled_game_is_only_loaded() -> None:
    preparation = Preparation()
    work = preparation.start("wave")
    assert preparation.start("wave") is work
    assert work.done.wait(PATIENCE)
    assert not work.compiling
    assert preparation.open == []


@pytest.mark.quick
@pytest.mark.parametrize(("headers", "status"), [([(b"x-part", b"hint")], 503), ([], 200)])
def test_a_script_that_asks_for_a_part_gets_no_page_that_waits(headers: list[tuple[bytes, bytes]], status: int) -> None:
    """While the pages are loaded too: a page that loads itself again would do so inside the table."""
    done, sent = threading.Event(), list[Any]()
    loading = Loading[Any](done.wait, "en")

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/token/hint", "headers": headers, "query_string": b""}
    asyncio.run(loading(scope, receive, send))
    done.set()
    assert sent[0]["status"] == status
    assert (b"http-equiv" in sent[1]["body"]) == (status == 200)


@pytest.mark.quick
@pytest.mark.parametrize(("page", "waits"), [("studio", False), ("table", True), ("a-file", False)])
def test_a_page_waits_for_what_it_needs(page: str, waits: bool) -> None:
    """The studio for families, a table for the whole game, anything else for nothing."""
    preparation, sent = Preparation(), list[Any]()
    work = preparation.works["wave"] = Work("wave", FAMILIES, compiling=True)
    pages = Prepared(PlainTextResponse("the page"), {"studio": FAMILIES, "table": ALL}, "wave", preparation)

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        sent.append(message)

    def answered() -> bytes:
        sent.clear()
        scope = {"type": "http", "method": "GET", "path": f"/token/{page}", "headers": [], "query_string": b""}
        asyncio.run(pages(scope, receive, send))
        return bytes(sent[1]["body"])

    assert (b"Preparing WAVE" in answered()) == (page in pages.needs)
    work.families.set()
    assert (b"Preparing WAVE" in answered()) == waits
    work.done.set()
    assert answered() == b"the page"


@pytest.mark.quick
def test_the_estimate_is_what_was_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    before = usual_seconds("wave")
    (tmp_path / "compile-seconds.json").write_text('{"all": {"wave": 31.5, "land-unter": 20.5}}')
    assert before == 30.0
    assert usual_seconds("wave", FAMILIES) == 15.0
    assert usual_seconds("wave") == 31.5
    assert usual_seconds("sea-change") == 26.0
    (tmp_path / "compile-seconds.json").write_text("[1")
    assert usual_seconds("wave") == 30.0
