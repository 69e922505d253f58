"""Setting up a position in the browser: every game's lines, advice, and a game that starts there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import quote, urlsplit

import pytest

from houle.analysis.play.link import link_of, read_link
from houle.analysis.play.table_game import Course
from houle.analysis.players.line_ups import setup
from houle.solver.rules import game_names
from tests.support.browser import Browser
from tests.support.playing import WORD, Client, Guest, filled_in, found, leaks, seated, serving_here

pytestmark = pytest.mark.compiled

HERE = """game: wave
players: 3
seat: 1
top: white 3
seat 1 front: red 2, navy 4, sky 0
seat 1 back: ?, ?
seat 2 back: navy 1, white 4
seat 3 back: yellow 1, orange 2
"""


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with serving_here(seated("wave")) as client:
        yield client


def text_on(page: str) -> str:
    return found(r'(?s)<textarea id="text"[^>]*>(.*?)</textarea>', page)


def send(client: Client, text: str, do: str) -> str:
    return client.ask("position", "POST", f"do={do}&worlds=20&text={quote(text)}")[2]


@pytest.mark.parametrize("game", game_names())
def test_a_position_of_every_game_can_be_set_up(client: Client, game: str) -> None:
    """From a running game: what the seat knows and no more; each line has a field; read, advised and played on."""
    course = Course(seated(game, *range(setup(game).players)))
    for _ in range(3):
        course = course.choose(0)
    link = link_of(course.sitting)
    assert client.ask(f"position?{link}")[0] == 400  # whose hand is shown?
    status, _, page = client.ask(f"position?{link}&open={course.to_move + 1}")
    assert status == 200
    assert leaks(f"position?{link}", filled_in(page)) == set()
    text = text_on(page)
    assert "luck" not in text
    places = {line.partition(":")[0] for line in text.splitlines()}
    head = {"game", "players", "rules", "variants"}
    assert places - head <= set(re.findall(r'data-place="([^"]*)"', unescape(page)))
    assert text_on(send(client, text, "check")) == text
    answer = send(client, text, "advice")
    assert 'role="alert"' not in answer
    assert answer.count("<tr>") > 1
    address, table = client.follow("position", "POST", f"do=play&text={quote(text)}")
    begun = Course(read_link(urlsplit(address).query))
    assert begun.to_move == course.to_move
    assert leaks(address, table) == set()
    after = begun.choose(0)
    assert after.made
    assert client.ask(f"review?{link_of(after.sitting)}")[0] == 200
    assert "cannot be saved" in client.ask(f"record?{link_of(after.sitting)}")[2]
    assert "so it cannot be saved as a file" in client.ask(f"table?{link_of(after.sitting)}")[2]


def test_hidden_cards_of_a_position_come_from_the_seed(client: Client) -> None:
    address, _ = client.follow("position", "POST", f"do=play&text={quote(HERE)}")
    course = Course(read_link(urlsplit(address).query))
    again = Course(read_link(link_of(course.sitting)))
    assert (again.match.state == course.match.state).all()
    links = [re.sub(r"deal=\d+", f"deal={seed}", link_of(course.sitting)) for seed in range(5)]
    others = {str(Course(read_link(link)).match.snapshot()["pile"]) for link in links}
    assert len(others) == 5
    assert course.match.snapshot()["front"][0] == again.match.snapshot()["front"][0]


def test_faults_are_shown_and_nothing_is_lost(client: Client) -> None:
    wrong = HERE.replace("seat 1 front", "seat 1 fronts")
    page = send(client, wrong, "advice")
    assert "unknown place &#39;seat 1 fronts&#39;; did you mean &#39;seat 1 front&#39;" in page
    assert text_on(page) == wrong
    for text in ("", "x" * 30_000, "game: nothing", "game: vague-attaque\nset deck: /etc/passwd\nseat: 1"):
        status, _, page = client.ask("position", "POST", f"do=advice&text={quote(text)}")
        assert status == 200
        assert 'role="alert"' in page
        assert "root:" not in page
        assert client.ask("position", "POST", f"do=play&text={quote(text)}")[0] == 400
    good = link_of(read_link(urlsplit(client.follow("position", "POST", f"do=play&text={quote(HERE)}")[0]).query))
    assert client.ask(f"table?{good}")[0] == 200
    assert client.ask(f"table?{good}{quote(chr(10) + 'set deck: /etc/passwd')}")[0] == 400
    assert client.ask(f"table?{good.replace('red+2', 'red+9')}")[0] == 400


@pytest.mark.browser
def test_cards_are_clicked_into_places(client: Client, browser: Browser) -> None:
    guest = Guest(browser, 390)
    guest.go(f"http://127.0.0.1:{client.port}/{WORD}/position?game=wave&players=3")
    for line in HERE.splitlines()[3:]:
        place, _, cards = line.partition(": ")
        guest.click(f'[data-place="{place}"]', leaves=False)
        for card in cards.split(", "):
            guest.click(f'.palette:not([hidden]) [data-card="{card}"]', leaves=False)
    assert browser.ask("document.querySelector('#text').value") == HERE
    guest.click("#advice", leaves=False)
    guest.wait_for("document.querySelectorAll('#answer tbody tr').length > 3")
    assert guest.overflow <= 0
    guest.click("#play")
    assert guest.has(".choices")
    assert guest.complaints == []
