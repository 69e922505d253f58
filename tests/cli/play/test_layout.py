"""The table on phones and with large text: all cards of a hand are seen, words can be read, nothing is covered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from houle.analysis.play.link import link_of
from houle.analysis.play.table_game import Course, choices, people_and, sit_down
from houle.analysis.players.line_ups import setup
from tests.support.browser import Browser, browsing, chromium
from tests.support.playing import WORD, Guest, serving_here

GAMES = ["wave", "sea-change", "land-unter", "vague-verte", "vague-attaque"]
MOST_COVERED, LEAST_WORD = 0.45, 10
PHONE = (390, 844)
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
    word: Math.min(99, ...sizes), wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  });
})()"""


def look(browser: Browser, course: Course, width: int, height: int) -> dict[str, Any]:
    """What a page of a game looks like in a window."""
    with serving_here(course.sitting) as client:
        guest = Guest(browser, width)
        browser.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        guest.go(f"http://127.0.0.1:{client.port}/{WORD}/table?{link_of(course.sitting)}")
        return dict(json.loads(browser.ask(LOOK)))


def started(game: str, moves: int = 3) -> Course:
    rules = setup(game)
    course = Course(sit_down(rules, people_and(rules, [0], ()), 13))
    for _ in range(moves):
        course = course.choose(choices(course.match)[0])
    return course


@pytest.mark.browser
@pytest.mark.parametrize("game", GAMES)
def test_phones_show_the_whole_hand(browser: Browser, game: str) -> None:
    seen = look(browser, started(game, 0), *PHONE)
    assert seen["cards"]
    assert seen["cut"] == 0
    assert seen["wide"] <= 0
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
        for game in GAMES:
            seen = look(browser, started(game), 1280, 800)
            assert not seen["sticky"], game
            assert seen["cut"] == 0, game
            assert seen["wide"] <= 0, game
