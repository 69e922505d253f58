"""Tapping cards: every card of the page offers its own moves, and every move with a card is on that card.

The names of moves say which card they are about. They are read here only to check the kinds that cards carry.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from urllib.parse import urlsplit

import pytest

from houle.analysis.play.link import read_link
from houle.analysis.play.seat_view import SeatView, seat_view
from houle.analysis.play.table_game import PERSON, Course, sit_down
from houle.cli.play.pages import link_for
from houle.solver.interface.files import Face
from houle.solver.matches.match import Match
from houle.solver.matches.views import HAND
from houle.solver.rules import Setup, game_names
from tests import cases
from tests.cli.play.test_browser import LEAST_WORD
from tests.cli.play.test_browser import check as check_page
from tests.support.amounts import some
from tests.support.browser import Browser
from tests.support.playing import Client, Guest, at_the_table, picks, seated, serving_here

pytestmark = pytest.mark.compiled

EVERY = 7  # moves between two pages that are looked at
BUTTON = re.compile(r"<button ([^>]*class=\"on-card[^>]*)>")


def taps_of(page: str) -> list[tuple[str, set[int]]]:
    """The cards of the page that can be tapped, and the moves that each offers."""
    taps = []
    for button in BUTTON.findall(page):
        label = re.search(r"aria-label=\"([^\"]*)\"", button)
        places = re.search(r"(?:value|data-places)=\"([\d ]+)\"", button)
        taps.append((html.unescape(label[1]) if label else "", set(map(int, places[1].split())) if places else set()))
    return taps


def decisions(setup: Setup, seed: int, most: int) -> Iterator[Course]:
    """Decisions of a game in which people in all seats move at random."""
    luck, sitting, match = Random(seed), sit_down(setup, [PERSON] * setup.players, seed), Match(setup, seed)
    moves: list[int] = []
    while match.to_move() >= 0 and len(moves) < EVERY * most:
        if len(moves) % EVERY == 0:
            yield Course(replace(sitting, moves=tuple(moves)))
        possible = match.moves()
        moves.append(luck.randrange(len(possible)))
        match.apply(possible[moves[-1]])


def named_cards(view: SeatView) -> list[tuple[Face, set[int]]]:
    """The cards of the own hand that have a name, and the moves whose names are about each of them."""
    cards = [card for row in view.rows if row["region"] == HAND and row.get("own") for card in row["cards"]]
    named = []
    for card in cards:
        typed = card.get("typed", "")
        about = rf"(?:play|discard|hide|swap|lay|lose|drop|keep|give|retain|extra)(?: place| the)? {re.escape(typed)}\b"
        meant = {one.place for one in view.choices if typed and re.match(rf"{about}(?! of)", one.name)}
        named.append((card, meant))
    return named


def check(client: Client, course: Course) -> int:
    """The taps of a page against its list of moves; how many there were."""
    view = seat_view(course)
    page = client.ask(f"table?{link_for(course.sitting, opened=view.seat)}")[2]
    offered, taps = set(map(int, picks(page))), taps_of(page)
    assert {one.place for one in view.choices} <= offered
    assert [tap for tap in taps if not tap[1] <= offered] == []
    drawn = {place for _, places in taps for place in places}
    for card, meant in named_cards(view):
        carried = {one.place for one in view.choices if one.kind in card.get("moves", ())}
        assert meant <= carried, (card, meant, carried)
        if not view.signals and meant:
            assert carried == meant, (card, meant, carried)
        assert carried <= drawn, (card, carried)
    return sum(len(places) for _, places in taps)


@pytest.mark.parametrize("game", game_names())
def test_tapped_cards_make_their_moves(game: str) -> None:
    assert tapped(cases.few(game)[::8], some(2)) > 4


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_tapped_cards_make_their_moves_in_all_setups(game: str) -> None:
    assert tapped(cases.setups(game), 40) > 100


def tapped(setups: Sequence[Setup], most: int) -> int:
    """How many moves of tapped cards were looked at."""
    taps = 0
    for setup in setups:
        courses = list(decisions(setup, 11, most))
        with serving_here(courses[0].sitting) as client:
            taps += sum(check(client, course) for course in courses)
    return taps


SEED, MOST = 11, 160
MOST_LISTS = 0.1  # of the decisions
FEW = 2  # so many moves beside the cards are buttons, such as to lay nothing more; more are a list
# How a move is made: the card to tap, the two cards, or the button of the list.
WAY = """place => {
  const seen = one => one.offsetParent !== null, places = one => (one.dataset.places || '').split(' ').filter(Boolean);
  const cards = Array.from(document.querySelectorAll('.felt .on-card, .hand .on-card')).filter(seen);
  const meant = cards.filter(one => places(one).includes(place));
  const index = one => Array.from(document.querySelectorAll('.on-card')).indexOf(one);
  const alone = meant.find(one => one.type === 'submit');
  if (alone) return [index(alone)];
  for (const one of meant) for (const other of meant) {
    const both = one === other ? [] : places(one).filter(it => places(other).includes(it));
    if (both.length === 1) return [index(one), index(other)];
  }
  return [];
}"""
OFFERED = """Array.from(document.querySelectorAll('.moves-to-make button'))
  .filter(one => one.offsetParent !== null && one.value !== 'usual').length"""
WORDS = """Math.min(99, ...Array.from(document.querySelectorAll('.board svg.card text'))
  .filter(one => one.textContent.trim())
  .map(one => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a))"""


@dataclass
class Played:
    """What a game by taps needed."""

    taps: int = 0
    buttons: list[str] = field(default_factory=list)  # moves that no card makes, beside one other at most
    lists: list[str] = field(default_factory=list)  # moves that had to be found in a list
    word: float = 99.0  # px, the smallest

    @property
    def decisions(self) -> int:
        return self.taps + len(self.buttons) + len(self.lists)


def wanted(guest: Guest) -> tuple[Course, int]:
    """The game of a page, and the move of the rules of thumb in it."""
    course = Course(read_link(urlsplit(guest.address).query))
    return course, course.choose(None).sitting.moves[len(course.sitting.moves)]


def play(guest: Guest) -> Played:
    played = Played()
    while played.decisions < MOST and not guest.has("#end"):
        course, place = wanted(guest)
        way = guest.browser.ask(f"({WAY})('{place}')")
        assert guest.overflow <= 0
        played.word = min(played.word, guest.browser.ask(WORDS))
        if way:
            for number, index in enumerate(way):
                guest.browser.ask(f"document.querySelectorAll('.on-card')[{index}].id = 'tap'")
                guest.click("#tap", leaves=number == len(way) - 1)
                guest.browser.ask("document.querySelectorAll('#tap').forEach(one => one.removeAttribute('id'))")
            played.taps += 1
        else:
            button = f'.moves-to-make button[value="{place}"]'
            offered = guest.browser.ask(OFFERED)
            (played.buttons if offered <= FEW else played.lists).append(guest.text(button))
            guest.click(button)
        now = Course(read_link(urlsplit(guest.address).query)).sitting.moves
        assert now[: len(course.sitting.moves)] == course.sitting.moves
        assert now[len(course.sitting.moves)] == place
    return played


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("game", game_names())
def test_whole_games_by_taps(browser: Browser, game: str, width: int) -> None:
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    with at_the_table(browser, seated(game, seed=SEED, players=3), width) as guest:
        played = play(guest)
        print(game, width, played)
        assert guest.has("#end") or played.decisions == MOST
        check_page(guest, guest.home)
        assert len(played.lists) <= MOST_LISTS * played.decisions, played.lists
        assert played.word >= LEAST_WORD - 0.05
