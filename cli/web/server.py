"""The local server: on 127.0.0.1, at an address with a secret token, until Ctrl-C. Only if asked on the local network.

It prints its address once what was asked for is checked, and loads the pages in a thread. Until they are ready every
address answers with a page that says so and asks again.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import threading
import webbrowser
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import Generic, TypeVar
from weakref import WeakSet

import anyio
import click
import segno
import uvicorn
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from houle.cli.waiting import ALL, DOOR, without_compiler
from houle.cli.web.guard import LOOPBACK, Guard, Impatient, kept_token
from houle.cli.web.languages import InLanguage, here
from houle.cli.web.preparing import (
    COMPILING,
    MEANWHILE,
    PREPARATION,
    SHARED,
    NeedsCompilerError,
    language_of,
    page_of,
    shared_file,
)
from houle.solver.errors import InputError
from houle.solver.language.languages import ENGLISH
from houle.solver.os_calls import CAN_INHERIT
from houle.solver.plain.processes import PARENT, end_with
from houle.solver.texts import visible

JOIN = "join"  # the first part of the address at which others join a game on the local network
ELSEWHERE = ("192.0.2.1", 9)  # an address that nobody has; nothing is sent to it
WAITING = 64  # connections that wait until the server is ready
MOST_HEAD = 64_000  # bytes of a request's head; a link is at most half of it
LOOK = 0.1  # seconds between two looks whether the pages are loaded
LAST_SECONDS = 5  # for answers on their way when other pages take over

STREAMS: WeakSet[threading.Event] = WeakSet()  # answers that go on until their event is set

Pages = TypeVar("Pages", bound=ASGIApp)


class Loading(Generic[Pages]):
    """The pages, loaded in a thread."""

    def __init__(self, load: Callable[[], Pages], language: str) -> None:
        self.load, self.language = load, language
        self.pages: Pages | None = None
        self.fault: BaseException | None = None
        self.ended: Callable[[], None] = lambda: None  # called when loading failed
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.pages = self.load()
        except BaseException as fault:  # raised again in the main thread
            self.fault = fault
            self.ended()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers with the pages; until they are loaded forms wait for them, so nothing that was sent is lost."""
        page = page_of(scope)
        if page in SHARED:
            await shared_file(page)(scope, receive, send)
        elif page == COMPILING:
            language = language_of(scope["path"], self.language)
            await PlainTextResponse(PREPARATION.notice(language))(scope, receive, send)
        elif self.pages is None and scope["method"] == "GET":
            work = PREPARATION.open[-1] if PREPARATION.open else None
            part = work.first if work else ALL
            await PREPARATION.answer(work, scope, self.language, part)(scope, receive, send)
        else:
            await run_in_threadpool(self.thread.join)
            pages: ASGIApp = self.pages or PlainTextResponse("houle could not start\n", 503)
            await pages(scope, receive, send)


def lan_address() -> str:
    """The address of this machine on its local network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(ELSEWHERE)
            found = str(way.getsockname()[0])
        except OSError:
            found = LOOPBACK
    if found.startswith("127."):
        raise InputError("--lan: this machine is on no network")
    return found


def bound(port: int, host: str = LOOPBACK) -> socket.socket:
    """A socket on the port, or on a free one."""
    for number in dict.fromkeys((port, 0)):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
            listener.listen(WAITING)  # so that a browser waits instead of being refused
            return listener
        except OSError:
            listener.close()
    raise InputError(f"--port: no free port on {host}")


class Server(uvicorn.Server):
    """Ends streams before it closes their connections; otherwise each would print a traceback."""

    before: subprocess.Popen[str] | None = None  # what answered at this address until this server does

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.before is not None:
            self.before.terminate()  # after the answers that are on their way

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for stop in list(STREAMS):
            stop.set()
        await super().shutdown(sockets)


def server_of(app: ASGIApp) -> Server:
    """The server of some pages."""
    config = uvicorn.Config(
        app,
        http=Impatient,
        ws="none",
        lifespan="off",
        log_level="error",
        access_log=False,
        h11_max_incomplete_event_size=MOST_HEAD,
        timeout_keep_alive=5,
        backlog=WAITING,
        timeout_graceful_shutdown=LAST_SECONDS if MEANWHILE else 1,
        server_header=False,
        date_header=False,
        proxy_headers=False,  # there is no proxy, so nobody may say that a request comes from another device
    )
    return Server(config)


def serve(
    load: Callable[[str], Pages],
    port: int,
    show: bool,
    lan: Callable[[str], str] | None = None,
    language: str = ENGLISH,
    words: Sequence[str] = (),
) -> Pages | None:
    """Serve the pages of `load(token)` until Ctrl-C; returns them.

    `lan`: what to say about a server on the local network, by its host and port; its pages have tokens of their own.
    `words`: the command line of a server whose pages a process without the compiler can answer as well.
    """
    if parent := os.environ.get(PARENT):
        end_with(int(parent))
    word, host = (None, lan_address()) if lan else (kept_token(), LOOPBACK)
    door = socket.socket(fileno=int(os.environ[DOOR])) if MEANWHILE else bound(port, host)
    loading = Loading(lambda: load(word or ""), language)
    # What was asked for is checked before a game is prepared, and wrong options are found before an address is printed.
    while loading.thread.is_alive() and not PREPARATION.works:
        loading.thread.join(LOOK)
    if loading.fault is not None:
        raise loading.fault
    number = int(door.getsockname()[1])
    guard = Guard(loading, word, host)
    guard.open_for(number)
    address = f"http://{host}:{number}/{f'{word}/' if word else ''}"
    if not MEANWHILE:
        click.echo(f"open  {address}")
        if port not in (0, number):
            click.echo(f"Port {port} is taken, so this is another one. Pages of the other port stay there.")
        about = lan(f"{host}:{number}") if lan else "The page works only on this machine."
        click.echo(f"{about} Press Ctrl-C to stop.")
    server = server_of(guard)
    loading.ended = lambda: setattr(server, "should_exit", True)
    if show:
        webbrowser.open(address)
    try:
        with suppress(KeyboardInterrupt, asyncio.CancelledError):  # the usual end
            if words:
                first_pages(server, loading.thread, door, words)
            server.run(sockets=[door])
    finally:
        if server.before is not None:
            server.before.send_signal(signal.SIGINT)  # it says what it showed last
            server.before.wait()
    if loading.fault is not None:
        raise loading.fault
    return loading.pages


def first_pages(server: Server, loading: threading.Thread, door: socket.socket, words: Sequence[str]) -> None:
    """Returns when the pages are loaded; while their game is compiled, a process without the compiler shows them."""
    while loading.is_alive():
        compiling = CAN_INHERIT and not MEANWHILE and any(work.compiling for work in PREPARATION.open)
        if compiling and server.before is None:
            number = door.fileno()
            server.before = without_compiler(*words, "--no-open", pass_fds=(number,), variables={DOOR: str(number)})
        loading.join(LOOK)


AT_ONCE = 4  # requests answered at the same time; others wait
MOST_LINE = 300  # letters of an error
FAULTS = (InputError, ValueError, OverflowError, UnicodeError, RecursionError)  # of what was asked for

Answer = Callable[[Request, bytes], Response]


def one_line(fault: Exception) -> str:
    """An error as one short line."""
    if isinstance(fault, InputError):
        line = " ".join(visible(str(fault)).split())
        return line if len(line) <= MOST_LINE else f"{line[:MOST_LINE]}..."
    return f"this address or form cannot be read ({type(fault).__name__})"


class Answering:
    """The addresses below a token; `fault_page` makes a page of an error."""

    def __init__(self, token: str, fault_page: Callable[[str], str]) -> None:
        self.token, self.fault_page = token, fault_page
        self.limiter: anyio.CapacityLimiter | None = None

    def route(self, path: str, work: Answer, *methods: str) -> Route:
        """An address and what answers it."""

        async def endpoint(request: Request) -> Response:
            return await self.answer(work, request)

        return Route(f"/{self.token}/{path}", endpoint, methods=list(methods) or ["GET"])

    def assets(self, names: Iterable[str], read: Callable[[str], str]) -> list[Route]:
        """Scripts and styles at their addresses."""

        def asset(request: Request, body: bytes) -> Response:
            name = request.url.path.rpartition("/")[2]
            return Response(read(name), media_type="text/css" if name.endswith(".css") else "text/javascript")

        return [self.route(name, asset) for name in names]

    def app(
        self,
        routes: Sequence[Route],
        assets: Iterable[str],
        read: Callable[[str], str],
        folders: Sequence[Path],
        language: str = ENGLISH,
    ) -> Starlette:
        """The pages with their scripts and styles, in the language of the reader."""
        spoken = Middleware(InLanguage, token=self.token, usual=language, folders=folders)
        return Starlette(routes=[*routes, *self.assets(assets, read)], middleware=[spoken])

    async def answer(self, work: Answer, request: Request) -> Response:
        body = await request.body()
        if self.limiter is None:  # it belongs to the loop of the server
            self.limiter = anyio.CapacityLimiter(AT_ONCE)
        async with self.limiter:
            try:
                return await run_in_threadpool(work, request, body)
            except NeedsCompilerError as wait:
                return PREPARATION.answer(PREPARATION.start(str(wait)), request.scope, here().language)
            except FAULTS as fault:
                return HTMLResponse(self.fault_page(one_line(fault)), 400)


def join_address(server: str, code: str) -> str:
    """Where to join with the code typed in already; `server` is the host and the port."""
    return f"http://{server}/{JOIN}/?code={code}"


def in_terminal(address: str) -> str:
    """The QR code of an address in block characters."""
    drawn = StringIO()
    segno.make_qr(address).terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n")


@lru_cache(maxsize=8)  # every table shows it, at every visit
def on_page(address: str) -> Markup:
    """The QR code of an address as SVG, black on white also on a dark page."""
    return Markup(segno.make_qr(address).svg_inline(scale=4, border=3, light="white"))
