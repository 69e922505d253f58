"""A visit to the studio in Chromium: rules are turned by clicks and keys, buttons, reload, another server."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from houle.solver.rules import make_setup
from tests.cli.play.test_browser import free_port
from tests.support.axe import violations
from tests.support.browser import Browser
from tests.support.call import PATIENCE
from tests.support.playing import WORD, Guest, serving
from tests.support.studio import studio_here

pytestmark = pytest.mark.browser

WAVE = "game=wave&players=3"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SENTENCE = "document.querySelector('#sentence').innerText"
KNOB = '.knob[data-knob="{}"]'


class Visitor(Guest):
    """A user of pages that replace themselves: only requests and complaints are stored."""

    def note(self) -> None:
        self.urls += self.browser.requests()
        self.complaints += self.browser.complaints()


def turn(guest: Guest, knob: str, value: str) -> None:
    """Sets a rule as a user does and waits until the page is about it."""
    control = f"document.querySelector('{KNOB.format(knob)} [data-plain]')"
    guest.browser.ask(f"{control}.value = {value!r}; {control}.dispatchEvent(new Event('input', {{bubbles: true}})); 1")
    guest.wait_for(f"location.search.includes('set+{knob}={value}')")
    guest.wait_for(f"{SENTENCE}.includes('→') || {SENTENCE}.includes('equal share')")


def ready(guest: Guest) -> None:
    """Waits until the page is there and has numbers."""
    guest.wait_for("document.querySelector('#sentence') !== null")
    guest.wait_for("document.documentElement.classList.contains('live')")  # the script runs
    guest.wait_for(f"!{SENTENCE}.startsWith('Counting')")


def no_complaints(guest: Guest, home: str) -> None:
    guest.note()
    assert guest.complaints == []
    assert [url for url in guest.urls if not url.startswith(home)] == []
    assert guest.browser.ask(OVERFLOW) <= 0


def test_a_turned_rule_changes_the_answer(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    with studio_here(make_setup("wave", 3)) as client:
        home = f"http://127.0.0.1:{client.port}/{WORD}/"
        guest = Visitor(browser, 1280)
        guest.go(f"{home}studio?{WAVE}")
        ready(guest)
        assert guest.browser.ask(SENTENCE).startswith("Families win")
        turn(guest, "hand.back", "3")
        assert "hand.back = 3, not 2" in guest.text("#differs")
        guest.click(KNOB.format("hand.back") + " .undo", leaves=False)
        guest.wait_for(f"location.search === '?{WAVE}'")
        no_complaints(guest, home)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_pages_are_accessible(browser: Browser, width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOULE_STATE_DIR", str(tmp_path))
    with studio_here(make_setup("wave", 3)) as client:
        home = f"http://127.0.0.1:{client.port}/{WORD}/"
        guest = Visitor(browser, width)
        for scheme in ("light", "dark"):
            wanted = [{"name": "prefers-color-scheme", "value": scheme}]
            browser.call("Emulation.setEmulatedMedia", features=wanted)
            for query in (f"{WAVE}&set+hand.back=3", "game=land-unter&players=3&set+hand=10"):
                guest.go(f"{home}studio?{query}")
                ready(guest)
                assert violations(browser) == []
                browser.ask("document.querySelector('[data-tab=right]').click()")
                assert violations(browser) == []
                assert browser.ask(OVERFLOW) <= 0


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
        browser.ask(f"document.querySelector('{KNOB.format('deck.missing')} details').open = true; 1")
        guest.click(KNOB.format("deck.missing") + ' input[value="red 3"]', leaves=False)
        guest.wait_for("location.search.includes('red+3')")
        browser.ask("const high = document.querySelector('#high'); high.value = '60'; "
                    "high.dispatchEvent(new Event('input', {bubbles: true})); 1")  # fmt: skip
        guest.wait_for("location.search.includes('target=38..60')")
        guest.wait_for(f"{SENTENCE}.includes('target 38 to 60%')")
        refused = f"document.querySelector('{KNOB.format('hand.back')} .refused')"
        control = f"document.querySelector('{KNOB.format('hand.back')} [data-plain]')"
        browser.ask(f"{control}.value = '99'; {control}.dispatchEvent(new Event('input', {{bubbles: true}})); 1")
        guest.wait_for(f"!{refused}.hidden && {refused}.innerText.includes('99 is not allowed')")
        guest.complaints.clear()  # the browser logs the refusal, which is a 422
        browser.events.clear()
        here = guest.address
        guest.click("#play")
        assert "/table?" in guest.address
        assert "set+hand.back=3" in guest.address
        guest.go(here)
        ready(guest)
        guest.click("#pin-a")
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
