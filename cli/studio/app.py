"""The pages of `houle studio`: what each address answers. It holds the whole state (analysis/studio/state.py)."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import threading
import time
from collections.abc import AsyncIterator
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
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

from houle.analysis.comparison.effects import Effect
from houle.analysis.kept import Kept
from houle.analysis.play.link import link_of
from houle.analysis.play.table_game import people_and, sit_down
from houle.analysis.studio.rows import CountedRows, StudioRows, knob_effects
from houle.analysis.studio.state import MOST_FIELDS, State, filled_in, first_state, read_state, state_of
from houle.cli.play.app import NEEDS as PLAY_NEEDS
from houle.cli.play.app import make_app as make_play_app
from houle.cli.studio import pages
from houle.cli.studio.jobs import Jobs, design_job, report_job
from houle.cli.studio.log import Log
from houle.cli.web.server import FAULTS, STREAMS, Answering, one_line
from houle.solver.compiler.kernels import JIT
from houle.solver.errors import InputError
from houle.solver.rules import Setup, printed
from houle.solver.texts import visible

FIRST_SECONDS = 0.25  # after which the first numbers are shown, even if some rows are missing
STEADY_SECONDS = 0.4  # between two updates
BUTTON_SECONDS = 0.5  # of counting for a page that was asked for without a script
MOST_STATES = 200
LAST = "last"  # the address of the last setup that was valid
NEEDS = PLAY_NEEDS | {"studio", "check", "live", "variant.toml", "play-now", "make-report", "make-design"}
REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'"


def knob_in(problem: str, setup: Setup) -> str:
    """The knob that an error is about; empty if it is about something else."""
    match = re.match(r"(?:set: )?([\w.]+): ", problem)
    return match[1] if match and match[1] in setup.ruleset.knobs else ""


class Studio:
    """The pages, starting with one setup."""

    def __init__(self, near: Setup, token: str) -> None:
        self.near, self.token = near, token
        self.memory, self.log, self.jobs = CountedRows(), Log(), Jobs()
        self.states = Kept[str, State](MOST_STATES)  # by their queries: a setup is made once
        self.counting = threading.Lock()  # one count at a time: it uses all cores
        self.tabs: dict[str, threading.Event] = {}
        self.effects: dict[tuple[str, str], dict[str, Effect]] = {}  # by printed rules and player

    def read(self, query: str) -> State:
        return self.states.get(query, lambda: read_state(query, self.near))

    def state(self, request: Request) -> State:
        return self.read(request.url.query)

    def filled_in(self, request: Request) -> tuple[State, str]:
        """The state of a form that was filled in; the last valid one if it is not possible, with the reason."""
        pairs = parse_qsl(request.url.query, keep_blank_values=True, max_num_fields=MOST_FIELDS)
        last = next((value for name, value in pairs if name == LAST), "")
        if not last:
            return self.state(request), ""
        before = self.read(last)
        try:
            state = state_of(filled_in([pair for pair in pairs if pair[0] != LAST], before), self.near)
        except InputError as fault:
            return before, one_line(fault)
        return self.states.keep(state.query, state), ""

    def see(self, page: str, query: str) -> Response:
        return RedirectResponse(f"/{self.token}/{page}?{query}", 303)

    def start(self, request: Request, body: bytes) -> Response:
        """Shows the setup that the server was started with; with a query its printed rules."""
        first = first_state(self.near)
        state = self.states.keep(first.query, first) if not request.url.query else self.read("")
        return self.see("studio", state.query)

    def studio(self, request: Request, body: bytes) -> Response:
        """The page. A form without a script comes here too; then the answers are counted for a moment."""
        state, problem = self.filled_in(request)
        if not problem and request.url.query != state.query:
            return self.see("studio", state.query)
        live = StudioRows(state, self.memory)
        end = time.monotonic() + BUTTON_SECONDS
        while not live.counted or (time.monotonic() < end and not live.settled):
            with self.counting:
                live.step(lambda: False)
        self.log.note(live, 1)
        known = self.known_effects(state)
        page = pages.studio_page(live, self.log, problem, knob_in(problem, state.setup), known)
        return HTMLResponse(page, 422 if problem else 200)

    def known_effects(self, state: State) -> dict[str, Effect] | None:
        """What each rule does from print on; None while that is not measured."""
        return self.effects.get((printed(state.setup).digest, state.who))

    def measure(self, state: State) -> dict[str, Effect]:
        """Measure what each rule does, once for the printed rules of a setup."""
        before = printed(state.setup)
        with self.counting:
            if (before.digest, state.who) not in self.effects:
                self.effects[before.digest, state.who] = knob_effects(before, state.who)
        return self.effects[before.digest, state.who]

    def check(self, request: Request, body: bytes) -> Response:
        """Whether a setup is possible, for the script: the knobs, the differences in words, the address."""
        state, problem = self.filled_in(request)
        if problem:
            return JSONResponse({"problem": problem, "knob": knob_in(problem, state.setup)}, 422)
        return JSONResponse(pages.left_data(state))

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
        return StreamingResponse(self._events(state, stop), media_type="text/event-stream")

    async def _events(self, state: State, stop: threading.Event) -> AsyncIterator[str]:
        live = StudioRows(state, self.memory)
        began = shown = time.monotonic()
        yield "retry: 1000\n\n"
        try:
            if live.counted:
                yield self._event(live, False)
            first = not live.counted
            while not stop.is_set():
                if JIT and live.settled and self.known_effects(state) is None:
                    effects = await run_in_threadpool(self.measure, state)
                    yield f"event: effects\ndata: {json.dumps(pages.effect_data(effects, state.setup))}\n\n"
                more = await run_in_threadpool(self._step, live, stop)
                now = time.monotonic()
                ready = live.counted or now - began > FIRST_SECONDS
                if stop.is_set():
                    break
                if not more or (ready and (first or now - shown > STEADY_SECONDS)):
                    yield self._event(live, not more)
                    shown, first = now, False
                if live.counted:
                    self.log.note(live)
                if not more:
                    break
                await asyncio.sleep(0)
        finally:
            stop.set()

    def _step(self, live: StudioRows, stop: threading.Event) -> bool:
        with self.counting:
            return live.step(stop.is_set) if not stop.is_set() else True

    def _event(self, live: StudioRows, done: bool) -> str:
        data = json.dumps({"parts": pages.answer_parts(live, self.log), "done": done})
        return f"event: answers\ndata: {data}\n\n"

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

    def design(self, request: Request, body: bytes) -> Response:
        state = self.state(request)
        return self.see("job", f"id={self.jobs.start(design_job(state))}")

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
        """Names a row of the log, or removes it."""
        form = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=20))
        state = self.read(form.get("query", ""))
        if form.get("remove"):
            self.log.remove(state.without_pins.query)
        else:
            self.log.rename(state.without_pins.query, visible(form.get("label", ""))[:80])
        return self.see("studio", self.state(request).query)

    def log_csv(self, request: Request, body: bytes) -> Response:
        head = {"content-disposition": 'attachment; filename="studio-log.csv"'}
        return PlainTextResponse(self.log.csv(), headers=head, media_type="text/csv")

    def log_page(self, request: Request, body: bytes) -> Response:
        head = {"content-disposition": 'attachment; filename="studio-log.html"'}
        return HTMLResponse(pages.log_page(self.log), headers=head)


def make_app(near: Setup, token: str) -> Both:
    """The studio and the pages of `houle play`, at their addresses."""
    studio, answering = Studio(near, token), Answering(token, pages.fault_page)
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
        route("job", studio.job),
        route("report-page", studio.report_page),
        route("name", studio.name, "POST"),
        route("log.csv", studio.log_csv),
        route("log.html", studio.log_page),
        *answering.assets(pages.ASSETS, pages.asset),
    ]
    play = make_play_app(sit_down(near, people_and(near, [0], ()), 1), None, token)
    return Both(Starlette(routes=routes), play, studio)


class Both:
    """The studio, and the pages of `houle play` at all other addresses."""

    def __init__(self, pages: Starlette, play: Starlette, studio: Studio) -> None:
        self.pages, self.play, self.studio = pages, play, studio
        self.own = {route.path for route in pages.routes if isinstance(route, Route)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self.pages if scope["path"] in self.own else self.play
        await app(scope, receive, send)
