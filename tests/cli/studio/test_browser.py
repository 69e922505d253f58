"""A visit to the studio in Chromium: rules are turned by clicks and keys, buttons, reload, another server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from houle.cli.commands.studio import sent_page
from houle.cli.framework.options import Asked
from houle.cli.studio import jobs
from houle.solver.rules import make_setup
from tests.cli.play.test_browser import free_port
from tests.support.axe import violations
from tests.support.browser import Browser
from tests.support.call import PATIENCE
from tests.support.playing import WORD, Guest, serving
from tests.support.studio import studio_here, walk_to_target

pytestmark = pytest.mark.browser

WAVE = "game=wave&players=3"
SENTENCE = "document.querySelector('#sentence').innerText"
KNOB = '.knob[data-knob="{}"]'


class Visitor(Guest):
    """A user of pages that replace themselves: only requests and complaints are stored."""

    def __init__(self, browser: Browser, width: int) -> None:
        super().__init__(browser, width)
        self.go("about:blank")  # the page of an earlier test would go on asking its server
        self.urls.clear(), self.complaints.clear()

    def note(self) -> None:
        self.urls += self.browser.requests()
        self.complaints += self.browser.complaints()


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))


def put(guest: Guest, field: str, value: str, event: str = "input") -> None:
    """Gives a field a value as a user does."""
    change = f"one.value = {value!r}; one.dispatchEvent(new Event({event!r}, {{bubbles: true}}));"
    guest.browser.ask(f"(one => {{ {change} }})(document.querySelector({field!r}))")


def turn(guest: Guest, knob: str, value: str) -> None:
    """Sets a rule and waits until the page is about it."""
    put(guest, f"{KNOB.format(knob)} [data-plain]", value)
    guest.wait_for(f"location.search.includes('set+{knob}={value}')")
    guest.wait_for(f"{SENTENCE}.includes('(printed rules') || {SENTENCE}.includes('equal share')")


def take_out_a_card(guest: Guest) -> None:
    out = "document.querySelector('#cards a[aria-label^=\"red 3, out\"]')"
    guest.browser.ask("document.querySelector('[data-panel=cards]').open = true; 1")
    guest.wait_for(f"{out} !== null")
    guest.browser.ask(f"{out}.click(); 1")
    guest.wait_for("location.search.includes('red+3')")
    guest.wait_for("document.querySelector('#differs').innerText.includes('red 3 is out')")


def ready(guest: Guest) -> None:
    """Waits until the page is there and has numbers."""
    guest.wait_for("document.querySelector('#sentence') !== null")
    guest.wait_for("document.documentElement.classList.contains('live')")  # the script runs
    guest.wait_for(f"!{SENTENCE}.startsWith('Counting') && !{SENTENCE}.startsWith('Les premières')")


@contextmanager
def at_the_studio(browser: Browser, width: int) -> Iterator[tuple[Visitor, str]]:
    """A visitor of the studio of WAVE for three, with numbers on the page, and the address of its server."""
    with studio_here(make_setup("wave", 3)) as client:
        home = f"http://127.0.0.1:{client.port}/{WORD}/"
        guest = Visitor(browser, width)
        guest.go(f"{home}studio?{WAVE}")
        ready(guest)
        yield guest, home
        browser.call("Page.navigate", url="about:blank")  # it would ask the server on, which is gone then


def no_complaints(guest: Guest, home: str) -> None:
    guest.note()
    assert guest.complaints == []
    assert [url for url in guest.urls if not url.startswith(home)] == []
    assert guest.overflow <= 0


@pytest.mark.slow
def test_a_turned_rule_changes_the_answer(browser: Browser) -> None:
    with at_the_studio(browser, 1280) as (guest, home):
        assert guest.browser.ask(SENTENCE).startswith("Families win")
        turn(guest, "hand.back", "3")
        assert "hand.back = 3, not 2" in guest.text("#differs")
        guest.click(KNOB.format("hand.back") + " .undo", leaves=False)
        guest.wait_for(f"location.search === '?{WAVE}'")
        no_complaints(guest, home)


# The last rule that is a choice; lists may be refused.
LAST = """(() => {
  const item = Array.from(document.querySelectorAll('#alive .knob')).reverse().find(one => one.querySelector('select'));
  item.scrollIntoView({block: 'center', behavior: 'instant'});
  return item.dataset.knob;
})()"""
# The picture of the target is whole in the window, and nothing lies above it.
IN_SIGHT = """(() => {
  const box = document.querySelector(innerWidth < 600 ? '#small svg' : '#aim svg').getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.height > 10 && box.width > 200 && box.top >= 0 && box.bottom <= innerHeight
    && document.querySelector(innerWidth < 600 ? '#small' : '#aim').contains(top);
})()"""


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.slow)])
def test_the_picture_stays_while_rules_are_turned(browser: Browser, width: int) -> None:
    """After the last choice is turned, the picture is in the window; the old numbers are grey until new ones come."""
    with at_the_studio(browser, width) as (guest, home):
        order = "Array.from(document.querySelectorAll('.knob')).map(one => one.dataset.knob).join()"
        before = browser.ask(order)
        rule = browser.ask(LAST)
        assert browser.ask(IN_SIGHT)
        control = f"document.querySelector('{KNOB.format(rule)} [data-plain]')"
        old, status = browser.ask(
            f"{control}.selectedIndex = {control}.selectedIndex ? 0 : 1; "
            f"{control}.dispatchEvent(new Event('input', {{bubbles: true}})); "
            "[document.body.classList.contains('stale'), "
            "document.querySelector('#status').innerText]"
        )
        assert old  # asked at once, because new numbers come soon
        assert "settled" not in status
        guest.wait_for("location.search.includes('set+')")
        guest.wait_for("!document.body.classList.contains('stale')")
        assert browser.ask(IN_SIGHT)
        assert browser.ask(order) == before
        no_complaints(guest, home)


@pytest.mark.slow
def test_every_change_is_undone_and_redone(browser: Browser) -> None:
    """A rule, a card, the number of players and the target; the page is not left."""
    with at_the_studio(browser, 1280) as (guest, _):
        browser.ask("window.stays = 1")
        addresses = [browser.ask("location.search")]
        turn(guest, "hand.back", "3")
        addresses.append(browser.ask("location.search"))
        take_out_a_card(guest)
        addresses.append(browser.ask("location.search"))
        put(guest, "[name=players]", "4", "change")
        guest.wait_for("location.search.includes('players=4')")
        addresses.append(browser.ask("location.search"))
        put(guest, "#low", "20")
        guest.wait_for("location.search.includes('target=20')")
        for way, seen in (("undo", addresses[::-1]), ("redo", addresses[1:])):
            for address in seen:
                browser.ask(f"document.querySelector('#{way}').click(); 1")
                guest.wait_for(f"location.search === {address!r}")
                guest.wait_for(f"document.querySelector('[name=last]').value === {address[1:]!r}")
            assert way == "redo" or browser.ask("document.querySelector('#undo').disabled")
        guest.wait_for("document.querySelector('.knob[data-knob=\"hand.back\"] [data-plain]').value === '3'")
        assert browser.ask("window.stays") == 1


@pytest.mark.slow
@pytest.mark.parametrize("language", ["", "fr/"])
@pytest.mark.parametrize("width", [1280, 390])
def test_pages_are_accessible(browser: Browser, width: int, language: str) -> None:
    with studio_here(make_setup("wave", 3)) as client:
        home = f"http://127.0.0.1:{client.port}/{WORD}/"
        guest = Visitor(browser, width)
        for scheme in ("light", "dark"):
            wanted = [{"name": "prefers-color-scheme", "value": scheme}]
            browser.call("Emulation.setEmulatedMedia", features=wanted)
            for query in (f"{WAVE}&set+hand.back=3", "game=land-unter&players=3&set+hand=10"):
                guest.go(f"{home}{language}studio?{query}")
                ready(guest)
                browser.ask("document.querySelectorAll('details').forEach(one => { one.open = true; }); 1")
                guest.wait_for("document.querySelector('#cards td') !== null")
                assert violations(browser) == []
                browser.ask("document.querySelector('[data-tab=right]').click()")
                assert violations(browser) == []
                assert guest.overflow <= 0


@pytest.mark.slow
def test_a_whole_visit(browser: Browser, tmp_path: Path) -> None:
    """Rules of two games, a card, target, play, pin, reload, another server, report."""
    port, guest = free_port(), Visitor(browser, 1280)
    studio = ("studio", "wave", "-p", "3")
    with serving(*studio, port=port, state=tmp_path) as home:
        guest.go(home)
        ready(guest)
        for knob, value in (("hand.back", "3"), ("hand.front", "4"), ("talk", "open"), ("tide.numbers", "true")):
            turn(guest, knob, value)
        take_out_a_card(guest)
        put(guest, "#high", "60")
        guest.wait_for("location.search.includes('target=38..60')")
        guest.wait_for(f"{SENTENCE}.includes('target 38 to 60%')")
        refused = f"document.querySelector('{KNOB.format('hand.back')} .refused')"
        put(guest, KNOB.format("hand.back") + " [data-plain]", "99")
        guest.wait_for(f"!{refused}.hidden && {refused}.innerText.includes('99 is not allowed')")
        guest.complaints.clear()  # the browser logs the refusal, which is a 422
        browser.events.clear()
        here = guest.address
        guest.click("#play")
        assert "/table?" in guest.address
        assert "set+hand.back=3" in guest.address
        guest.go(here)
        ready(guest)
        guest.click("#pin", leaves=False)
        guest.wait_for("document.querySelector('#pins') !== null")
        guest.reload()
        assert "red+3" in guest.address
        ready(guest)
        guest.go(f"{home}studio?game=vague-attaque&players=3")
        ready(guest)
        turn(guest, "hand_limit", "6")
        turn(guest, "die", "8")
        no_complaints(guest, home)
        last = guest.address
    browser.events.clear()
    guest.wait_for("!document.querySelector('#gone').hidden")
    with serving(*studio, port=port, state=tmp_path) as again:  # the page goes on by itself
        assert again == home
        guest.wait_for("document.querySelector('#gone').hidden")
        guest.go(last)
        ready(guest)
        assert "die = 8, not 6" in guest.text("#differs")
        end = time.monotonic() + PATIENCE
        while "hand_limit" not in guest.text("#log"):
            assert time.monotonic() < end, "the log lost what was tried"
            time.sleep(0.2)
        guest.go(f"{home}studio?{WAVE}")
        ready(guest)
        browser.ask("document.querySelector('#report').form.removeAttribute('target'); 1")
        guest.click("#report")
        guest.wait_for("location.href.includes('report-page')")
        assert "WAVE" in guest.text("body")


@pytest.mark.slow
def test_a_target_is_reached_and_sent(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page to send opens without a server, and in the studio again."""
    monkeypatch.setattr(jobs, "SEARCH_TIME", "90s")
    with studio_here(make_setup("wave", 3)) as client:
        walk = walk_to_target(Visitor(browser, 1280), f"http://127.0.0.1:{client.port}/{WORD}/", 25, 35)
        browser.call("Page.navigate", url="about:blank")
    file = tmp_path / "sent.html"
    file.write_text(walk.page)
    browser.open(file, 1280)
    assert "Families" in browser.ask("document.querySelector('.lead').innerText")
    assert browser.requests() == [file.resolve().as_uri()]
    assert browser.complaints() == []
    again = sent_page(Asked(str(file)))
    assert again is not None
    assert again[0].query == walk.query
    with serving("studio", str(file), state=tmp_path / "other") as home:
        guest = Visitor(browser, 1280)
        guest.go(home)
        ready(guest)
        assert browser.ask("location.search.slice(1)") == walk.query
        browser.call("Page.navigate", url="about:blank")
