"""`houle play --lan`: one game for several people on one network, each at an own screen.

The server holds the game. The join page gives the secret address of a seat to a person who has the join code. Pages of
a seat show what this seat knows; the seed and the link, from which all cards could be found out, come only at the end.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from houle.analysis.play.ending import KeptResults
from houle.analysis.play.seat_view import names_for, seat_view, signalling, signals_from
from houle.analysis.play.table_game import MOST_NAME, Course, Sitting, checked_names
from houle.cli.play import pages
from houle.cli.play.app import MOST_WORLDS, form_of, picked
from houle.cli.play.forms import MOST_NEW_SEED
from houle.cli.play.review import Reviews
from houle.cli.play.terminal import save
from houle.cli.web.invitation import JOIN, join_address, on_page
from houle.cli.web.languages import InLanguage
from houle.cli.web.server import Answering
from houle.solver.errors import InputError, PositionError
from houle.solver.language.languages import ENGLISH
from houle.solver.texts import typed_number

MOST_WRONG = 5  # wrong codes of one sender in a minute
MOST_WRONG_TOGETHER = 60  # of all senders: one machine can have many addresses
MINUTE = 60.0
SILENCE = 6.0  # seconds without a request after which a person is offline; every page asks each second
COOKIE = "houle-seat"
NEEDS = frozenset(("table", "move", "hint", "review", "again"))


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


class SharedGame:
    """The game of all, and who has joined."""

    def __init__(self, first: Sitting, code: str, record: str | None, kept: KeptResults | None) -> None:
        self._course, self.code, self.record, self.kept = Course(first), code, record, kept
        self.joined: set[int] = set()
        self.early: dict[int, int | None] = {}  # signals that people chose before their turn
        self.hints = True  # whether the host allows them
        self.asked: dict[int, float] = {}  # when each seat's page last asked for the state
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

    @property
    def state(self) -> str:
        """What pages compare to see whether something changed: moves, names, and who is there."""
        return f"{self.version} {self.offline}"

    def _show(self, course: Course) -> None:
        self._course, self.version = course, self.version + 1

    def join(self, seat: int, name: str) -> None:
        with self.lock:
            if seat not in self.sitting.people:
                raise InputError("seat: it is a computer's; choose another one")
            names = [*self.sitting.names, *[""] * self.sitting.setup.players][: self.sitting.setup.players]
            names[seat] = name or names[seat]
            renamed = replace(self.sitting, names=checked_names(self.sitting.setup, names))
            self.joined.add(seat)
            self._show(Course(renamed))

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
        shared = {"lan": True, "version": self.game.state, "waiting": waiting, "gone": gone, "record": "", "opened": 0}
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
        return HTMLResponse(self.reviews.page(course, query, request.headers.get("x-part", ""), can_branch=False))

    def again(self, request: Request, body: bytes) -> Response:
        self.game.deal_again()
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
        sitting, names = self.game.sitting, names_for(self.game.course, None)
        free = [
            {"number": seat + 1, "name": names[seat], "taken": seat in self.game.joined}
            for seat in sorted(sitting.people, key=lambda seat: seat in self.game.joined)
        ]
        mine = request.cookies.get(COOKIE, "")
        back = mine if mine in self.tokens.values() else ""
        values = {"title": f"{sitting.setup.ruleset.title}: join the game", "seats": free, "problem": problem,
                  "back": f"/{back}/table" if back else "", "most_name": MOST_NAME, "lan": True,
                  "code": request.query_params.get("code", "")}  # fmt: skip
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
        seat = (typed_number(form.get("seat", "")) or 0) - 1
        try:
            self.game.join(seat, form.get("name", ""))
        except InputError as fault:
            return self.show(request, str(fault), 400)
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
        joining = JoinPages(self.game, self.tokens, self._renew)
        route = Answering(JOIN, pages.fault_page).route
        self.apps: dict[str, ASGIApp] = {
            JOIN: _app(JOIN, [route("", joining.page), route("", joining.join, "POST")], language)
        }
        for seat in first.people:
            self._renew(seat)

    def _renew(self, seat: int) -> None:
        """Gives a seat a new secret address: a person who takes it over has it alone."""
        self.apps.pop(self.tokens.get(seat, ""), None)
        token = self.tokens[seat] = secrets.token_urlsafe(16)
        here, route = SeatPages(self.game, seat, token, self.reviews), Answering(token, pages.fault_page).route

        async def state(request: Request) -> Response:
            """The state of the game; every page asks for it each second."""
            self.game.asked[seat] = time.monotonic()
            return PlainTextResponse(self.game.state)

        routes = [
            route("", here.start),
            route("table", here.table),
            route("move", here.move, "POST"),
            route("hint", here.hint),
            route("review", here.review),
            route("again", here.again, "POST"),
            Route(f"/{token}/state", state),
        ]
        self.apps[token] = _app(token, routes, self.language)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        first = f"{scope['path']}/".split("/")[1]
        app: ASGIApp = RedirectResponse(f"/{JOIN}/", 303)
        if first:
            app = self.apps.get(first) or PlainTextResponse("this is nobody's seat; join at the first page\n", 403)
        await app(scope, receive, send)


def _app(token: str, routes: list[Route], language: str) -> Starlette:
    assets = Answering(token, pages.fault_page).assets(pages.ASSETS, pages.asset)
    spoken = Middleware(InLanguage, token=token, usual=language, folders=(pages.TEMPLATES.parent,))
    return Starlette(routes=[*routes, *assets], middleware=[spoken])
