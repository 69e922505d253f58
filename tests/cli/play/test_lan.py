"""A game on several screens: the join code, one seat each, nothing of other seats, moves that others see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import segno

from houle.analysis.play.link import link_of
from houle.analysis.play.table_game import Course, choices
from houle.cli.play import lan
from houle.cli.play.lan import COOKIE, MOST_WRONG, NEEDS, LanApp, WrongCodes
from houle.cli.web.guard import LOOPBACK, Guard
from houle.cli.web.server import bound, in_terminal, join_address, on_page
from houle.solver.rules import game_names
from tests.support.amounts import some
from tests.support.browser import Browser
from tests.support.playing import Client, Guest, hidden_labels, seated, served, shown_labels

pytestmark = pytest.mark.compiled

CODE = "WAVE42"


@contextmanager
def lan_here(game: str = "wave", people: tuple[int, ...] = (0, 1)) -> Iterator[tuple[Client, LanApp]]:
    """Serves a game on several screens from a thread of this process."""
    app = LanApp(seated(game, *people, players=3), CODE, None, None)
    with served(app, NEEDS, game, None) as client:
        yield client, app


def join(client: Client, seat: int, code: str = CODE, name: str = "") -> str:
    """The secret address of a seat."""
    status, headers, text = client.ask("/join/", "POST", f"code={code}&seat={seat}&name={name}")
    assert status == 303, text
    return headers["location"].removesuffix("table")


@pytest.mark.parametrize("game", game_names())
def test_each_seat_sees_only_its_own_view(game: str) -> None:
    """No seed, link or hidden card in any answer before the end; a seat that waits has no moves."""
    with lan_here(game) as (client, app):
        homes = [join(client, 1, name="Ana"), join(client, 2)]
        for _ in range(some(3)):
            course = app.game.course
            if course.over:
                break
            for seat, home in enumerate(homes):
                _, page = client.follow(f"{home}table")
                assert hidden_labels(app.game.course, seat) & shown_labels(page) == set()
                assert "deal=" not in page
                assert "moves=" not in page
                assert f"{course.sitting.seed}/" not in page.replace(f"{client.port}/", "")
                assert ('name="pick"' in page) == (seat == course.to_move)
                assert client.ask(f"{home}review")[0] == 400
                for other in ("moves", "record", "undo", "position", "new", "load"):
                    assert client.ask(f"{home}{other}?{link_of(course.sitting)}")[0] == 404
            mover = homes[course.to_move]
            status, _, text = client.ask(f"{mover}hint?worlds=4&side=1&open=1", x_part="hint")
            assert status == 200
            assert hidden_labels(course, course.to_move) & shown_labels(text) == set()
            assert client.ask(f"{mover}move", "POST", f"ply={len(course.made)}&pick=0")[0] == 303


def test_nobody_moves_for_another_seat() -> None:
    with lan_here() as (client, app):
        homes = [join(client, 1), join(client, 2)]
        course = app.game.course
        waits, moves = homes[1 - course.to_move], homes[course.to_move]
        ply = len(course.made)
        for forged in (f"ply={ply}&pick=0", f"ply={ply}&pick=0&seat=1", f"ply={ply}&pick=usual"):
            assert client.ask(f"{waits}move?open=1&side=1", "POST", forged)[0] == 400
        assert client.ask(f"{waits}hint?worlds=4")[0] == 400
        for body in (f"ply={ply + 1}&pick=0", f"ply={ply}&pick=99", f"ply={ply}", ""):
            assert client.ask(f"{moves}move", "POST", body)[0] == 400
        assert client.ask(f"{moves}again", "POST", "")[0] == 400
        assert app.game.sitting == course.sitting
        before = client.ask(f"{waits}state")[2]
        assert client.ask(f"{moves}move", "POST", f"ply={ply}&pick=0")[0] == 303
        assert client.ask(f"{waits}state")[2] != before


@pytest.mark.parametrize("first_clicks", [False, True])
def test_people_point_at_once(first_clicks: bool) -> None:
    """While one of three people points for another, the third may point too; it counts when the turn comes.

    Two may click in the same second: the second form was made before the first signal.
    """
    with lan_here("wave", (0, 1, 2)) as (client, app):
        homes = [join(client, seat) for seat in (1, 2, 3)]
        app.game.move(0, b"ply=0&pick=0")  # then seats 3 and 1 point for seat 2
        course = app.game.course
        decides, first, last = 1, 2, 0
        page = client.ask(f"{homes[last]}table")[2]
        assert 'name="pick"' in page
        assert 'id="ask"' not in page
        assert 'name="pick"' not in client.ask(f"{homes[decides]}table")[2]
        ply = len(course.made)
        assert client.ask(f"{homes[last]}move", "POST", f"ply={ply}&pick=99")[0] == 400
        for seat in (first, last) if first_clicks else (last, first):
            assert client.ask(f"{homes[seat]}move", "POST", f"ply={ply}&pick={int(seat == last)}")[0] == 303
            assert first_clicks or seat == first or app.game.sitting.moves == course.sitting.moves
        assert 'name="pick"' not in client.ask(f"{homes[last]}table")[2]
        assert client.ask(f"{homes[last]}move", "POST", f"ply={ply}&pick=0")[0] == 400
        assert app.game.sitting.moves[ply:] == (0, 1)
        assert app.game.course.to_move == decides
        seats = [made.seat for made in app.game.course.made]
        assert seats[ply:] == [first, last]


def ask_for(client: Client, seat: int, name: str = "") -> str:
    """The page on which a fourth person waits for a seat in use."""
    status, headers, text = client.ask("/join/", "POST", f"code={CODE}&seat={seat}&name={name}")
    assert status == 303, text
    assert headers["location"].startswith("/join/wait?word=")
    return headers["location"]


def test_a_silent_seat_is_taken_over_with_the_code() -> None:
    """The new address is the only one of the seat; the old one leads to the join page."""
    with lan_here() as (client, app):
        first, other = join(client, 1, name="Bob"), join(client, 2, name="Ana")
        assert "Bob, in use: ask for it" in client.ask("/join/")[2]
        assert client.ask("/join/", "POST", "code=WRONG1&seat=1")[0] == 403
        app.game.asked[0] -= lan.ABSENCE
        assert "Bob, away" in client.ask("/join/")[2]
        again = join(client, 1, name="Dan")
        assert again != first
        assert client.ask(f"{again}table")[0] == 200
        assert client.ask(f"{first}state")[2] == "lost"
        for method, page in (("GET", "table"), ("POST", "move")):
            status, headers, text = client.ask(f"{first}{page}", method, "" if method == "POST" else None)
            assert (status, headers["location"], text) == (303, "/join/?lost=1", "")
        assert "Dan plays your seat now. Take another one, or ask for it." in client.ask("/join/?lost=1")[2]
        assert "Dan plays the seat of Bob now." in client.ask(f"{other}table")[2]
        assert app.game.sitting.names[0] == "Dan"


@pytest.mark.parametrize("gives", [True, False])
def test_a_seat_in_use_asks_its_owner(gives: bool) -> None:
    """All seats are taken, and a fourth device comes: nothing of the seat is shown before the owner agrees."""
    with lan_here() as (client, _):
        first, other = join(client, 1, name="Bob"), join(client, 2, name="Ana")
        before = client.ask(f"{first}state")[2], client.ask(f"{other}state")[2]
        page = ask_for(client, 1, "Dan")
        assert client.ask("/join/", "POST", f"code={CODE}&seat=1&name=Eve")[0] == 400
        status, _, text = client.ask(page)
        assert status == 200
        assert "Bob is asked on their own page." in text
        assert "card" not in text
        assert client.ask(f"{first}state")[2] != before[0]
        assert client.ask(f"{other}state")[2] == before[1]
        assert "Dan asks for your seat" in client.ask(f"{first}table")[2]
        assert "Dan asks for your seat" not in client.ask(f"{other}table")[2]
        assert client.ask(f"{other}seat", "POST", "give=yes")[0] == 303  # only the owner answers
        assert "Bob is asked" in client.ask(page)[2]
        assert client.ask(f"{first}seat", "POST", f"give={'yes' if gives else 'no'}")[0] == 303
        status, headers, text = client.ask(page)
        if gives:
            assert status == 303
            assert client.ask(headers["location"])[0] == 200
            assert client.ask(f"{first}state")[2] == "lost"
            assert "Dan plays the seat of Bob now." in client.ask(f"{other}table")[2]
        else:
            assert "Bob keeps the seat" in text
            assert client.ask(f"{first}table")[0] == 200
            assert client.ask("/join/", "POST", f"code={CODE}&seat=1&name=Dan")[0] == 400  # not again at once


def test_an_owner_who_does_not_answer_keeps_the_seat_for_two_minutes() -> None:
    with lan_here() as (client, app):
        first, page = join(client, 1, name="Bob"), ""
        join(client, 2, name="Ana")
        page = ask_for(client, 1, "Dan")
        app.game.questions[0].began -= lan.ANSWER
        assert "Bob has not answered. Speak to each other." in client.ask(page)[2]
        app.game.asked[0] -= lan.ABSENCE - 30
        assert re.search(r"The seat is yours in (29|30) seconds", client.ask(page)[2])
        client.ask(f"{first}state")  # the page is there again
        assert "Speak to each other." in client.ask(page)[2]
        app.game.asked[0] -= lan.ABSENCE
        assert client.ask(page)[0] == 303
        assert client.ask(f"{first}state")[2] == "lost"


def test_a_question_ends_with_its_page() -> None:
    with lan_here() as (client, app):
        first = join(client, 1, name="Bob")
        ask_for(client, 1, "Dan")
        assert "Dan asks" in client.ask(f"{first}table")[2]
        app.game.questions[0].seen -= lan.ASKER
        assert "Dan asks" not in client.ask(f"{first}table")[2]
        assert client.ask("/join/wait?word=x")[0] == 400


def test_a_waiting_word_may_have_any_letters() -> None:
    """Nobody but the person who asked knows the word, so anybody may send another."""
    with lan_here() as (client, _):
        join(client, 1, name="Bob")
        ask_for(client, 1, "Dan")
        for word in ("%C3%A9", "%FF", "%F0%9F%8C%8A", "%ED%A0%80", ""):
            assert client.ask(f"/join/wait?word={word}")[0] == 400


def test_a_scanned_code_is_typed_in_already() -> None:
    """The picture on every seat's page and in the terminal holds the address with the join code."""
    with lan_here() as (client, _):
        here = f"127.0.0.1:{client.port}"
        address = join_address(here, CODE)
        page = client.ask(f"{join(client, 1)}table")[2]
        assert address in page
        assert str(on_page(address)) in page
        assert f'value="{CODE}"' in client.ask(address.partition(here)[2])[2]
        assert "&lt;b&gt;" in client.ask("/join/?code=<b>")[2]


@pytest.mark.quick
def test_terminals_draw_the_address() -> None:
    """Two rows of modules per line, dark modules empty, as a reader of the blocks sees them."""
    address = "http://192.0.2.7:8573/join/?code=WAVE42"
    drawn = in_terminal(address).splitlines()
    dark = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    modules = [[dark[sign][half] for sign in line] for line in drawn for half in (0, 1)]
    held = [list(row) for row in segno.make_qr(address).matrix_iter(border=2)]
    assert modules[: len(held)] == held


def test_the_host_switches_hints_off() -> None:
    with lan_here() as (client, app):
        homes = [join(client, 1), join(client, 2)]
        while len(choices((course := app.game.course).match)) < 2:  # a forced move needs no hint
            app.game.move(course.to_move, f"ply={len(course.made)}&pick=0".encode())
        here = homes[course.to_move]
        assert 'id="ask"' in client.ask(f"{here}table")[2]
        app.game.hints = False
        assert 'id="ask"' not in client.ask(f"{here}table")[2]
        assert client.ask(f"{here}hint?worlds=4")[0] == 400


def test_pages_say_who_is_offline() -> None:
    with lan_here() as (client, app):
        homes = [join(client, 1, name="Bob"), join(client, 2, name="Ana")]
        before = [client.ask(f"{home}state")[2] for home in homes]
        assert "Offline:" not in client.ask(f"{homes[1]}table")[2]
        app.game.asked[0] -= 60  # Bob's page has been silent for a minute
        assert client.ask(f"{homes[1]}state")[2] != before[1]
        assert "Offline: Bob" in client.ask(f"{homes[1]}table")[2]


def test_the_code_is_needed_and_cannot_be_tried_out() -> None:
    with lan_here() as (client, app):
        assert client.ask("/")[1]["location"] == "/join/"
        page = client.ask("/join/")[2]
        assert CODE not in page
        for token in app.apps:
            assert token == "join" or token not in page
        for path in ("/x/table", "/x/state", f"/{'a' * 22}/table", "/table", "//"):
            assert client.ask(path)[0] in (303, 403, 404), path
        assert client.ask("/join/", host="evil.example")[0] == 403
        assert client.ask("/join/", "POST", f"code={CODE}&seat=1", origin="http://evil.example")[0] == 403
        for seat in ("0", "3", "9", "x", ""):  # seat 3 is a computer's
            assert client.ask("/join/", "POST", f"code={CODE}&seat={seat}")[0] == 400
        first = join(client, 1, "wave-42")
        token = first.strip("/")
        assert "back-to-seat" in client.ask("/join/", cookie=f"{COOKIE}={token}")[2]
        assert "back-to-seat" not in client.ask("/join/", cookie=f"{COOKIE}=x")[2]
        for number in range(MOST_WRONG):  # the header of a proxy makes no other device of it
            wrong = client.ask("/join/", "POST", "code=WAVE41&seat=2", X_Forwarded_For=f"192.0.2.{number}")
            assert wrong[0] == 403
        status, head, _ = client.ask("/join/", "POST", f"code={CODE}&seat=2")
        assert status == 429
        assert int(head["retry-after"]) > 0
        assert client.ask(f"{first}table")[0] == 200  # who has joined plays on


@pytest.mark.quick
def test_wrong_codes_are_forgotten_after_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now, wrong = [0.0], WrongCodes()
    monkeypatch.setattr(lan.time, "monotonic", lambda: now[0])
    for sender in ("a", "a", "a", "a", "b", "a"):
        assert wrong.wait(sender) == 0
        wrong.note(sender)
    assert wrong.wait("a") == 61
    assert wrong.wait("b") == 0
    now[0] = 60.0
    assert wrong.wait("a") == 0


@pytest.mark.quick
def test_all_senders_together_are_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """One machine may have many addresses."""
    now, wrong = [0.0], WrongCodes()
    monkeypatch.setattr(lan.time, "monotonic", lambda: now[0])
    tried = 0
    for number in range(3_000):
        now[0] = number / 100
        if wrong.wait(str(number)) == 0:
            wrong.note(str(number))
            tried += 1
    assert tried == 60
    assert wrong.wait("somebody else") > 0
    now[0] = 60.7
    assert wrong.wait("somebody else") == 0


@pytest.mark.quick
def test_the_server_is_on_loopback_unless_asked() -> None:
    with bound(0) as door:
        assert door.getsockname()[0] == LOOPBACK
    guard = Guard(LanApp.__call__, None, "192.0.2.7")  # type: ignore[arg-type]
    guard.open_for(80)
    assert guard.hosts == {"192.0.2.7:80"}


def test_a_finished_game_is_reviewed_and_dealt_again() -> None:
    with lan_here("land-unter") as (client, app):
        homes = [join(client, 1), join(client, 2)]
        while not app.game.course.over:
            course = app.game.course
            app.game.move(course.to_move, f"ply={len(course.made)}&pick=0".encode())
        for home in homes:
            page = client.ask(f"{home}table")[2]
            assert re.search(r'<h2 class="result">You (won|lost|share)', page)
            assert client.ask(f"{home}review")[0] == 200
            assert 'id="try"' not in client.ask(f"{home}review?at=1", x_part="position")[2]
        seed = app.game.sitting.seed
        assert client.ask(f"{homes[1]}again", "POST", "")[0] == 303
        assert app.game.sitting.seed != seed
        assert not app.game.course.over


@pytest.mark.slow
def test_two_browsers_play_together(browser: Browser) -> None:
    """Two tabs with a seat each: a move in one changes the other by itself."""
    with lan_here("wave", (0, 1)) as (client, app):
        guest = Guest(browser, 390)
        home = f"http://127.0.0.1:{client.port}"
        guest.go(f"{home}/")
        browser.ask(f"document.querySelector('[name=code]').value = '{CODE.lower()}'")
        guest.click("#join-now")
        assert "/table" in guest.address
        other = join(client, 2)
        guest.wait_for("document.querySelector('#lan .notice') === null")
        while app.game.course.to_move == 1:
            assert client.ask(f"{other}move", "POST", f"ply={len(app.game.course.made)}&pick=0")[0] == 303
        guest.wait_for("document.querySelector('.moves-to-make button') !== null")
        guest.click(".on-card:not(.some):not(.told), .moves-to-make button:not(.carded)")
        assert Course(app.game.sitting).made
        assert guest.complaints == []
