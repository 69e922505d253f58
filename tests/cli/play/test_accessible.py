"""axe-core finds nothing wrong with the pages of `houle play`, at two widths, light and dark."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from houle.analysis.play.link import link_of
from houle.analysis.play.table_game import Course, choices, people_and, sit_down
from houle.analysis.players.line_ups import setup
from houle.cli.play.lan import NEEDS, LanApp
from tests.support.axe import DRAWN, violations
from tests.support.browser import Browser
from tests.support.playing import WORD, Guest, served, serving_here

pytestmark = pytest.mark.slow

GAMES = ["wave", "sea-change", "land-unter", "vague-verte", "vague-attaque"]
OPEN = "document.querySelectorAll('details').forEach(one => { one.open = true; }); 1"


def looks(browser: Browser) -> Iterator[tuple[Guest, str]]:
    """A guest at each width, in each colour scheme."""
    for width in (1280, 390):
        for scheme in ("light", "dark"):
            browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            yield Guest(browser, width), f"{width} {scheme}"


@pytest.mark.parametrize("game", GAMES)
def test_pages_have_no_accessibility_problem(browser: Browser, game: str) -> None:
    """Table with the rules and all folds open, history, review, position, new game, end, and pages in French."""
    rules, luck = setup(game), random.Random(3)
    course = Course(sit_down(rules, people_and(rules, [0], ()), 7))
    for _ in range(3):
        course = course.choose(luck.choice(choices(course.match)))
    middle = link_of(course.sitting)
    while not course.over:
        course = course.choose(luck.choice(choices(course.match)))
    end = link_of(course.sitting)
    wanted = [f"table?{middle}", f"hint?{middle}&worlds=9", f"moves?{middle}", f"review?{middle}", f"position?{middle}",
              f"new?game={game}", f"table?{end}", f"review?{end}", f"fr/table?{middle}"]  # fmt: skip
    with serving_here(course.sitting) as client:
        for guest, look in looks(browser):
            for page in wanted:
                guest.go(f"http://127.0.0.1:{client.port}/{WORD}/{page}")
                browser.ask(OPEN)
                assert violations(browser, (DRAWN,)) == [], (look, page.partition("?")[0])


def test_join_and_covers_have_no_accessibility_problem(browser: Browser) -> None:
    wave = setup("wave")
    sitting = sit_down(wave, people_and(wave, [0, 1], ()), 7)
    app = LanApp(sitting, "CODE", None, None)
    app.game.join(0, "Ana")
    tokens = [token for token in app.apps if token != "join"]
    with served(app, NEEDS, "wave", None) as client, serving_here(sitting) as other:
        for guest, look in looks(browser):
            for page in ("join/", *(f"{token}/table" for token in tokens)):
                guest.go(f"http://127.0.0.1:{client.port}/{page}")
                assert violations(browser, (DRAWN,)) == [], (look, page)
            for page in (f"table?{link_of(sitting)}", "table?game=nothing"):
                guest.go(f"http://127.0.0.1:{other.port}/{WORD}/{page}")
                assert violations(browser, (DRAWN,)) == [], (look, page)
