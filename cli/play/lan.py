"""`houle play --lan`: one game for several people on one network, each at an own screen.

The server holds the game. The join page gives the secret address of a seat to a person who has the join code. Pages of
a seat show what this seat knows; the seed and the link, from which all cards could be found out, come only at the end.

A seat that nobody has taken, or whose page has been silent for two minutes, is given at once. A seat in use asks its
owner, on the owner's page. Everybody sees it, and the page that lost its seat leads back to the join page.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from houle.analysis.play.ending import KeptResults
from houle.analysis.play.seat_view import names_for, seat_view, signalling, signals_from
from houle.analysis.play.table_game import MOST_NAME, Course, Sitting, checked_names
from houle.cli.play import pages
from houle.cli.play.app import MOST_WORLDS, form_of, picked, save
from houle.cli.play.forms import MOST_NEW_SEED
from houle.cli.play.review import Reviews
from houle.cli.waiting import ALL
from houle.cli.web.server import JOIN, Answering, join_address, on_page
from houle.solver.errors import InputError, PositionError
from houle.solver.language.languages import ENGLISH
from houle.solver.texts import typed_number

MOST_WRONG = 5  # wrong codes of one sender in a minute
MOST_WRONG_TOGETHER = 60  # of all senders: one machine can have many addresses
MINUTE = 60.0
SILENCE = 6.0  # seconds without a request after which a person is offline; every page asks each second
ABSENCE = 120.0  # seconds of silence after which a seat is free again
ANSWER = 20.0  # seconds in which the owner of a seat is expected to answer
TOLD = 120.0  # seconds in which everybody sees that a seat has another person
ASKER = 6.0  # seconds without a request after which a question is withdrawn
COOKIE = "houle-seat"
NEEDS = dict.fromkeys(("table", "move", "hint", "review", "again"), ALL)


class WrongCodes:
    """The wrong codes of the last minute."""

    def __init__(self) -> None:
        self._wrong: deque[tuple[float, str]] = deque(maxlen=MOST_WRONG_TOGETHER)  # when, and whose

    def wait(self, sender: str) -> int:
        """Seconds until this sender may try again."""
        now = time.monotonic()
        recent = [(then, who) for then, who in self._wrong if now - then < MINUTE]
        own = [then for then, who in recent if who == sender][-MOST_WRONG:]
        until = [own[0]] if len(own) == MOST_WRONG else []
        until += [recent[0][0]] if len(recent) == MOST_WRONG_TOGETHER else []
        return round(MINUTE - (now - max(until))) + 1 if until else 0

    def note(self, sender: str) -> None:
        self._wrong.append((time.monotonic(), sender))


@dataclass
class Question:
    """A person who asks for a seat in use."""

    seat: int
    name: str
    word: str = field(default_factory=lambda: secrets.token_urlsafe(16))  # the secret of its page
    began: float = field(default_factory=time.monotonic)
    seen: float = field(default_factory=time.monotonic)  # when its page last asked
    answer: bool | None = None


class SharedGame:
    """The game of all, and who has joined."""

    def __init__(self, first: Sitting, code: str, record: str | None, kept: KeptResults | None) -> None:
        self._course, self.code, self.record, self.kept = Course(first), code, record, kept
        self.joined: set[int] = set()
        self.early: dict[int, int | None] = {}  # signals that people chose before their turn
        self.hints = True  # whether the host allows them
        self.asked: dict[int, float] = {}  # when each seat's page last asked for anything
        self.questions: dict[int, Question] = {}  # by the seat that is asked for
        self._told: list[tuple[float, str]] = []  # which seats have another person, and since when
        self.version = 0  # grows with every change, so that pages know when to look again
        self.lock = threading.Lock()

    @property
    def course(self) -> Course:
        """The game as it is now; every page has its own copy, because pages are made at the same time."""
        return self._course.copied()

    @property
    def sitting(self) -> Sitting:
        return self._course.sitting

    @property
    def offline(self) -> list[int]:
        """The seats of people who joined and whose page has not asked for a while."""
        now = time.monotonic()
        return [seat for seat in sorted(self.joined) if now - self.asked.get(seat, now) > SILENCE]

    def is_free(self, seat: int) -> bool:
        """Whether nobody has taken a seat, or its page has been silent for long."""
        return seat not in self.joined or time.monotonic() - self.asked[seat] >= ABSENCE

    def question(self, seat: int) -> Question | None:
        """Who asks for a seat and waits for the answer."""
        one = self.questions.get(seat)
        waits = one is not None and one.answer is None and time.monotonic() - one.seen < ASKER
        return one if waits else None

    @property
    def told(self) -> list[str]:
        """Which seats have had another person for a short time."""
        return [words for since, words in self._told if time.monotonic() - since < TOLD]

    def state(self, seat: int) -> str:
        """What pages compare to see whether something changed: moves, names, who is there, who asks for the seat."""
        asks = self.question(seat)
        return f"{self.version} {self.offline} {len(self.told)} {asks.word[:4] if asks else ''}"

    def _show(self, course: Course) -> None:
        self._course, self.version = course, self.version + 1

    def join(self, seat: int, name: str) -> None:
        with self.lock:
            if seat not in self.sitting.people:
                raise InputError("seat: it is a computer's; choose another one")
            names = [*self.sitting.names, *[""] * self.sitting.setup.players][: self.sitting.setup.players]
            names[seat] = name or names[seat]
            renamed = replace(self.sitting, names=checked_names(self.sitting.setup, names))
            if seat in self.joined:
                was, now = names_for(self._course, None)[seat], checked_names(self.sitting.setup, [names[seat]])
                self._told.append((time.monotonic(), f"{now[0] if now else was} plays the seat of {was} now."))
            self.joined.add(seat)
            self.asked[seat] = time.monotonic()
            self.questions.pop(seat, None)
            self._show(Course(renamed))

    def ask(self, seat: int, name: str) -> Question:
        """Asks the owner of a seat for it."""
        with self.lock:
            checked_names(self.sitting.setup, [name])
            if seat not in self.sitting.people:
                raise InputError("seat: it is a computer's; choose another one")
            if self.question(seat) is not None:
                raise InputError("Somebody is asking for this seat already.")
            before = self.questions.get(seat)
            if before is not None and before.answer is False and time.monotonic() - before.began < MINUTE:
                raise InputError("The owner keeps this seat. Choose another one, or ask again in a minute.")
            self.questions[seat] = Question(seat, name)
            return self.questions[seat]

    def answer(self, seat: int, gives: bool) -> None:
        """What the owner of a seat answers to who asks for it."""
        with self.lock:
            if (one := self.question(seat)) is not None:
                one.answer = gives

    def signalling(self, seat: int) -> Course | None:
        """The game in which a seat that waits signals; None if it cannot, or has done so."""
        return signalling(self._course, seat) if seat not in self.early else None

    def move(self, seat: int, body: bytes) -> None:
        """Makes the move of a seat; refuses one of another seat or for another position.

        People signal at once: a signal before the seat's turn is kept until then.
        """
        with self.lock:
            course = self._course
            ahead = course if not course.over and course.to_move == seat else self.signalling(seat)
            if ahead is None:
                raise PositionError("move: it is not your turn")
            pick = picked(course, body, signals_from(course) if ahead.match.is_signal() else len(course.made))
            after = ahead.choose(pick)  # refuses what is not possible
            if ahead is not course:
                self.early[seat], after = pick, course
            while not after.over and after.match.is_signal() and after.to_move in self.early:
                after = after.choose(self.early.pop(after.to_move))
            self._show(after)
            if self.record is not None:
                save(self.course, self.record)
            if self.kept is not None:
                self.kept.note(self.course)

    def deal_again(self) -> None:
        with self.lock:
            if not self._course.over:
                raise PositionError("again: the game is not over")
            fresh = replace(self.sitting, seed=secrets.randbelow(MOST_NEW_SEED), game=0, moves=(), start="")
            self.early.clear()
            self._show(Course(fresh).go_on())


class SeatPages:
    """The pages of one seat."""

    def __init__(self, game: SharedGame, seat: int, token: str, reviews: Reviews) -> None:
        self.game, self.seat, self.token, self.reviews = game, seat, token, reviews

    def values(self, course: Course, request: Request) -> dict[str, Any]:
        """What all pages of a seat share: no seed, no link, no way to other positions."""
        names = names_for(course, None)
        waiting = [names[seat] for seat in course.sitting.people if seat not in self.game.joined]
        hidden = {
            "link": "",
            "plain_link": "",
            "seed": "",
            "back": "",
            "deal_link": "",
            "deal_command": "",
            "can_undo": False,
            "guide": None,
        }
        gone = [names[seat] for seat in self.game.offline if seat != self.seat]
        self.game.asked[self.seat] = time.monotonic()
        asks = self.game.question(self.seat)
        asking = f"{asks.name or 'Somebody'} asks for your seat, and would see your hand." if asks else ""
        shared = {
            "lan": True,
            "version": self.game.state(self.seat),
            "waiting": waiting,
            "gone": gone,
            "record": "",
            "opened": 0,
            "moved": self.game.told,
            "asking": asking,
        }
        invite = join_address(request.url.netloc, self.game.code)
        shared |= {"no_hints": not self.game.hints, "invite": invite, "qr": on_page(invite)}
        return pages.frame(course, {}) | hidden | shared

    def start(self, request: Request, body: bytes) -> Response:
        return self.see("table")

    def see(self, page: str) -> Response:
        return RedirectResponse(f"/{self.token}/{page}", 303)

    def table(self, request: Request, body: bytes) -> Response:
        course = self.game.course
        values = self.values(course, request)
        if course.over:
            return HTMLResponse(pages.render("end.html.j2", **values | pages.end_of(course, self.seat)))
        return HTMLResponse(pages.render("table.html.j2", **values | self.seen(course), hint=None))

    def seen(self, course: Course) -> dict[str, Any]:
        early = self.game.signalling(self.seat)
        seen = pages.seen(course, seat_view(course, self.seat, early)) | {"opened": 0, "first_step": pages.STEPS[0]}
        return seen | ({"no_hints": True} if early is not None else {})

    def move(self, request: Request, body: bytes) -> Response:
        self.game.move(self.seat, body)
        return self.see("table")

    def hint(self, request: Request, body: bytes) -> Response:
        course, worlds = self.game.course, typed_number(request.query_params.get("worlds", ""))
        if not self.game.hints:
            raise PositionError("hint: the host has switched hints off")
        if course.over or course.to_move != self.seat:
            raise PositionError("hint: it is not your turn")
        if worlds is None or not 1 <= worlds <= MOST_WORLDS:
            raise PositionError(f"hint: worlds: allowed: 1 to {MOST_WORLDS:,}")
        hint, values = pages.hint_of(course, worlds), self.values(course, request)
        if request.headers.get("x-part") == "hint":
            return HTMLResponse(pages.render("hint.html.j2", link="", opened=0, hint=hint))
        return HTMLResponse(pages.render("table.html.j2", **values | self.seen(course), hint=hint))

    def review(self, request: Request, body: bytes) -> Response:
        course = self.game.course
        if not course.over:
            raise PositionError("review: it comes at the end of the game")
        query = {"side": str(self.seat + 1), **request.query_params}
        return self.reviews.answer(course, query, request.headers.get("x-part", ""), can_branch=False)

    def again(self, request: Request, body: bytes) -> Response:
        self.game.deal_again()
        return self.see("table")

    def seat_asked(self, request: Request, body: bytes) -> Response:
        """The owner's answer to who asks for the seat."""
        self.game.answer(self.seat, form_of(body).get("give") == "yes")
        return self.see("table")


class JoinPages:
    """The page that asks for the join code."""

    def __init__(
        self, game: SharedGame, tokens: Mapping[int, str], renew: Callable[[int], None] = lambda seat: None
    ) -> None:
        self.game, self.tokens, self.renew = game, tokens, renew
        self.wrong = WrongCodes()

    def page(self, request: Request, body: bytes) -> Response:
        return self.show(request)

    def show(self, request: Request, problem: str = "", status: int = 200) -> Response:
        sitting, names, game = self.game.sitting, names_for(self.game.course, None), self.game
        seats = [
            {"number": seat + 1, "name": names[seat], "in_use": not game.is_free(seat), "away": seat in game.joined}
            for seat in sorted(sitting.people, key=lambda seat: (not game.is_free(seat), seat in game.joined))
        ]
        lost = (typed_number(request.query_params.get("lost", "")) or 0) - 1
        if lost in sitting.people and not problem:
            problem = f"{names[lost]} plays your seat now. Take another one, or ask for it."
        mine = request.cookies.get(COOKIE, "")
        back = mine if mine in self.tokens.values() else ""
        values = {
            "title": f"{sitting.setup.ruleset.title}: join the game",
            "seats": seats,
            "problem": problem,
            "back": f"/{back}/table" if back else "",
            "most_name": MOST_NAME,
            "lan": True,
            "code": request.query_params.get("code", ""),
        }
        return HTMLResponse(pages.render("join.html.j2", **values), status)

    def join(self, request: Request, body: bytes) -> Response:
        """Gives the address of a seat for the right code."""
        form, sender = form_of(body), request.client.host if request.client else ""
        if wait := self.wrong.wait(sender):
            answer = self.show(request, f"Too many wrong codes. Wait {wait} seconds.", 429)
            answer.headers["retry-after"] = str(wait)
            return answer
        typed = "".join(form.get("code", "").upper().split()).replace("-", "")
        if not secrets.compare_digest(typed.encode("utf-8", "replace"), self.game.code.encode()):
            self.wrong.note(sender)
            return self.show(request, "This is not the join code. It is in the terminal where houle runs.", 403)
        seat, name = (typed_number(form.get("seat", "")) or 0) - 1, form.get("name", "")
        try:
            if not self.game.is_free(seat):
                return RedirectResponse(f"/{JOIN}/wait?word={self.game.ask(seat, name).word}", 303)
            return self.seated(seat, name)
        except InputError as fault:
            return self.show(request, str(fault), 400)

    def wait(self, request: Request, body: bytes) -> Response:
        """The page of a person who asked for a seat in use; it asks each second."""
        word = request.query_params.get("word", "").encode("utf-8", "replace")
        asked = self.game.questions.values()
        one = next((one for one in asked if secrets.compare_digest(one.word.encode(), word)), None)
        if one is None:
            return self.show(request, "This question is no longer open.", 400)
        if one.answer or self.game.is_free(one.seat):
            return self.seated(one.seat, one.name)
        owner, now = names_for(self.game.course, None)[one.seat], time.monotonic()
        if one.answer is False:
            return self.show(request, f"{owner} keeps the seat. Choose another one.")
        one.seen = now
        silent = now - self.game.asked[one.seat]
        words = f"{owner} is asked on their own page."
        if now - one.began >= ANSWER:
            words = f"{owner} has not answered. Speak to each other."
            if silent > SILENCE:
                left = f"The seat is yours in {round(ABSENCE - silent)} seconds, if their page stays silent."
                words = f"{owner} has not answered. {left}"
        return HTMLResponse(pages.render("seat_wait.html.j2", title="Asking for a seat", words=words, lan=True))

    def seated(self, seat: int, name: str) -> Response:
        """Gives a seat to the person who asks, at a new address."""
        self.game.join(seat, name)
        self.renew(seat)
        answer = RedirectResponse(f"/{self.tokens[seat]}/table", 303)
        answer.set_cookie(COOKIE, self.tokens[seat], httponly=True, samesite="strict")
        return answer


class LanApp:
    """The join page, and the pages of every seat that a person plays, each below its own secret token."""

    def __init__(
        self,
        first: Sitting,
        code: str,
        record: str | None,
        kept: KeptResults | None,
        language: str = ENGLISH,
        hints: bool = True,
    ) -> None:
        self.game = SharedGame(first, code, record, kept)
        self.game.hints = hints
        self.tokens, self.reviews, self.language = dict[int, str](), Reviews(), language
        self.lost = dict[str, int]()  # earlier addresses of seats
        joining = JoinPages(self.game, self.tokens, self._renew)
        answering = Answering(JOIN, pages.fault_page)
        route = answering.route
        routes = [route("", joining.page), route("", joining.join, "POST"), route("wait", joining.wait)]
        self.apps: dict[str, ASGIApp] = {JOIN: self._app(answering, routes)}
        for seat in first.people:
            self._renew(seat)

    def _renew(self, seat: int) -> None:
        """Gives a seat a new secret address: a person who takes it over has it alone."""
        before = self.tokens.get(seat, "")
        if self.apps.pop(before, None) is not None:
            self.lost[before] = seat
        token = self.tokens[seat] = secrets.token_urlsafe(16)
        here, answering = SeatPages(self.game, seat, token, self.reviews), Answering(token, pages.fault_page)
        route = answering.route

        async def state(request: Request) -> Response:
            """The state of the game; every page asks for it each second."""
            self.game.asked[seat] = time.monotonic()
            return PlainTextResponse(self.game.state(seat))

        routes = [
            route("", here.start),
            route("table", here.table),
            route("move", here.move, "POST"),
            route("hint", here.hint),
            route("review", here.review),
            route("again", here.again, "POST"),
            route("seat", here.seat_asked, "POST"),
            Route(f"/{token}/state", state),
        ]
        self.apps[token] = self._app(answering, routes)

    def _app(self, answering: Answering, routes: list[Route]) -> ASGIApp:
        return answering.app(routes, pages.ASSETS, pages.asset, (pages.TEMPLATES.parent,), language=self.language)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        first, last = f"{scope['path']}/".split("/")[1], scope["path"].rpartition("/")[2]
        app: ASGIApp = RedirectResponse(f"/{JOIN}/", 303)
        if first in self.lost and "." not in last:
            where = f"/{JOIN}/?lost={self.lost[first] + 1}"
            app = PlainTextResponse("lost") if last == "state" else RedirectResponse(where, 303)
        elif first:
            app = self.apps.get(first) or PlainTextResponse("this is nobody's seat; join at the first page\n", 403)
        await app(scope, receive, send)
