"""The pages of `houle studio`: what each address answers. It holds the whole state (analysis/studio/state.py)."""

from __future__ import annotations

import json
import re
import secrets
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar
from urllib.parse import parse_qsl

from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from houle.analysis.kept import Kept
from houle.analysis.play.link import link_of
from houle.analysis.play.table_game import Sitting, people_and, sit_down
from houle.analysis.studio.rows import CountedRows, StudioRows
from houle.analysis.studio.state import MOST_FIELDS, State, filled_in, first_state, read_state, state_of
from houle.cli.play.app import NEEDS as PLAY_NEEDS
from houle.cli.play.app import make_app as make_play_app
from houle.cli.studio import pages
from houle.cli.studio.decks import near_deck, with_change
from houle.cli.studio.drawing import asset
from houle.cli.studio.extras import DO, MOST_KEPT, Extras, Memory
from houle.cli.studio.jobs import Jobs, design_job, report_job
from houle.cli.studio.log import Entry, Log
from houle.cli.waiting import ALL, FAMILIES
from houle.cli.web.languages import here, translated
from houle.cli.web.preparing import PREPARATION
from houle.cli.web.server import FAULTS, STREAMS, Answering, one_line
from houle.solver.errors import InputError
from houle.solver.language.languages import LANGUAGES
from houle.solver.rules import SET, Setup, field_text
from houle.solver.texts import visible

STEADY_SECONDS = 0.4  # between two updates
JOB_SECONDS = 1.0  # between two looks whether a search or a report is over
BUTTON_SECONDS = 0.5  # of counting for a page that was asked for without a script
MOST_STATES = 200
FOLDERS = (Path(__file__).parent, Path(__file__).parents[1] / "play")  # of catalogues: the words of these pages
LAST = "last"  # the address of the last setup that was valid
NEEDS = (
    PLAY_NEEDS
    | dict.fromkeys(("studio", "check", "live", "variant.toml", "send.html"), FAMILIES)
    | dict.fromkeys(("play-now", "make-report", "make-design"), ALL)
)
PART = "x-part"  # the header of requests by the script
Made = TypeVar("Made")
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'"


def page_words(problem: str, setup: Setup) -> str:
    """A refusal in the words of the page: without the name of the game and without words for a terminal."""
    text = problem.removeprefix(f"{setup.ruleset.name}: ").removeprefix("set: ")
    return re.sub(r"; ([\w.]+) has its default; set it too: --set \S+$", r"; turn \1 too, or turn this rule less", text)


def turned_in(pairs: list[tuple[str, str]], before: State, problem: str) -> str:
    """The rule that a refusal is shown at: the one that was turned, else the one that it names; empty if neither."""
    knobs, now = before.setup.ruleset.knobs, before.setup.options
    texts: dict[str, list[str]] = {}
    for name, value in pairs:
        if name.startswith(SET) and name.removeprefix(SET) in knobs:
            texts.setdefault(name.removeprefix(SET), []).append(value)
    turned = [knob for knob, some in texts.items() if ",".join(filter(None, some)) != field_text(now[knob])]
    match = re.match(r"(?:set: )?(?:[\w-]+: )?([\w.]+): ", problem)
    named = [match[1]] if match and match[1] in knobs else []
    return turned[0] if len(turned) == 1 else next(iter(named), "")


def in_language(part: str) -> str:
    """A part of a page in the language of the page that asks for it."""
    words = here().words
    return part if words is None else translated(part, words, here().language)


async def in_thread(work: Callable[[], Made]) -> Made:
    """What a function returns, from a thread. If the page leaves meanwhile, nobody waits for it."""
    return await run_sync(work, abandon_on_cancel=True)


class Studio:
    """The pages, starting with one setup."""

    def __init__(self, near: Setup, token: str, first: State | None = None) -> None:
        self.near, self.token, self.first = near, token, first or first_state(near)
        self.memory, self.log, self.jobs = CountedRows(PREPARATION.is_done), Log(), Jobs()
        self.states = Kept[str, State](MOST_STATES)  # by their queries: a setup is made once
        self.counting = threading.Lock()  # one count at a time: it uses all cores
        self.tabs: dict[str, threading.Event] = {}
        self.changes: Memory = Kept(MOST_KEPT)  # what rules and cards do

    def read(self, query: str) -> State:
        return self.states.get(query, lambda: read_state(query, near_deck(query, self.near)))

    def state(self, request: Request) -> State:
        return self.read(request.url.query)

    def filled_in(self, request: Request) -> tuple[State, str, str]:
        """The state of a form that was filled in; if it is not possible, the last one with the reason and its rule."""
        pairs = parse_qsl(request.url.query, keep_blank_values=True, max_num_fields=MOST_FIELDS)
        last = next((value for name, value in pairs if name == LAST), "")
        if not last:
            return self.state(request), "", ""
        before = self.read(last)
        filled = filled_in([pair for pair in pairs if pair[0] != LAST], before)
        try:
            state = state_of(filled, near_deck(request.url.query, self.near))
        except InputError as fault:
            problem = one_line(fault)
            return before, page_words(problem, before.setup), turned_in(filled, before, problem)
        return self.states.keep(state.query, state), "", ""

    def see(self, page: str, query: str) -> Response:
        return RedirectResponse(f"/{self.token}/{page}?{query}", 303)

    def start(self, request: Request, body: bytes) -> Response:
        """Shows the setup that the server was started with; with a query its printed rules."""
        first = self.first
        state = self.states.keep(first.query, first) if not request.url.query else self.read("")
        return self.see("studio", state.query)

    def studio(self, request: Request, body: bytes) -> Response:
        """The page. A form without a script comes here too; then the answers are counted for a moment."""
        if change := request.query_params.get(DO):
            state = self.read(request.url.query.partition(f"&{DO}=")[0])
            rule, deck = with_change(state.setup, *change.rsplit(": ", 1))
            return self.see("studio", state.with_rules({rule: deck}))
        state, problem, knob = self.filled_in(request)
        if not problem and request.url.query != state.query:
            return self.see("studio", state.query)
        live = StudioRows(state, self.memory)
        end = time.monotonic() + BUTTON_SECONDS
        by_script = PART in request.headers  # it asks for the answers as events
        while not by_script and (not live.first_counted or (time.monotonic() < end and not live.settled)):
            with self.counting:
                live.step(lambda: False)
        if live.first_counted:
            self.log.note(live, 1)
        page = pages.studio_page(live, self.log, problem, knob, extras=self.extras(state))
        return HTMLResponse(page, 422 if problem else 200)

    def extras(self, state: State, deck_is_open: bool = False) -> Extras:
        """What is shown beside the answers of a state."""
        return Extras(StudioRows(state, self.memory), self.changes, deck_is_open)

    def check(self, request: Request, body: bytes) -> Response:
        """Whether a setup is possible, for the script: the knobs, the differences in words, the address."""
        state, problem, knob = self.filled_in(request)
        if problem:
            return JSONResponse({"problem": here().say(problem), "knob": knob}, 422)
        data = pages.left_data(state)
        return JSONResponse(data | {"differs": here().say(data["differs"])})

    async def live(self, request: Request) -> Response:
        """The answers as server-sent events, until everything is counted or another address is opened."""
        state = self.read(request.url.query.partition("&tab=")[0])
        tab = re.sub(r"[^a-z0-9]", "", request.query_params.get("tab", ""))[:20]
        stop = threading.Event()
        STREAMS.add(stop)
        if tab in self.tabs:
            self.tabs[tab].set()
        self.tabs[tab] = stop
        while len(self.tabs) > 50:
            self.tabs.pop(next(iter(self.tabs)))
        deck_is_open = request.query_params.get("show", "") == "cards"
        return StreamingResponse(self._events(state, deck_is_open, stop), media_type="text/event-stream")

    async def _events(self, state: State, deck_is_open: bool, stop: threading.Event) -> AsyncIterator[str]:
        shown, first, beside = 0.0, True, False
        yield "retry: 1000\n\n"
        try:
            extras = await in_thread(lambda: self.extras(state, deck_is_open))
            live, more = extras.live, True
            while more and not stop.is_set():
                if not live.first_counted or not first:
                    beside = not beside
                    more = await in_thread(partial(self._step, extras, stop, beside))
                if stop.is_set():
                    break
                if not more or (live.first_counted and (first or time.monotonic() - shown > STEADY_SECONDS)):
                    yield await in_thread(partial(self._event, extras, not more, first))
                    shown, first = time.monotonic(), False
        finally:
            stop.set()

    def _step(self, extras: Extras, stop: threading.Event, beside: bool) -> bool:
        """Count a little more: the answers, or with `beside` what each rule does and what is open beside them."""
        live = extras.live
        if not live.first_counted:  # these games are few, and do not wait for the end of another count
            return live.step(stop.is_set)
        if self.jobs.running and live.known:  # a search or a report gets all cores
            stop.wait(JOB_SECONDS)
            return True
        with self.counting:
            if stop.is_set():
                return True
            if beside and live.known:
                return extras.step(stop.is_set) or live.step(stop.is_set)
            if beside and extras.step(stop.is_set, only_cards=True):
                return True  # somebody looks at the deck
            if live.step(stop.is_set) or extras.step(stop.is_set):
                return True
        if not live.may_search:  # the rest of the game is compiled meanwhile
            stop.wait(JOB_SECONDS)
            return True
        return live.next() is not None

    def _event(self, extras: Extras, done: bool, first: bool) -> str:
        """What was counted, as an event; the log has it too. The first one is short, so that it is there soon."""
        if extras.live.counted:
            self.log.note(extras.live)
        data = pages.event_data(extras, self.log, short=first and not done) | {"done": done}
        data["parts"] = {name: in_language(part) for name, part in data["parts"].items()}
        for rule in (data["rules"] or {}).values():
            rule["words"] = in_language(rule["words"])
        return f"event: answers\ndata: {json.dumps(data)}\n\n"

    def variant(self, request: Request, body: bytes) -> Response:
        """The setup as a rules file, with what was counted as comments."""
        state = self.state(request)
        live = StudioRows(state, self.memory)
        name = f"{pages.file_name(state.setup)}.toml"
        head = {"content-disposition": f'attachment; filename="{name}"'}
        return PlainTextResponse(pages.rules_file(live, name), headers=head, media_type="text/plain")

    def play(self, request: Request, body: bytes) -> Response:
        """Deals a game of this setup: a person in the first seat, the others play like the state's players."""
        state = self.state(request)
        seats = people_and(state.setup, [0], [state.who])
        sitting = sit_down(state.setup, seats, secrets.randbelow(10**9))
        return self.see("table", link_of(sitting))

    def report(self, request: Request, body: bytes) -> Response:
        state = self.state(request)
        return self.see("job", f"id={self.jobs.start(report_job(state))}")

    def send(self, request: Request, body: bytes) -> Response:
        """The state as one page that needs no server, and that `houle studio FILE` opens again."""
        state = self.state(request)
        extras = self.extras(state, deck_is_open=True)
        head = {"content-disposition": f'attachment; filename="{pages.file_name(state.setup)}.html"'}
        return HTMLResponse(pages.send_page(extras, self.log), headers=head)

    def design(self, request: Request, body: bytes) -> Response:
        """Starts the search for the target. The script gets its number, and asks for what was found so far."""
        name = self.jobs.start(design_job(self.state(request)))
        return JSONResponse({"id": name}) if PART in request.headers else self.see("job", f"id={name}")

    def stop_design(self, request: Request, body: bytes) -> Response:
        """Ends a search with what it has found so far."""
        job = self.jobs.get(request.query_params.get("id", ""))
        job.stopping = True
        return JSONResponse({"id": job.id}) if PART in request.headers else self.see("job", f"id={job.id}")

    def job_part(self, request: Request, body: bytes) -> Response:
        job = self.jobs.get(request.query_params.get("id", ""))
        html, words = in_language(pages.proposals_part(job)), in_language(job.words)
        game = job.state.setup.ruleset.name
        return JSONResponse({"html": html, "words": words, "share": job.share, "done": job.done, "game": game})

    def job(self, request: Request, body: bytes) -> Response:
        """How far a report or a search is; then its result."""
        job = self.jobs.get(request.query_params.get("id", ""))
        if job.folder is not None and job.done and not job.problem:
            return self.see("report-page", f"id={job.id}")
        return HTMLResponse(pages.job_page(job))

    def report_page(self, request: Request, body: bytes) -> Response:
        job = self.jobs.get(request.query_params.get("id", ""))
        name = request.query_params.get("page", "index.html")
        if job.folder is None or not job.done or name not in ("index.html", "player.html"):
            raise InputError("report: there is no such page")
        head = {"content-security-policy": REPORT_POLICY}
        return FileResponse(job.folder / name, media_type="text/html", headers=head)

    def name(self, request: Request, body: bytes) -> Response:
        """Names a row of the log, chooses it for the page to send, or removes it."""
        form = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=20))
        query = self.read(form.get("query", "")).without_pin.query
        if form.get("remove"):
            self.log.remove(query)
        elif "send" in form:
            self.log.set(query, "send", form["send"] == "1")
        else:
            self.log.set(query, "label", " ".join(visible(form.get("label", ""))[:80].split()))
        return self.see("studio", self.state(request).query)


def make_app(near: Setup, token: str, first: State | None = None, tried: Sequence[Entry] = ()) -> Both:
    """The studio and the pages of `houle play`; `first` and `tried` come from a page that was sent."""
    studio, answering = Studio(near, token, first), Answering(token, pages.fault_page)
    studio.log.take(tried)
    route = answering.route

    async def live(request: Request) -> Response:
        try:
            return await studio.live(request)
        except FAULTS as fault:
            return PlainTextResponse(one_line(fault), 400)

    routes = [
        route("", studio.start),
        route("studio", studio.studio),
        route("check", studio.check),
        Route(f"/{token}/live", live),
        route("variant.toml", studio.variant),
        route("play-now", studio.play, "POST"),
        route("make-report", studio.report, "POST"),
        route("make-design", studio.design, "POST"),
        route("stop-design", studio.stop_design, "POST"),
        route("job", studio.job),
        route("job-part", studio.job_part),
        route("send.html", studio.send),
        route("report-page", studio.report_page),
        route("name", studio.name, "POST"),
    ]
    unplayed = Sitting(
        near, seed=1, game=0, seats=people_and(near, [0], ()), moves=()
    )  # to play here would compile more than families need
    play = make_play_app(unplayed, None, token, in_studio=True)
    return Both(answering.app(routes, pages.ASSETS, asset, FOLDERS), play, studio)


class Both:
    """The studio, and the pages of `houle play` at all other addresses."""

    def __init__(self, pages: Starlette, play: Starlette, studio: Studio) -> None:
        self.pages, self.play, self.studio = pages, play, studio
        self.own = {route.path for route in pages.routes if isinstance(route, Route)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        parts = scope["path"].split("/")
        path = "/".join(part for place, part in enumerate(parts) if place != 2 or part not in LANGUAGES)
        app = self.pages if path in self.own else self.play
        await app(scope, receive, send)
