"""Games at the page by real clicks in Chromium: the end of one in the ordinary suite, whole ones by `make browser`."""

from __future__ import annotations

import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from houle.analysis.play.link import read_link
from houle.analysis.play.table_game import Course, Sitting, choices, people_and, sit_down
from houle.analysis.players.line_ups import setup
from tests.support.browser import Browser
from tests.support.playing import WORD as TOKEN
from tests.support.playing import Guest, leaks, serving, serving_here

pytestmark = pytest.mark.browser

GAMES = ["wave", "sea-change", "land-unter", "vague-verte", "vague-attaque"]
MOST_CLICKS = 600
BUSY = "document.querySelector('#hint').getAttribute('aria-busy')"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Every control has a name, and what can be clicked is large enough for a finger.
NAMELESS = """
Array.from(document.querySelectorAll('button, a, input:not([type=hidden]), select, textarea')).filter(one =>
  !(one.textContent.trim() || one.getAttribute('aria-label') || (one.labels && one.labels.length)))
  .map(one => one.outerHTML)
"""
SMALL = """Array.from(document.querySelectorAll('.moves-to-make button, .hand .on-card')).filter(one =>
  one.offsetParent && one.getBoundingClientRect().height < 43).map(one => one.outerHTML.slice(0, 80))"""

# Cards on the table that lie behind the own hand when they have the focus.
BEHIND = """Array.from(document.querySelectorAll('.felt .on-card')).filter(one => {
  scrollTo({top: 0, behavior: 'instant'});
  document.documentElement.style.scrollBehavior = 'auto';
  one.focus();
  return one.getBoundingClientRect().bottom > document.querySelector('.dock').getBoundingClientRect().top + 1;
}).map(one => one.getAttribute('aria-label'))"""


def play_on(guest: Guest, most: int = MOST_CLICKS) -> int:
    """Clicks moves, the first and the last of them by turns, cards too where they are one move; how many.

    Where every move is a card with several, a card is picked, and its first move is taken from the list.
    """
    clicks = 0
    while clicks < most and not guest.has("#end"):
        ways = [
            ".moves-to-make button:first-of-type",
            ".moves-to-make button:last-of-type",
            ".on-card:not(.some):not(.told)",
        ]
        ways = [ways[clicks % 3], *ways]
        seen = next((way for way in ways if guest.sees(way)), "")
        if not seen:
            guest.click(".hand .on-card.some", leaves=False)
            seen = ".moves-to-make button.meant"
        guest.click(seen)
        clicks += 1
    return clicks


def check(guest: Guest, home: str) -> None:
    """Nothing was complained about, asked for elsewhere, or shown that is hidden."""
    assert guest.complaints == []
    assert [url for url in guest.urls if not url.startswith(home)] == []
    assert guest.bodies
    for address, body in guest.bodies:
        assert leaks(address, body) == set(), address
    assert guest.browser.ask(OVERFLOW) <= 0


def late_in_a_game() -> Sitting:
    """WAVE, some decisions before the end; whole games are slow tests."""
    wave = setup("wave")
    course, own = Course(sit_down(wave, people_and(wave, [0], ()), 7)), list[int]()
    while not course.over:
        own.append(len(course.made))
        course = course.choose(choices(course.match)[0])
    return course.sitting.until(own[-4])


def test_the_end_of_a_game_by_clicks(browser: Browser) -> None:
    with serving_here(late_in_a_game()) as client:
        home = f"http://127.0.0.1:{client.port}/{TOKEN}/"
        guest = Guest(browser, 390)
        guest.go(home)
        assert browser.ask(NAMELESS) == []
        assert browser.ask(SMALL) == []
        play_on(guest, 1)
        guest.click("#ask", leaves=False)
        guest.wait_for(f"!{BUSY} && document.querySelectorAll('.bars tr').length > 0")
        guest.note()
        before = guest.address
        guest.press("1", leaves=True)
        assert guest.address != before
        guest.click("#undo")
        assert guest.address == before
        assert play_on(guest) > 1
        assert "The rulebook says" in guest.text()
        check(guest, home)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("game", GAMES)
def test_whole_games_by_clicks(browser: Browser, game: str, width: int, tmp_path: Path) -> None:
    """Hint, undo, what if, save, load, link, reload, back, another server in between; to the end."""
    port = free_port()
    guest = Guest(browser, width)
    with serving("play", game, "--seed", "7", port=port) as home:
        guest.go(home)
        assert browser.ask(NAMELESS) == []
        assert width > 600 or browser.ask(SMALL) == []
        play_on(guest, 3)
        here = guest.address
        guest.click("#ask", leaves=False)
        guest.wait_for(f"!{BUSY} && document.querySelectorAll('.bars tr').length > 0")
        guest.note()
        play_on(guest, 1)
        after = guest.address
        guest.click("#undo")
        assert guest.address == here
        guest.back()
        assert guest.address == after
        guest.reload()
        assert guest.address == after
    with serving("play", game, "--seed", "8", port=port) as again:  # another server: the address holds the game
        assert again == home
        guest.reload()
        assert guest.address == after
        assert guest.has(".choices")
        guest.click("#moves")
        guest.click(".what-if")
        assert guest.has("#branch")
        play_on(guest, 1)
        guest.click("#branch a")
        assert guest.address == after
        course = Course(read_link(urlsplit(after).query))
        guest.click("#new")
        assert browser.ask(NAMELESS) == []
        browser.ask(f"document.querySelector('#record').value = {course.record().as_text()!r}")
        guest.click("#load button")
        assert read_link(urlsplit(guest.address).query).moves == course.sitting.moves
        browser.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        guest.click("#share summary", leaves=False)
        guest.click("#link", leaves=False)
        guest.wait_for("document.querySelector('#said').textContent === 'Link copied'")
        clicks = play_on(guest)
        assert guest.has("#end"), clicks
        end = Course(read_link(urlsplit(guest.address).query))
        assert end.over
        guest.click("#again")
        assert not Course(read_link(urlsplit(guest.address).query)).over
        check(guest, home)


@pytest.mark.slow
def test_a_game_by_keys_alone(browser: Browser) -> None:
    """The focus stays among the moves, and the live region tells what the others did."""
    land = setup("land-unter")
    with serving_here(sit_down(land, people_and(land, [0], ()), 7)) as client:
        guest = Guest(browser, 1280)
        guest.go(f"http://127.0.0.1:{client.port}/{TOKEN}/")
        guest.press("c", leaves=True)  # the twelfth move
        guest.press("?")
        assert browser.ask("document.querySelector('#keys').open")
        guest.press("ArrowDown")
        for _ in range(MOST_CLICKS):
            if guest.has("#end"):
                break
            assert browser.ask("document.activeElement.matches('.on-card, .moves-to-make button')")
            guest.press("Enter", leaves=True)
            guest.wait_for("document.querySelector('#said').textContent !== ''")
        assert guest.has("#end")
        check(guest, f"http://127.0.0.1:{client.port}/{TOKEN}/")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_your_move_is_in_sight(browser: Browser, game: str) -> None:
    """Without scrolling: question, moves and hand, at 1280 x 800 and on a phone."""
    own = setup(game)
    with serving_here(sit_down(own, people_and(own, [0], ()), 7)) as client:
        for width, height in ((1280, 800), (390, 844)):
            guest = Guest(browser, width)
            size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
            browser.call("Emulation.setDeviceMetricsOverride", **size)
            guest.go(f"http://127.0.0.1:{client.port}/{TOKEN}/")
            for what in ("#question", ".moves-to-make button", ".hand"):
                box = browser.ask(f"(b => [b.top, b.bottom])(document.querySelector({what!r}).getBoundingClientRect())")
                assert 0 <= box[0] < height - 40, (width, what, box)
            assert browser.ask(OVERFLOW) <= 0


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4])
def test_focused_cards_are_not_behind_the_hand(browser: Browser, players: int) -> None:
    attack = setup("vague-attaque", players=players)
    with serving_here(sit_down(attack, people_and(attack, [0], ()), 7)) as client:
        for width, height in ((1280, 800), (390, 844)):
            guest = Guest(browser, width)
            size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
            browser.call("Emulation.setDeviceMetricsOverride", **size)
            guest.go(f"http://127.0.0.1:{client.port}/{TOKEN}/")
            play_on(guest, 15)
            hidden = browser.ask(BEHIND)
            assert hidden == [], (width, hidden)


@pytest.mark.slow
def test_a_large_file_is_refused_in_the_page(browser: Browser, tmp_path: Path) -> None:
    wave, large = setup("wave"), tmp_path / "large.txt"
    large.write_text("x" * 10_000_000)
    with serving_here(sit_down(wave, people_and(wave, [0], ()), 7)) as client:
        guest = Guest(browser, 1280)
        guest.go(f"http://127.0.0.1:{client.port}/{TOKEN}/new")
        browser.call("DOM.enable")
        root = browser.call("DOM.getDocument")["root"]["nodeId"]
        field = browser.call("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
        browser.call("DOM.setFileInputFiles", nodeId=field, files=[str(large)])
        guest.wait_for("document.querySelector('#file-said').textContent.includes('too large')")
        assert browser.ask("document.querySelector('#record').value") == ""


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


@pytest.mark.slow
def test_hands_are_hidden_between_people(browser: Browser) -> None:
    wave = setup("wave", players=2)
    with serving_here(sit_down(wave, people_and(wave, [0, 1], ()), 7)) as client:
        guest = Guest(browser, 390)
        guest.go(f"http://127.0.0.1:{client.port}/{TOKEN}/")
        seen = set()
        for _ in range(12):
            if guest.has("#end"):
                break
            if guest.has("#uncover"):
                assert browser.ask("document.querySelectorAll('svg.card').length") == 0
                guest.click("#uncover")
            seen.add(Course(read_link(urlsplit(guest.address).query)).to_move)
            play_on(guest, 1)
        assert seen == {0, 1}
        check(guest, f"http://127.0.0.1:{client.port}/{TOKEN}/")
