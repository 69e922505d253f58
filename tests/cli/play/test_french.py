"""The table and the review in French: every text of every game has a translation.

When an English phrase changes, a test here names it. Add it to french.toml: words of a game in its folder, words of the
pages in cli/play.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from houle.analysis.play.sitting import Course, choices, choose, people_and, sit_down
from houle.cli.play import pages
from houle.cli.play.review import Reviews
from houle.cli.web.languages import translated, words_for
from houle.solver.rules import Setup, load, make_setup
from tests import cases

pytestmark = pytest.mark.compiled

GAMES = ["wave", "sea-change", "land-unter", "vague-verte", "vague-attaque"]
FOLDERS = [Path(pages.TEMPLATES).parent]
KNOBS = re.compile(r"[\w.]+ = |[\w.]+ changed|values differ")  # changed rules are named in English


def pages_of(setup: Setup, game: int, decisions: int, hints: int = 0) -> Iterator[str]:
    """Pages of a game: every second of its first decisions, hints, the end, and its review."""
    others = ["random"] if game % 2 else ()
    sitting = sit_down(setup, people_and(setup, [game % setup.players], others), 5, game)
    chance = random.Random(game)
    for number in range(decisions):
        course = Course(sitting)
        if number % 2 == 0 or course.over:
            yield pages.table_page(course, {}, None)
        if course.over:
            break
        if number < hints:
            yield pages.hint_page(course, {}, 40, False, None)
        sitting = choose(sitting, chance.choice(choices(course.match)))
    course = Course(sitting)
    yield pages.moves_page(course, {})
    if hints:
        reviews = Reviews()
        for at in (1, len(course.made) // 2 + 1, len(course.made)):
            yield reviews.page(course, {"at": str(at)}, "")


def missing_in(made: Iterator[str], game: str) -> list[str]:
    missing: set[str] = set()
    for page in made:
        translated(page, words_for("fr", game, FOLDERS), "fr", missing.add)
    return sorted(text for text in missing if not KNOBS.search(text))


@pytest.mark.parametrize("game", GAMES)
def test_table_is_french_in_every_setup(game: str) -> None:
    made = (page for setup in cases.few(game) for page in pages_of(setup, 0, 5))
    assert missing_in(made, game) == []


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_whole_games_are_french(game: str) -> None:
    """Whole games in all setups, with hints; a review of some."""
    made = (
        page for i, setup in enumerate(cases.setups(game)) for page in pages_of(setup, i, 80, 1 if i % 5 == 0 else 0)
    )
    assert missing_in(made, game) == []


@pytest.mark.quick
@pytest.mark.parametrize("game", GAMES)
def test_rules_of_thumb_and_variants_are_french(game: str) -> None:
    rules, words = load(game), words_for("fr", game, FOLDERS)
    setup = make_setup(game)
    texts = [sentence for both in setup.game.advice.values() for sentence in both]
    texts += [rules.about, *rules.notes, *rules.band_words, *(one.text for one in rules.variants.values())]
    assert [text for text in texts if words.find(text) is None] == []


@pytest.mark.quick
@pytest.mark.parametrize("game", GAMES)
def test_french_has_french_typography(game: str) -> None:
    words = words_for("fr", game, FOLDERS)
    for text in [load(game).about, "Which card do you play?", "Better:", "The rules of thumb would choose: thumb."]:
        french = words.find(text) or ""
        assert not re.search(r"[^\xa0\u202f][:;?!]", french), french
        assert "'" not in french


def test_forms_and_covers_are_french() -> None:
    setup = make_setup("wave", 3)
    two = sit_down(setup, people_and(setup, [0, 1], ()), 5, 0)
    made = [pages.table_page(Course(two), {}, None), pages.fault_page("x")]
    assert missing_in(iter(made), "wave") == ["x"]
