"""The end of a game: a deal for friends, the deal of the day, experts on the same deal, results that stay yours.

With --results each finished game is also kept in a file, once, and `houle players --fit` reads it.
"""

from __future__ import annotations

from datetime import date
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from houle.analysis.play.ending import KeptResults, by_experts, check_named_rules
from houle.analysis.play.link import read_link
from houle.analysis.play.table_game import Course
from houle.analysis.players.results_file import read_results
from houle.cli.play import forms, pages
from houle.solver.errors import InputError
from houle.solver.rules import make_setup
from tests.support.browser import Browser
from tests.support.call import call
from tests.support.playing import at_the_table, found, seated

pytestmark = pytest.mark.compiled


def finished(game: str, seat: int = 0, others: tuple[str, ...] = ()) -> Course:
    course = Course(seated(game, seat, seed=13, others=others))
    while not course.over:
        course = course.choose(None)
    return course


def test_friends_get_the_same_deal() -> None:
    course = finished("land-unter")
    page = pages.table_page(course, {}, None)
    copied = found(r"data-copy=\"houle play '(.+?)'\"", unescape(page))
    assert read_link(copied) == course.sitting.until(0)


def test_no_advice_is_offered_without_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a class in plain Python: hints, the guide, positions and reviews would fail."""
    end = finished("land-unter")
    start = Course(end.sitting.until(0))
    later = start.choose(None)
    offers = ('id="ask"', 'id="guided"', 'id="set-up"', "<kbd>h</kbd>", 'id="to-review"', "See what decided the game")
    offered = [pages.table_page(course, {}, None) for course in (start, later, end)]
    assert all(any(offer in page for page in offered) for offer in offers)
    monkeypatch.setattr(pages, "has_positions", lambda setup: False)
    shown = [pages.table_page(course, {}, None) for course in (start, later, end)]
    assert not [offer for offer in offers for page in shown if offer in page]


def test_the_deal_of_the_day_is_the_same_everywhere() -> None:
    """From the end of a game and from the form of a new one."""
    course = finished("land-unter")
    today = int(f"{date.today():%Y%m%d}")
    link = found(r'href="table\?([^"]+)">Deal of the day', pages.table_page(course, {}, None))
    assert read_link(link).seed == today
    chosen = forms.chosen({"game": "land-unter", "players": "3", "deal": "today", "seed": "7"}, course.setup)
    assert (chosen.seed, chosen.game) == (today, 0)
    assert 'value="today"' in pages.new_page({}, course.sitting)


def test_experts_play_the_same_deal() -> None:
    """In the seats of people, against the same computers; twice the same."""
    course = finished("vague-verte")
    first, again = by_experts(course, 0), by_experts(course, 0)
    assert first == again
    page = pages.experts_page(course, {})
    assert f"<b>{first.verdict}</b>" in page
    assert f"<b>{first.score}</b>" in page


@pytest.mark.parametrize(("game", "seat", "others"), [("wave", 0, ("family",)),
                                                     ("land-unter", 1, ("family", "seasoned"))])  # fmt: skip
def test_a_game_is_kept_once(game: str, seat: int, others: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    kept, course = KeptResults(str(file)), finished(game, seat, others)
    kept.note(Course(course.sitting.until(0)))
    assert not file.exists()  # before the end
    kept.note(course)
    kept.note(Course(course.sitting))
    (one,), _ = read_results(file, course.setup)
    assert (one.number, one.seats, one.others) == (1, (seat,), ",".join(others))
    assert one.line_up("thumb").names[seat] == "thumb"


@pytest.mark.quick
def test_rules_need_a_file() -> None:
    with pytest.raises(InputError, match="names rules by one rules file"):
        check_named_rules(make_setup("wave", 3, (), {"hand.back": 3}, None, "--set"))
    result = call("play wave --set hand.back=3 --results x.csv")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)


@pytest.mark.slow
def test_results_are_kept_only_if_you_want(browser: Browser) -> None:
    kept = "localStorage.getItem('houle-results')"
    with at_the_table(browser, seated("vague-verte", seed=13), 390) as guest:
        while not guest.has("#end"):
            guest.click(".moves-to-make button, .on-card:not(.some):not(.told)")
        assert browser.ask(kept) is None
        guest.click("#keep", leaves=False)
        guest.wait_for("document.querySelector('[data-count=games]').textContent === '1'")
        guest.reload()
        assert browser.ask("document.querySelector('[data-count=games]').textContent") == "1"
        guest.click("#forget", leaves=False)
        assert browser.ask(kept) is None


@pytest.mark.slow
def test_back_leads_to_a_decision_of_yours(browser: Browser) -> None:
    """With all pointing left to the computer the browser remembers no page on which it pointed."""
    with at_the_table(browser, seated("wave"), 1280) as guest:
        while not guest.has("#leave-all"):
            guest.click(".moves-to-make button")
        guest.click("#leave-all")
        settled = "!document.body.hasAttribute('aria-busy') && document.querySelector('#leave-all') === null"
        for _ in range(3):
            guest.wait_for(settled)
            if not guest.has(".moves-to-make button"):
                break
            guest.click(".moves-to-make button")
        guest.wait_for(settled)
        last = len(read_link(urlsplit(guest.address).query).moves)
        guest.back()
        guest.wait_for(settled)
        course = Course(read_link(urlsplit(guest.address).query))
        assert len(course.made) < last
        assert not course.match.is_signal()
