"""No page shows what its seat does not know: swapped hidden cards change no page, and forged links show nothing."""

from __future__ import annotations

import random
import re

import pytest

from houle.analysis.play.link import link_of
from houle.analysis.play.table_game import Course, choices, from_record, people_and, sit_down
from houle.analysis.players.line_ups import setup
from houle.cli.play import pages
from houle.cli.play.review import Reviews
from houle.cli.play.setup_position import SetUp
from houle.solver.errors import PositionError
from houle.solver.matches.record.game import read_record
from tests.support.playing import filled_in, leaks, serving_here, swapped

pytestmark = pytest.mark.compiled

TABLES = [("wave", 3, "base"), ("sea-change", 3, "base"), ("land-unter", 3, "base"), ("vague-verte", 3, "base"),
          ("vague-attaque", 3, "base")]  # fmt: skip
DECISIONS = (6,)


def decisions(game: str, players: int, variant: str, people: tuple[int, ...]) -> list[Course]:
    """Some decisions of people who move at random."""
    rules, luck, found = setup(game, players=players, variants=variant), random.Random(3), []
    course = Course(sit_down(rules, people_and(rules, people, ()), 7))
    for number in range(max(DECISIONS) + 1):
        if course.over:
            break
        found += [course] if number in DECISIONS else []
        course = course.choose(luck.choice(choices(course.match)))
    return found


def pages_of(course: Course) -> list[str]:
    """All pages of a game in progress, as the person to move gets them."""
    opened = {"open": str(course.to_move + 1)}
    reviews = Reviews()
    made = [
        pages.table_page(course, opened, None),
        pages.moves_page(course, opened),
        pages.hint_page(course, opened, 10, False, None),
        SetUp(course.sitting).of_game(course, opened),
        course.record().as_text() if course.made else "",
    ]
    for at in range(1, len(course.made) + 1):
        made.append(reviews.page(course, {**opened, "at": str(at)}, "position"))
    return made


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table[0])
def test_pages_stay_the_same_with_swapped_cards(table: tuple[str, int, str]) -> None:
    """Table, history, set-up position, and the review at every earlier move."""
    differ = 0
    for course in decisions(*table, (0, 1)):
        real = pages_of(course)
        other, moves = swapped(course, course.to_move, 5)
        assert other.match.states.tobytes() != course.match.states.tobytes()
        assert pages_of(other) == real
        differ += moves
    assert differ > 2


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table[0])
def test_no_page_shows_the_view_of_a_computer(table: tuple[str, int, str]) -> None:
    """A link in which a computer is to move is played on until a person is."""
    course = decisions(*table, (0,))[-1]
    others = [made.number - 1 for made in course.made if made.seat != 0]
    waiting = Course(course.sitting.until(others[-1]))
    assert not waiting.waits_for_a_person
    course = waiting.go_on()
    forged, good = link_of(waiting.sitting), link_of(course.sitting)
    with serving_here(course.sitting) as client:
        for page in ("table?", "hint?worlds=4&", "moves?", "position?", "review?side=2&"):
            asked = [client.ask(page + link, x_part="position") for link in (forged, good)]
            assert [status for status, _, _ in asked] == [200, 200], page
            text, same = (re.sub(r'hreflang="fr"[^>]*', "", one[2]) for one in asked)
            assert text == same, page
            assert "review" in page or leaks(f"table?{good}", filled_in(text)) == set(), page
        record = client.ask(f"record?{forged}")[2]
    assert record == course.record().as_text()
    for page in (pages.table_page, pages.moves_page):
        with pytest.raises(PositionError, match="a person has to be to move"):
            page(waiting, {}, *([None] if page is pages.table_page else []))


def test_saved_games_name_no_secret_move() -> None:
    """A card that was chosen face down is in the record once it is revealed; a loaded game chooses it again."""
    land = setup("land-unter", players=3)
    course = Course(sit_down(land, people_and(land, [1], ()), 7))
    assert [made.seat for made in course.made] == [0]
    assert course.record().moves == ()
    after = course.choose(0)
    assert len(after.record().moves) == 3
    assert from_record(read_record(after.record().as_text()), after.sitting.seats) == after.sitting


@pytest.mark.parametrize("page", ["hint", "moves", "review", "position"])
def test_pages_of_another_hand_are_refused(page: str) -> None:
    """At one screen the hand of the person to move must be shown first; another seat's name does not do."""
    wave = setup("wave")
    course = Course(sit_down(wave, people_and(wave, [0, 1], ()), 7)).choose(0)
    with serving_here(course.sitting) as client:
        link = f"{page}?{link_of(course.sitting)}&worlds=4"
        for forged in ("", f"&open={2 - course.to_move}", "&open=3", "&open=x", "&side=1"):
            assert client.ask(link + forged)[0] == 400
        assert client.ask(f"{link}&open={course.to_move + 1}")[0] == 200


def test_review_hides_cards_on_branches_of_other_players() -> None:
    wave = setup("wave")
    course = Course(sit_down(wave, people_and(wave, [0, 1], ()), 7)).choose(0).choose(0)
    opened = {"open": str(course.to_move + 1)}
    for made in course.made:
        part = Reviews().page(course, {**opened, "at": str(made.number)}, "position")
        way = re.search(r'id="try" href="table\?([^"]*)"', part)
        assert (way is not None) == (made.seat < 2)
        assert way is None or ("open=" in way[1]) == (made.seat == course.to_move)
