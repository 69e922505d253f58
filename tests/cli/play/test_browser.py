"""Games at the page in Chromium: by clicks and by keys, on phones, with large text, and what axe complains of.

The end of a game and the hands on a phone are in the ordinary suite; whole games are played by `make browser`.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from houle.analysis.play.link import link_of, read_link
from houle.analysis.play.table_game import Course, Sitting, choices
from houle.cli.play.lan import NEEDS, LanApp
from houle.solver.rules import game_names
from tests.support.axe import DRAWN, violations
from tests.support.browser import Browser, browsing, chromium
from tests.support.playing import Guest, at_random, at_the_table, leaks, seated, served, serving

pytestmark = pytest.mark.browser

WINDOWS = ((1280, 800), (390, 844))
MOST_CLICKS = 600
MOST_COVERED, LEAST_WORD = 0.45, 10
BUSY = "document.querySelector('#hint').getAttribute('aria-busy')"
ADVISED = f"!{BUSY} && document.querySelectorAll('.bars tr').length > 0"
# On a phone the question stands at the bottom, above the bar.
HAND_IN_SIGHT = """(() => {
  const hand = document.querySelector('.hand').getBoundingClientRect(), question = document.querySelector('#question');
  return hand.top >= 0 && hand.bottom <= question.getBoundingClientRect().top;
})()"""
# Every control has a name, and what can be clicked is large enough for a finger.
NAMELESS = """
Array.from(document.querySelectorAll('button, a, input:not([type=hidden]), select, textarea')).filter(one =>
  !(one.textContent.trim() || one.getAttribute('aria-label') || (one.labels && one.labels.length)))
  .map(one => one.outerHTML)
"""
SMALL = """Array.from(document.querySelectorAll('.moves-to-make button, .hand .on-card')).filter(one =>
  one.offsetParent && one.getBoundingClientRect().height < 43).map(one => one.outerHTML.slice(0, 80))"""

# Cards on the table that lie behind the own hand or the bar of a phone when they have the focus.
BEHIND = """Array.from(document.querySelectorAll('.felt .on-card')).filter(one => {
  scrollTo({top: 0, behavior: 'instant'});
  document.documentElement.style.scrollBehavior = 'auto';
  one.focus();
  const here = one.getBoundingClientRect();
  return Array.from(document.querySelectorAll('.dock, .bar, #question')).some(over => {
    const there = over.getBoundingClientRect();
    return here.bottom > there.top + 1 && here.top < there.bottom - 1;
  });
}).map(one => one.getAttribute('aria-label'))"""
# Whether cards of the hand are cut, how much of the window it covers, and how small its words are.
LOOK = """(() => {
  const dock = document.querySelector('.dock'), box = dock.getBoundingClientRect();
  const cut = Array.from(document.querySelectorAll('.hand .card, .hand .text-card')).filter(one => {
    const here = one.getBoundingClientRect();
    for (let around = one.parentElement; around !== document.body; around = around.parentElement) {
      const edge = around.getBoundingClientRect(), style = getComputedStyle(around);
      const scrolls = /auto|scroll|hidden/.test(style.overflowX + style.overflowY);
      if (scrolls && (here.right > edge.right + 1 || here.bottom > edge.bottom + 1)) return true;
    }
    return here.right > document.documentElement.clientWidth + 1;
  });
  const words = Array.from(document.querySelectorAll('svg.card text')).filter(one => one.textContent.trim());
  const sizes = words.map(one => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a);
  return JSON.stringify({
    cards: document.querySelectorAll('.hand .card, .hand .text-card').length, cut: cut.length,
    sticky: getComputedStyle(dock).position === 'sticky', share: box.height / innerHeight,
    word: Math.min(99, ...sizes),
  });
})()"""


def play_on(guest: Guest, most: int = MOST_CLICKS) -> int:
    """Clicks moves, the first and the last of them by turns, cards too where they are one move; how many.

    Where every move is a card with several, a card is picked, and its first move is taken from the list.
    """
    clicks = 0
    while clicks < most and not guest.has("#end"):
        ways = [f".moves-to-make button:{which}-of-type" for which in ("first", "last")]
        ways += [".on-card:not(.some):not(.told)"]
        seen = next((way for way in (ways[clicks % 3], *ways) if guest.sees(way)), "")
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
    assert guest.overflow <= 0


def late_in_a_game() -> Sitting:
    """WAVE, some decisions before the end; whole games are slow tests."""
    course, own = Course(seated("wave")), list[int]()
    while not course.over:
        own.append(len(course.made))
        course = course.choose(choices(course.match)[0])
    return course.sitting.until(own[-4])


def test_the_end_of_a_game_by_clicks(browser: Browser) -> None:
    with at_the_table(browser, late_in_a_game(), 390) as guest:
        assert browser.ask(NAMELESS) == []
        assert browser.ask(SMALL) == []
        play_on(guest, 1)
        guest.click("#ask", leaves=False)
        guest.wait_for(ADVISED)
        assert browser.ask(HAND_IN_SIGHT)
        guest.note()
        before = guest.address
        guest.press("1", leaves=True)
        assert guest.address != before
        guest.click("#undo")
        assert guest.address == before
        assert play_on(guest) > 1
        assert "The rulebook says" in guest.text()
        check(guest, guest.home)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("game", game_names())
def test_whole_games_by_clicks(browser: Browser, game: str, width: int) -> None:
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
        guest.wait_for(ADVISED)
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
        assert Course(read_link(urlsplit(guest.address).query)).over
        guest.click("#again")
        assert not Course(read_link(urlsplit(guest.address).query)).over
        check(guest, home)


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


@pytest.mark.slow
def test_a_game_by_keys_alone(browser: Browser) -> None:
    """The focus stays among the moves, and the live region tells what the others did."""
    with at_the_table(browser, seated("land-unter"), 1280) as guest:
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
        check(guest, guest.home)


@pytest.mark.slow
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("game", game_names())
def test_your_move_is_in_sight(browser: Browser, game: str, window: tuple[int, int]) -> None:
    """Without scrolling: question, moves and hand, on a screen and on a phone."""
    with at_the_table(browser, seated(game), *window) as guest:
        for what in ("#question", ".moves-to-make button", ".hand"):
            box = browser.ask(f"(b => [b.top, b.bottom])(document.querySelector({what!r}).getBoundingClientRect())")
            whole = what == "#question" and box[1] <= window[1]  # at the bottom of a phone
            assert whole or 0 <= box[0] < window[1] - 40, (what, box)
        assert guest.overflow <= 0


@pytest.mark.slow
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("players", [3, 4])
def test_focused_cards_are_not_behind_the_hand(browser: Browser, players: int, window: tuple[int, int]) -> None:
    with at_the_table(browser, seated("vague-attaque", players=players), *window) as guest:
        play_on(guest, 15)
        assert browser.ask(BEHIND) == []


@pytest.mark.slow
def test_a_large_file_is_refused_in_the_page(browser: Browser, tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    large.write_text("x" * 10_000_000)
    with at_the_table(browser, seated("wave"), 1280, page="new") as guest:
        browser.call("DOM.enable")
        root = browser.call("DOM.getDocument")["root"]["nodeId"]
        field = browser.call("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
        browser.call("DOM.setFileInputFiles", nodeId=field, files=[str(large)])
        guest.wait_for("document.querySelector('#file-said').textContent.includes('too large')")
        assert browser.ask("document.querySelector('#record').value") == ""


@pytest.mark.slow
def test_hands_are_hidden_between_people(browser: Browser) -> None:
    with at_the_table(browser, seated("wave", 0, 1, players=2), 390) as guest:
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
        check(guest, guest.home)


def look(browser: Browser, game: str, window: tuple[int, int], moves: int) -> dict[str, Any]:
    """What the page of a game looks like in a window, after some moves."""
    course = Course(seated(game, seed=13))
    for _ in range(moves):
        course = course.choose(choices(course.match)[0])
    with at_the_table(browser, course.sitting, *window, page=f"table?{link_of(course.sitting)}") as guest:
        assert guest.overflow <= 0
        seen = json.loads(browser.ask(LOOK))
        assert seen["cards"]
        assert seen["cut"] == 0
        return dict(seen)


@pytest.mark.parametrize("game", game_names())
def test_phones_show_the_whole_hand(browser: Browser, game: str) -> None:
    """Words can be read, and nothing is covered."""
    seen = look(browser, game, (390, 844), 0)
    assert seen["word"] >= LEAST_WORD - 0.1
    assert not seen["sticky"] or seen["share"] <= MOST_COVERED


@pytest.mark.slow
@pytest.mark.parametrize("percent", [125, 150, 200])
def test_large_text_covers_nothing(percent: int) -> None:
    """With a larger font of the browser the hand scrolls with the page."""
    path = chromium()
    if path is None:
        pytest.skip("no browser is installed")
    with browsing(path, f"--blink-settings=defaultFontSize={16 * percent // 100}") as browser:
        for game in game_names():
            assert not look(browser, game, (1280, 800), 3)["sticky"], game


def looks(browser: Browser, pages: list[str]) -> Iterator[str]:
    """Opens pages at each width and in each colour scheme, with all folds open; says which it is."""
    for width in (1280, 390):
        for scheme in ("light", "dark"):
            browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            for page in pages:
                Guest(browser, width).go(page)
                browser.ask("document.querySelectorAll('details').forEach(one => { one.open = true; }); 1")
                yield f"{page.partition('?')[0]}, {width} {scheme}"


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_pages_have_no_accessibility_problem(browser: Browser, game: str) -> None:
    """Table, hint, history, review, position, new game, the end, pages in French, and what is no page."""
    courses = list(at_random(seated(game)))
    middle, end = (link_of(course.sitting) for course in (courses[3], courses[-1]))
    wanted = [
        f"table?{middle}",
        f"hint?{middle}&worlds=9",
        f"moves?{middle}",
        f"review?{middle}",
        f"position?{middle}",
        f"new?game={game}",
        f"table?{end}",
        f"review?{end}",
        f"fr/table?{middle}",
    ]
    with at_the_table(browser, courses[0].sitting, 1280) as guest:
        for which in looks(browser, [guest.home + page for page in (*wanted, "table?game=nothing")]):
            assert violations(browser, (DRAWN,)) == [], which


@pytest.mark.slow
def test_join_and_covers_have_no_accessibility_problem(browser: Browser) -> None:
    sitting = seated("wave", 0, 1)
    app = LanApp(sitting, "CODE", None, None)
    app.game.join(0, "Ana")
    with served(app, NEEDS, "wave", None) as client, at_the_table(browser, sitting, 1280) as guest:
        home = f"http://127.0.0.1:{client.port}/"
        pages = [f"{home}join/", *(f"{home}{token}/table" for token in app.apps if token != "join")]
        for which in looks(browser, [*pages, f"{guest.home}table?{link_of(sitting)}"]):
            assert violations(browser, (DRAWN,)) == [], which
