"""No page shows what its seat does not know: swapped hidden cards change no page, and forged links show nothing."""

from __future__ import annotations

import re

import pytest

from houle.analysis.play.link import link_of
from houle.analysis.play.table_game import Course, from_record
from houle.cli.play import pages
from houle.cli.play.review import Reviews
from houle.cli.play.setup_position import SetUp
from houle.solver.errors import PositionError
from houle.solver.matches.record.game import read_record
from houle.solver.rules import game_names
from tests.support.playing import at_random, filled_in, leaks, seated, serving_here, swapped

pytestmark = pytest.mark.compiled


def sixth_decision(game: str, *people: int) -> Course:
    """The sixth decision of people who move at random."""
    return list(at_random(seated(game, *people, players=3), 6))[-1]


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


@pytest.mark.parametrize("game", game_names())
def test_pages_stay_the_same_with_swapped_cards(game: str) -> None:
    """Table, history, set-up position, and the review at every earlier move."""
    course = sixth_decision(game, 0, 1)
    real = pages_of(course)
    other, moves = swapped(course, course.to_move, 5)
    assert other.match.states.tobytes() != course.match.states.tobytes()
    assert pages_of(other) == real
    assert moves > 2


@pytest.mark.parametrize("game", game_names())
def test_no_page_shows_the_view_of_a_computer(game: str) -> None:
    """A link in which a computer is to move is played on until a person is."""
    course = sixth_decision(game, 0)
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
    course = Course(seated("land-unter", 1, players=3))
    assert [made.seat for made in course.made] == [0]
    assert course.record().moves == ()
    after = course.choose(0)
    assert len(after.record().moves) == 3
    assert from_record(read_record(after.record().as_text()), after.sitting.seats) == after.sitting


@pytest.mark.parametrize("page", ["hint", "moves", "review", "position"])
def test_pages_of_another_hand_are_refused(page: str) -> None:
    """At one screen the hand of the person to move must be shown first; another seat's name does not do."""
    course = Course(seated("wave", 0, 1)).choose(0)
    with serving_here(course.sitting) as client:
        link = f"{page}?{link_of(course.sitting)}&worlds=4"
        for forged in ("", f"&open={2 - course.to_move}", "&open=3", "&open=x", "&side=1"):
            assert client.ask(link + forged)[0] == 400
        assert client.ask(f"{link}&open={course.to_move + 1}")[0] == 200


def test_review_hides_cards_on_branches_of_other_players() -> None:
    course = Course(seated("wave", 0, 1)).choose(0).choose(0)
    opened = {"open": str(course.to_move + 1)}
    for made in course.made:
        part = Reviews().page(course, {**opened, "at": str(made.number)}, "position")
        way = re.search(r'id="try" href="table\?([^"]*)"', part)
        assert (way is not None) == (made.seat < 2)
        assert way is None or ("open=" in way[1]) == (made.seat == course.to_move)
