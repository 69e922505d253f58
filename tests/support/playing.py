"""The pages of `houle play` for tests: a server in this process or in a new one, and a user who clicks."""

from __future__ import annotations

import http.client
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from starlette.types import ASGIApp

from houle.analysis.play.link import read_link
from houle.analysis.play.table_game import Course, Sitting, choices, people_and, sit_down
from houle.analysis.players.line_ups import setup
from houle.cli.play.app import NEEDS, make_app
from houle.cli.web.guard import Guard
from houle.cli.web.preparing import PREPARATION, Prepared
from houle.cli.web.server import Loading, bound, server_of
from houle.solver.language.languages import ENGLISH
from houle.solver.matches.views import Row, view_of
from tests.support.browser import Browser
from tests.support.call import PATIENCE

WORD = "test-token-of-22-signs"
MIDDLE = """one => {
  const dock = document.querySelector('.dock');  // of the own hand: nothing is clicked behind it
  const block = !dock ? 'center' : dock.contains(one) ? 'nearest' : 'start';
  one.scrollIntoView({block, behavior: 'instant'});
  const box = one.getClientRects()[0];  // the first line of a link that wraps
  return [box.left + box.width / 2, box.top + box.height / 2];
}"""


KEY_CODES = {"Enter": 13, "Tab": 9, "ArrowDown": 40, "ArrowUp": 38}
OLD = "document.querySelector('main').dataset.old = 'yes'"
# Another page is there, loaded by the browser or put in by the script.
NEW = """document.readyState === 'complete' && !document.body.hasAttribute('aria-busy')
  && document.querySelector('main') !== null && !document.querySelector('main').dataset.old"""


def seated(game: str, *people: int, seed: int = 7, others: Sequence[str] = (), **facts: Any) -> Sitting:
    """A new game with people in these seats (in the first, if none is named), families or `others` in the rest."""
    rules = setup(game, **facts)
    return sit_down(rules, people_and(rules, people or (0,), others), seed)


def at_random(sitting: Sitting, most: int | None = None) -> Iterator[Course]:
    """A game in which people move at random, at each of their decisions and at its end, or up to some decision."""
    luck, course, number = random.Random(3), Course(sitting), 0
    yield course
    while not course.over and number != most:
        course, number = course.choose(luck.choice(choices(course.match))), number + 1
        yield course


def picks(page: str) -> list[str]:
    """The moves that a page offers."""
    return re.findall(r'<button name="pick" value="(\d+)"', page)


def found(pattern: str, page: str) -> str:
    """What a pattern finds on a page, which must have it."""
    match = re.search(pattern, page)
    assert match, pattern
    return unescape(match[1])


def move_on(page: str, pick: str = "") -> tuple[str, str]:
    """Where the form of the moves leads, and the body that makes one of them: the first, or this one."""
    ply = found(r'name="ply" value="(\d+)"', page)
    return found(r'action="(move\?[^"]*)"', page), f"ply={ply}&pick={pick or picks(page)[0]}"


class Client:
    """Plain HTTP requests to a local page."""

    def __init__(self, port: int, word: str = WORD) -> None:
        self.port, self.word = port, word

    def ask(
        self, path: str, method: str = "GET", body: bytes | str | None = None, **headers: str
    ) -> tuple[int, dict[str, str], str]:
        """Status, headers and text of an answer."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        full = {name.replace("_", "-"): value for name, value in headers.items()}
        line.request(method, path if path.startswith("/") else f"/{self.word}/{path}", body, full)
        answer = line.getresponse()
        text = answer.read().decode("utf-8", "replace")
        line.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, text

    def follow(self, path: str, method: str = "GET", body: str | None = None) -> tuple[str, str]:
        """The address and page after redirects, and when its game is ready."""
        status, headers, text = self.ask(path, method, body)
        if status == 303:
            return self.follow(headers["location"])
        end = time.monotonic() + PATIENCE
        while 'http-equiv="refresh"' in text and "/job?" not in path:
            assert time.monotonic() < end, f"not ready in {PATIENCE:.0f} seconds: {path}"
            time.sleep(0.05)
            status, headers, text = self.ask(path)
            if status == 303:
                return self.follow(headers["location"])
        assert status == 200, text
        return path, text


@contextmanager
def serving_here(first: Sitting, record: str | None = None) -> Iterator[Client]:
    """Serves the pages from a thread of this process."""
    with served(make_app(first, record, WORD), NEEDS, first.setup.ruleset.name) as client:
        yield client


@contextmanager
def served(app: ASGIApp, needs: frozenset[str], game: str, word: str | None = WORD) -> Iterator[Client]:
    """Serves an application from a thread of this process, with its game compiled."""
    door = bound(0)
    port = int(door.getsockname()[1])
    guard = Guard(Loading(lambda: Prepared(app, needs, game), ENGLISH), word)
    guard.open_for(port)
    PREPARATION.start(game).done.wait(PATIENCE)
    server = server_of(guard)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
    thread.start()
    try:
        end = time.monotonic() + PATIENCE
        while not server.started:
            assert thread.is_alive(), "the server ended before it served a page"
            assert time.monotonic() < end, f"the server did not start in {PATIENCE:.0f} seconds"
            time.sleep(0.01)
        yield Client(port)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


@contextmanager
def serving(*words: str, port: int = 0, state: Path | None = None, **variables: str) -> Iterator[str]:
    """Runs `houle WORDS` in a new process; yields the address it prints. `state` is its state folder."""
    command = [sys.executable, "-m", "houle.cli.main", *words, "--no-open", "--port", str(port)]
    variables |= {"HOULE_STATE_DIR": str(state)} if state else {}
    environment = os.environ | {"HOULE_TOKEN": WORD, "PYTHONUNBUFFERED": "1"} | variables
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    ending = threading.Timer(PATIENCE, process.kill)  # a server that prints nothing must not stop the tests
    ending.start()
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("open  http://127.0.0.1:"), line or f"no address in {PATIENCE:.0f} seconds"
        ending.cancel()
        yield line.split()[1]
    finally:
        ending.cancel()
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def at_the_table(browser: Browser, first: Sitting, width: int, height: int = 900, page: str = "") -> Iterator[Guest]:
    """A user at the page of a game that a thread of this process serves."""
    with serving_here(first) as client:
        guest = Guest(browser, width)
        guest.resize(width, height)
        guest.home = f"http://127.0.0.1:{client.port}/{WORD}/"
        guest.go(guest.home + page)
        yield guest


class Guest:
    """A user with a mouse."""

    def __init__(self, browser: Browser, width: int) -> None:
        self.browser, self.width = browser, width
        self.urls, self.complaints = list[str](), list[str]()
        self.bodies: list[tuple[str, str]] = []  # address and response body
        self.home = ""
        self.resize(width)

    def resize(self, width: int, height: int = 900) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.browser.call("Emulation.setDeviceMetricsOverride", **size)

    def go(self, url: str) -> None:
        self.browser.events.clear()
        self.browser.call("Page.navigate", url=url)
        self._arrive()

    def reload(self) -> None:
        self.browser.events.clear()
        self.browser.call("Page.reload")
        self._arrive()

    def back(self) -> None:
        history = self.browser.call("Page.getNavigationHistory")
        entry = history["entries"][history["currentIndex"] - 1]
        self.browser.events.clear()
        self.browser.call("Page.navigateToHistoryEntry", entryId=entry["id"])
        # The browser may show a cached page without loading it again.
        self.wait_for(f"location.href === {entry['url']!r} && document.readyState === 'complete'")
        self.note()

    def click(self, selector: str, leaves: bool = True) -> None:
        """Clicks the middle of an element; `leaves`: the click loads another page."""
        spot = self.browser.ask(f"({MIDDLE})(document.querySelector({selector!r}))")
        self.browser.events.clear()
        if leaves:
            self.browser.ask(OLD)
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.call("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1], button="left", clickCount=1)
        if leaves:
            self.wait_for(NEW)
            self.note()

    def press(self, key: str, leaves: bool = False) -> None:
        """Presses a key; `leaves`: that shows another page."""
        self.browser.events.clear()
        if leaves:
            self.browser.ask(OLD)
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            code = {"windowsVirtualKeyCode": KEY_CODES[key], "code": key} if key in KEY_CODES else {}
            typed = code | text if kind == "keyDown" else code
            self.browser.call("Input.dispatchKeyEvent", type=kind, key=key, **typed)
        if leaves:
            self.wait_for(NEW)
            self.note()

    def _arrive(self) -> None:
        """Waits for the page, and for the game if the page says that it is being prepared."""
        self.browser.await_load()
        self.wait_for("document.readyState === 'complete' && !document.querySelector('.waiting')")
        self.note()

    def note(self) -> None:
        """Stores the requests, responses and console errors since the last page."""
        where = self.address
        end = time.monotonic() + PATIENCE
        while True:
            try:
                bodies = list(self._answers(where))
                break
            except RuntimeError:
                # A page that waits goes on by itself: its body is gone, and the next one is on its way.
                assert time.monotonic() < end
                time.sleep(0.1)
                where = self.address
        self.urls += self.browser.requests()
        self.complaints += self.browser.complaints()
        self.bodies += bodies

    def _answers(self, where: str) -> Iterator[tuple[str, str]]:
        """Address and body of the page that is shown and of what it asked for; a RuntimeError if a body is gone."""
        answers = [
            event["params"] for event in self.browser.events if event.get("method") == "Network.responseReceived"
        ]
        pages = [place for place, answer in enumerate(answers) if answer["type"] == "Document"]
        for answer in answers[pages[-1] if pages else 0 :]:  # what came before the page that is shown is gone
            if answer["type"] not in ("Document", "Fetch") or answer["response"]["url"].endswith("/web.css"):
                continue  # the style is asked for to see whether the server is there
            body = self.browser.call("Network.getResponseBody", requestId=answer["requestId"])["body"]
            url = str(answer["response"]["url"])  # a page that goes on by itself is not the one that is shown
            yield (url if "moves=" in url else where, body)

    @property
    def overflow(self) -> int:
        """By how many pixels the page is too wide."""
        return int(self.browser.ask("document.documentElement.scrollWidth - document.documentElement.clientWidth"))

    @property
    def address(self) -> str:
        return str(self.browser.ask("location.href"))

    def has(self, selector: str) -> bool:
        return bool(self.browser.ask(f"document.querySelector({selector!r}) !== null"))

    def sees(self, selector: str) -> bool:
        """Whether the first such element is shown; phones hide moves that a tap on a card makes."""
        one = f"document.querySelector({selector!r})"
        return bool(self.browser.ask(f"{one} !== null && {one}.offsetParent !== null"))

    def text(self, selector: str = "main") -> str:
        return str(self.browser.ask(f"document.querySelector({selector!r}).innerText"))

    def wait_for(self, expression: str) -> None:
        end = time.monotonic() + PATIENCE
        while not self._holds(expression):
            assert time.monotonic() < end, f"not in {PATIENCE:.0f} seconds: {expression}"
            time.sleep(0.02)

    def _holds(self, expression: str) -> bool:
        """Whether an expression is true; between two pages it is not."""
        try:
            return bool(self.browser.ask(expression))
        except RuntimeError:
            return False


def labels(rows: list[Row]) -> set[str]:
    """The labels of the drawn cards."""
    texts = set()
    for row in rows:
        for card in row["cards"]:
            words = " ".join(str(card[part]) for part in ("name", "top") if card.get(part))
            texts |= {words} if words and not card.get("hidden") else set()
    return texts


def hidden_labels(course: Course, seat: int) -> set[str]:
    """Labels of cards that other seats see and this seat does not."""
    setup, state = course.setup, course.match.state
    others = [labels(view_of(state, setup, other)) for other in range(setup.players) if other != seat]
    return set().union(*others) - labels(view_of(state, setup, seat))


def shown_labels(body: str) -> set[str]:
    """The cards of a page by their accessible names, which go on after a comma or a semicolon, or by their text."""
    names = re.findall(r'aria-label="([^"]*)"', body) + re.findall(r'class="text-card[^>]*><b>([^<]*)</b>', body)
    said = {re.split("[,;]", unescape(name))[0] for name in names}
    return said | {re.sub(r"^(\d+) (.+)$", r"\2 \1", name) for name in said}  # a button begins as its face shows


def leaks(address: str, body: str) -> set[str]:
    """Hidden cards that a page of a game in progress shows, in drawings or in text."""
    query = urlsplit(address).query
    if "game=" not in query or "moves=" not in query:
        return set()
    course = Course(read_link(query))
    if course.over or course.to_move < 0:
        return set()
    # The tables between two moves show what was open then; its cards may have been dealt again since.
    frames = re.findall(r'<template class="frame" data-number="(\d+)">(.*?)</template>', body, re.DOTALL)
    body = re.sub(r"<template.*?</template>", "", body, flags=re.DOTALL)
    hidden = hidden_labels(course, course.to_move)
    leaked = hidden & shown_labels(body)
    for number, frame in frames:
        leaked |= hidden_labels(course.until(int(number)), course.to_move) & shown_labels(frame)
    if course.setup.ruleset.name in ("wave", "sea-change"):  # the names of their cards are no ordinary words
        # The history of a game with rounds names cards that were dealt again.
        text = re.sub(r"<li.*?</li>", "", body, flags=re.DOTALL) if "round " in body else body
        leaked |= {label for label in hidden if re.search(rf"\b{re.escape(label)}\b", text)}
    return leaked


def filled_in(page: str) -> str:
    """The page without the cards to choose from, the examples, and lines that only say what a card may be."""
    cut = r'<div class="palettes".*?(?=<p><label for="text">)|placeholder="[^"]*"|[^\n]*(?:may be|is not)[^\n]*\n'
    return re.sub(cut, "", page, flags=re.DOTALL)


def swapped(course: Course, seat: int, key: int) -> tuple[Course, int]:
    """The same game with other cards where the seat sees none, now and at earlier moves; how many moves differ.

    An earlier move keeps its cards if it is not possible with others, or shows the seat something else then.
    """
    other, differ = copy(course), 0
    other.match, other.made = course.match.imagine(seat, key), []
    for made in course.made:
        world = course.match_before(made).imagine(seat, key)
        real = course.match_before(made)
        real.states = made.after
        before = world.states.copy()
        if made.action in world.moves():
            world.apply(made.action)
            if world.knows(seat) == real.knows(seat) and not np.array_equal(world.states, real.states):
                made, differ = replace(made, before=before, after=world.states.copy()), differ + 1
        other.made.append(made)
    return other, differ
