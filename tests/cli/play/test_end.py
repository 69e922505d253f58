"""The end of a game: a deal for friends, experts on it, results that stay yours; and its review on pages.

With --results each finished game is also kept in a file, once, and `houle players --fit` reads it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from houle.analysis.play.ending import KeptResults, by_experts, check_named_rules
from houle.analysis.play.link import link_of, read_link
from houle.analysis.play.review import account, judge, review
from houle.analysis.play.review_steps import Reviewing, played_course
from houle.analysis.play.table_game import Course, Sitting
from houle.analysis.players.results_file import read_results
from houle.analysis.stats.estimate import Estimate
from houle.cli.play import forms, pages
from houle.cli.play.review import Reviews
from houle.solver.errors import InputError, PositionError
from houle.solver.rules import game_names, make_setup
from tests.support.browser import Browser
from tests.support.call import call
from tests.support.playing import (
    at_random,
    at_the_table,
    found,
    hidden_labels,
    leaks,
    seated,
    serving_here,
    shown_labels,
)

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


@pytest.mark.parametrize(
    ("game", "seat", "others"), [("wave", 0, ("family",)), ("land-unter", 1, ("family", "seasoned"))]
)
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
        check_named_rules(
            make_setup("wave", players=3, variants=(), settings={"hand.back": 3}, file=None, place="--set")
        )
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


def played(game: str, moves: int | None = None, people: tuple[int, ...] = (0,), seed: int = 7) -> Course:
    """A game with random moves of people, or its first moves."""
    return list(at_random(seated(game, *people, seed=seed), moves))[-1]


@pytest.mark.parametrize("game", game_names())
def test_no_review_of_a_running_game_shows_hidden_cards(game: str) -> None:
    """Neither its pages nor the one to save: each earlier position holds what the reader saw then.

    Only the reader's decisions are judged.
    """
    course = played(game, 4, (0, 1))
    seat, reviews = course.to_move, Reviews()
    for other in ({}, {"open": str((seat + 1) % course.setup.players + 1)}):
        with pytest.raises(PositionError, match="show your hand first"):
            reviews.page(course, other, "")
        with pytest.raises(PositionError, match="show your hand first"):
            reviews.saved(course, other)
    opened = {"open": str(seat + 1)}
    page = reviews.page(course, opened, "")
    assert leaks(f"review?{link_of(course.sitting)}", page) == set()
    judged = reviews.of(course)
    assert {judged.played.befores[number - 1].to_move() for number in judged.numbers} <= {seat}
    judged.go_on(600)
    saved = reviews.saved(course, opened)
    assert "so far of seat" in saved
    sections = re.findall(r"<section>.*?</section>", saved, re.DOTALL)
    for at in range(1, len(course.made) + 1):
        part = reviews.page(course, {**opened, "at": str(at)}, "position")
        sections.append(part[part.index('<section id="position"') : part.index("</section>")])
    for section in sections:
        before = Course(course.sitting.until(int(found(r"Move (\d+) of", section)) - 1))
        assert hidden_labels(before, seat) & shown_labels(section) == set()


def test_partial_results_come_first_and_end_as_the_review() -> None:
    """Few worlds for all decisions, then more; in the end the same as `houle review`."""
    course = played("vague-verte")
    judging = Reviewing(played_course(course), (4, 8))
    assert judging.account(0) is None
    judging.go_on(0)
    assert len(judging.decisions) == judging.steps == 1
    while judging.round < 1:
        judging.go_on(0)
    assert {one.loss.n for one in judging.decisions} == {2}
    assert judging.account(0) is None  # sums swing while more worlds are imagined
    judging.go_on(600)
    assert judging.done
    whole = review(course.record().as_text(), worlds=8)
    assert judging.decisions == list(whole.decisions)
    assert [judging.account(seat) for seat in range(course.setup.players)] == list(whole.accounts)


def test_page_asks_for_more_until_all_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves say what players did: `Moana plays 3`, not `Moana: play 3`."""
    monkeypatch.setattr("houle.cli.play.review.SECONDS", 1e-6)  # a fast machine judges two moves at once
    course, reviews = played("land-unter", 2), Reviews()
    first = reviews.page(course, {}, "")
    assert 'data-more="1"' in first
    assert "<progress" in first
    assert re.search(r'<b>Moana</b> <span data-done="another" data-move="play \d+">plays \d+</span>', first)
    reviews.of(course).go_on(600)
    last = reviews.page(course, {}, "")
    assert 'data-more=""' in last
    assert "<progress" not in last


def test_mistakes_of_partners_are_not_own() -> None:
    """In a team the account of a seat splits what the account of the team has as its own."""
    game = played_course(played("wave"))
    judged = [judge(game, number, 4, 1) for number in game.choices]
    mine = next(one for one in judged if one is not None and one.seat == 0)
    partner = next(one for one in judged if one is not None and one.seat == 1)
    wrong = {
        one.number: replace(one, loss=Estimate(by, by, by, 2), changes=(-by,))
        for one, by in ((mine, 0.25), (partner, 0.125))
    }
    decisions = [wrong.get(one.number, one) for one in judged if one is not None]
    seat, team = account(game, side=0, decisions=decisions, worlds=4, seat=0), account(game, 0, decisions, 4)
    assert (seat.lost, seat.others) == (0.25, -0.125)
    assert (team.lost, team.others) == (0.375, 0)
    assert seat.luck == team.luck


def test_the_page_of_a_finished_game() -> None:
    course = played("wave")
    with serving_here(course.sitting) as client:
        link = link_of(course.sitting)
        status, _, first = client.ask(f"review?{link}")
        assert status == 200
        assert re.search(r"\d+ imagined deals", first)
        assert re.search(r'<p class="lead">You (lost|won) because ', first)
        mine = next(made.number for made in course.made if made.seat == 0)
        part = client.ask(f"review?{link}&at={mine}", x_part="position")[2]
        assert "<html" not in part
        assert 'id="branch"' in client.follow(found(r'id="try" href="([^"]*)"', part))[1]
        for bad in ("&side=9", "&side=0x", "&at=1&at=2"):
            assert client.ask(f"review?{link}{bad}")[0] in (200, 400)
        assert client.ask(f"review?{link}&side=9")[0] == 400
        assert client.ask(f"review?{link_of(Sitting(course.setup, 7, 0, course.sitting.seats))}")[0] == 400


@pytest.mark.browser
def test_arrow_keys_and_clicks_go_through_the_game(browser: Browser) -> None:
    course = played("wave", seed=21)  # a short game: the page waits until all of it is reviewed
    with at_the_table(browser, course.sitting, 390, page=f"review?{link_of(course.sitting)}") as guest:
        guest.wait_for("!document.querySelector('#review').dataset.more")
        guest.click("#m3", leaves=False)
        guest.wait_for(f"document.querySelector('#position b').innerText === 'Move 3 of {len(course.made)}'")
        browser.call("Input.dispatchKeyEvent", type="keyDown", key="ArrowRight")
        guest.wait_for("location.search.endsWith('at=4') && document.querySelector('#all .here').value === '4'")
        assert guest.overflow <= 0
        first = next(made.number for made in course.made if made.seat == 0)
        guest.click(f"#m{first}", leaves=False)
        guest.wait_for("document.querySelector('#try') !== null")
        guest.click("#try")
        assert guest.has("#branch")
        assert len(read_link(urlsplit(guest.address).query).moves) == first - 1
        assert guest.complaints == []


def test_the_saved_page_holds_no_link() -> None:
    """Nobody who gets the file can find out the deal, or a card that the page does not show."""
    course = played("wave")
    with serving_here(course.sitting) as client:
        link = link_of(course.sitting)
        client.ask(f"review?{link}")
        status, head, page = client.ask(f"review?{link}&save=1")
    assert status == 200
    assert head["content-disposition"] == 'attachment; filename="wave-review.html"'
    assert "deal=" not in page
    assert not re.search(r"<script|<form|<button|\bhref=\"(?!data:)|\bsrc=|url\(", page)
    assert re.search(r'<p class="lead">You (lost|won) because ', page)
    assert page.count('class="line"') == len(course.made)


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_the_saved_page_opens_without_a_server(browser: Browser, width: int, tmp_path: Path) -> None:
    course, reviews = played("wave", seed=21), Reviews()
    reviews.of(course).go_on(600)
    file = tmp_path / "wave-review.html"
    file.write_text(reviews.saved(course, {}), encoding="utf-8")
    browser.open(file, width)
    assert browser.requests() == [file.resolve().as_uri()]
    assert browser.complaints() == []
    assert browser.ask("document.querySelector('.lead').innerText").startswith("You ")
    assert browser.ask("document.querySelector('.places .card').getBoundingClientRect().width") > 30
    assert browser.ask("document.documentElement.scrollWidth") <= width
    assert browser.ask("document.querySelector('#graph').getBoundingClientRect().height") > 100
