"""The pages of `houle play`: what each address answers. The server stores nothing except the record file.

Each address holds the whole game as a link (analysis/play/link.py), and a move leads to the address of the game after
it. So nothing is lost by a reload, the back button or another server. The last few games are kept as they were played,
so the page after a move need not play the game again.
"""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from houle.analysis.kept import Kept
from houle.analysis.play.ending import KeptResults
from houle.analysis.play.link import fields_in, link_of, read_link
from houle.analysis.play.table_game import PERSON, Course, Sitting
from houle.analysis.players.line_ups import read_strategy
from houle.cli.framework.files import write_text
from houle.cli.play import forms, pages
from houle.cli.play.review import Reviews
from houle.cli.play.setup_position import SetUp
from houle.cli.waiting import ALL
from houle.cli.web.preparing import only_compiled
from houle.cli.web.server import Answering
from houle.solver.errors import InputError, PositionError
from houle.solver.language.languages import ENGLISH
from houle.solver.players.kinds import THUMB
from houle.solver.players.names import KINDS
from houle.solver.texts import typed_number

MOST_WORLDS = 4_000
USUAL = "usual"  # picks the move of the usual player, for signals
MOST_KEPT = 12  # games as they were played

# Pages that play a game, so that it must be compiled before.
NEEDS = dict.fromkeys(("table", "move", "undo", "hint", "moves", "review", "experts", "record", "deal"), ALL)


class Pages:
    """The pages, starting with one game."""

    def __init__(self, first: Sitting, record: str | None, kept: KeptResults | None, in_studio: bool = False) -> None:
        self.first, self.record, self.kept, self.in_studio = first, record, kept, in_studio
        self.shown = first  # the last game that a page showed
        self.courses = Kept[frozenset[tuple[str, str]], Course](MOST_KEPT)  # by the fields of their links
        self.reviews = Reviews()
        self.set_up = SetUp(first)

    def course(self, request: Request) -> Course:
        """The game that an address holds, played on until a person is to move: no page shows a computer's view."""
        fields = fields_in(request.url.query)
        return self.courses.get(frozenset(fields.items()), lambda: self.played(fields)).copied()

    def played(self, fields: dict[str, str]) -> Course:
        """The game of a link, replayed and played on."""
        sitting = read_link(fields, self.first.setup, self.first.seats)
        for who in sitting.seats:
            if who != PERSON and KINDS[read_strategy(who, sitting.setup).name] > THUMB:
                only_compiled(sitting.setup.ruleset.name)
        course = Course(sitting)
        return course if course.over or course.waits_for_a_person else course.go_on()

    def keep(self, course: Course) -> None:
        """Keeps a game for the page that shows it next."""
        self.courses.keep(frozenset(fields_in(link_of(course.sitting)).items()), course)

    def start(self, request: Request, body: bytes) -> Response:
        """Shows the first game."""
        return _see(request, "table", pages.link_for(self.first))

    def table(self, request: Request, body: bytes) -> Response:
        course = self.course(request)
        self.shown = course.sitting
        return HTMLResponse(pages.table_page(course, request.query_params, self.record))

    def move(self, request: Request, body: bytes) -> Response:
        course = self.course(request)
        after = chosen(course, body)
        was = request.query_params.get("was", "")
        if self.record is not None and not was:
            save(after, self.record)
        if self.kept is not None and not was:
            self.kept.note(after)
        self.keep(after)
        opened = after.to_move if after.to_move == course.to_move else None
        return _see(request, "table", pages.link_for(after.sitting, was, opened))

    def undo(self, request: Request, body: bytes) -> Response:
        course = self.course(request)
        before = course.undone()
        if before is None:
            raise PositionError("undo: no move has been made yet")
        was = request.query_params.get("was", "")
        if self.record is not None and not was:
            save(before, self.record)
        self.keep(before)
        return _see(request, "table", pages.link_for(before.sitting, was))

    def hint(self, request: Request, body: bytes) -> Response:
        course, asked = self.course(request), typed_number(request.query_params.get("worlds", ""))
        if course.over or asked is None or not 1 <= asked <= MOST_WORLDS:
            raise PositionError(f"hint: only during a game, with worlds from 1 to {MOST_WORLDS:,}")
        only_compiled(course.setup.ruleset.name)
        part = request.headers.get("x-part") == "hint"
        return HTMLResponse(pages.hint_page(course, request.query_params, asked, part, record=self.record))

    def moves(self, request: Request, body: bytes) -> Response:
        return HTMLResponse(pages.moves_page(self.course(request), request.query_params))

    def review(self, request: Request, body: bytes) -> Response:
        course, part = self.course(request), request.headers.get("x-part", "")
        only_compiled(course.setup.ruleset.name)
        return self.reviews.answer(course, request.query_params, part)

    def experts(self, request: Request, body: bytes) -> Response:
        course = self.course(request)
        only_compiled(course.setup.ruleset.name)
        return HTMLResponse(pages.experts_page(course, request.query_params))

    def position(self, request: Request, body: bytes) -> Response:
        """Shows the form for a position, gives advice on it, or starts a game from it."""
        if request.method == "GET" and "deal" in request.query_params:
            return HTMLResponse(self.set_up.of_game(self.course(request), request.query_params))
        if request.method == "GET":
            return HTMLResponse(self.set_up.page(form_of(request.url.query.encode())))
        form = form_of(body)
        if form.get("do") == "play":
            return _see(request, "table", pages.link_for(self.set_up.sitting(form)))
        if form.get("do") == "advice":
            only_compiled(self.first.setup.ruleset.name)
        part = request.headers.get("x-part") == "advice"
        return HTMLResponse(self.set_up.answer(form, part))

    def saved(self, request: Request, body: bytes) -> Response:
        """Downloads the record."""
        course = self.course(request)
        if not course.made:
            raise PositionError("record: no move has been made yet")
        name = f"{course.setup.ruleset.name}-{course.sitting.seed}-{course.sitting.game}.txt"
        head = {"content-disposition": f'attachment; filename="{name}"'}
        return PlainTextResponse(course.record().as_text(), headers=head)

    def new(self, request: Request, body: bytes) -> Response:
        """Shows the form for a new game."""
        return HTMLResponse(pages.new_page(form_of(request.url.query.encode()), self.first, self.in_studio))

    def deal(self, request: Request, body: bytes) -> Response:
        """Starts the game that was chosen in the form; an address, so that a page that waits can ask again."""
        form = form_of(request.url.query.encode())
        return _see(request, "table", pages.link_for(forms.chosen(form, self.first.setup)))

    def load(self, request: Request, body: bytes) -> Response:
        """Continues a record that was uploaded."""
        return _see(request, "table", pages.link_for(forms.loaded(form_of(body), self.first.setup)))


def save(course: Course, record: str) -> None:
    """Writes the record; before the first move, or for a position that was set up, there is nothing to write."""
    if course.made and not course.dealt.start:
        write_text(record, course.record().as_text())


def _see(request: Request, page: str, link: str) -> Response:
    token = request.url.path.split("/")[1]
    return RedirectResponse(f"/{token}/{page}?{link}", 303)


def chosen(course: Course, body: bytes) -> Course:
    """The game after the move that was clicked in a form."""
    return course.choose(picked(course, body, len(course.made)))


def picked(course: Course, body: bytes, first: int) -> int | None:
    """The move that was clicked in a form, None for the usual one.

    Refuses a form for another position: it must have been made after `first` moves or later.
    """
    form = form_of(body)
    ply, pick = (typed_number(form.get(name, "")) for name in ("ply", "pick"))
    if ply is None or (pick is None and form.get("pick") != USUAL):
        raise PositionError("move: the form is incomplete; go back and choose a move again")
    if not first <= ply <= len(course.made) or course.over:
        raise PositionError("move: it belongs to another position; go back and choose a move again")
    return pick


def form_of(body: bytes) -> dict[str, str]:
    """The fields of a form, each once."""
    fields = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=300)
    form: dict[str, str] = {}
    for name, value in fields:
        if name in form and name != "variant":
            raise InputError(f"form: {name[:40]!r} is given twice")
        form[name] = f"{form[name]}+{value}" if name in form else value
    return form


def make_app(
    first: Sitting,
    record: str | None,
    token: str,
    kept: KeptResults | None = None,
    language: str = ENGLISH,
    in_studio: bool = False,
) -> Starlette:
    """The pages at their addresses; `state.pages` are the pages."""
    game_pages, answering = Pages(first, record, kept, in_studio), Answering(token, pages.fault_page)
    route = answering.route
    routes = [
        route("", game_pages.start),
        route("table", game_pages.table),
        route("move", game_pages.move, "POST"),
        route("undo", game_pages.undo, "POST"),
        route("hint", game_pages.hint),
        route("moves", game_pages.moves),
        route("review", game_pages.review),
        route("experts", game_pages.experts),
        route("position", game_pages.position, "GET", "POST"),
        route("record", game_pages.saved),
        route("new", game_pages.new),
        route("deal", game_pages.deal),
        route("load", game_pages.load, "POST"),
    ]
    app = answering.app(routes, pages.ASSETS, pages.asset, (pages.TEMPLATES.parent,), language=language)
    app.state.pages = game_pages
    return app
