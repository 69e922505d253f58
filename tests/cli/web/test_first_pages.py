"""While a game is compiled, a process without the compiler answers at the same address; the change loses no move."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise

import pytest

from houle.cli.play.app import NEEDS, make_app
from houle.cli.web import server
from houle.cli.web.guard import Guard
from houle.cli.web.preparing import Preparation, Prepared, Work
from houle.cli.web.server import Loading
from houle.solver.language.languages import ENGLISH
from tests.support.browser import Browser
from tests.support.call import PATIENCE
from tests.support.playing import WORD, Client, Guest, found, move_on, seated

pytestmark = pytest.mark.compiled

SEED = 7  # a deal whose first decision is forced
MOVE = ".on-card:not(.some):not(.told)"
COMMAND = ["play", "wave", "-p", "3", "--seed", str(SEED)]


def moved(client: Client, page: str) -> str:
    """The address after the first move of a page."""
    address, body = move_on(page)
    status, headers, text = client.ask(address, "POST", body)
    assert status == 303, text
    return headers["location"]


@contextmanager
def first_use() -> Iterator[tuple[Client, Callable[[], None]]]:
    """A table while its game is compiled, and what ends that: it returns when the compiled pages have taken over."""
    compiling, loaded = Preparation(), threading.Event()
    compiling.works["wave"] = Work("wave", compiling=True)
    first = seated("wave", seed=SEED, players=3)
    door = server.bound(0)
    port = int(door.getsockname()[1])
    guard = Guard(Loading(lambda: Prepared(make_app(first, None, WORD), NEEDS, "wave", compiling), ENGLISH), WORD)
    guard.open_for(port)
    compiled = server.server_of(guard)
    loading = threading.Thread(target=loaded.wait, args=(PATIENCE,), daemon=True)
    loading.start()

    def serve() -> None:
        server.first_pages(compiled, loading, door, COMMAND)
        compiled.run(sockets=[door])

    def take_over() -> None:
        compiling.works["wave"].done.set()
        loaded.set()
        end = time.monotonic() + PATIENCE
        while not compiled.started:
            assert time.monotonic() < end
            time.sleep(0.01)
        assert compiled.before is not None
        compiled.before.wait(PATIENCE)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOULE_TOKEN", WORD)
        patch.setattr(server, "PREPARATION", compiling)
        serving = threading.Thread(target=serve, daemon=True)
        serving.start()
        try:
            yield Client(port), take_over
        finally:
            loaded.set()
            compiled.should_exit = True
            serving.join(PATIENCE)


def test_change_to_compiled_pages_loses_no_move() -> None:
    with first_use() as (client, take_over):
        _, page = client.follow("")  # waits until somebody answers
        assert client.ask("/wrong-token-of-22-signs/table")[0] == 403
        assert "You can already play" in client.ask("compiling")[2]
        after = moved(client, page)
        _, _, page = client.ask(after)
        query = after.partition("?")[2]
        status, _, words = client.ask(f"hint?worlds=5&{query}", x_part="hint")
        assert (status, words.startswith("Preparing WAVE.")) == (503, True)
        assert "http-equiv" in client.ask(f"hint?worlds=5&{query}")[2]  # without a script the page asks again
        later = moved(client, page)
        take_over()
        status, _, page = client.ask(later)
        assert status == 200
        assert client.ask("compiling")[2] == ""
        last = moved(client, page)
    moves = [found(r"moves=(\w+)", address) for address in (after, later, last)]
    assert all(more.startswith(less) and len(more) > len(less) for less, more in pairwise(moves))


@pytest.mark.browser
def test_a_hint_comes_when_its_game_is_compiled(browser: Browser) -> None:
    """Pressed before, alone and with the guide of a first game: the page waits where it is."""
    with first_use() as (client, take_over):
        guest = Guest(browser, 1280)
        guest.go(f"http://127.0.0.1:{client.port}/{WORD}/")
        guest.click(".bar #guided")
        assert "Only one move is possible here." in guest.text("#guide")
        guest.click(MOVE)
        guest.wait_for("document.querySelector('#hint').innerText.includes('Preparing WAVE')")
        guest.wait_for("document.querySelector('#compiling').innerText.includes('You can already play')")
        browser.ask("window.here = 1")
        take_over()
        guest.wait_for("document.querySelector('#hint .advice') !== null")
        guest.wait_for("document.querySelector('#compiling') === null")
        guest.note()
        assert browser.ask("window.here") == 1  # the page was not loaded again
        assert [line for line in guest.complaints if "503" not in line] == []
