"""Whole games by taps on cards alone, as a person would play them: the moves are those of the rules of thumb."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest

from houle.analysis.play.link import read_link
from houle.analysis.play.table_game import Course
from houle.solver.rules import game_names
from tests.cli.play.test_browser import LEAST_WORD, check
from tests.support.browser import Browser
from tests.support.playing import Guest, at_the_table, seated

pytestmark = pytest.mark.slow

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


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("game", game_names())
def test_whole_games_by_taps(browser: Browser, game: str, width: int) -> None:
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    with at_the_table(browser, seated(game, seed=SEED, players=3), width) as guest:
        played = play(guest)
        print(game, width, played)
        assert guest.has("#end") or played.decisions == MOST
        check(guest, guest.home)
        assert len(played.lists) <= MOST_LISTS * played.decisions, played.lists
        assert played.word >= LEAST_WORD - 0.05
