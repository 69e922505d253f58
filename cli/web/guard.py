"""Protects the local pages: only this machine, only the right address, only small and quick requests.

Other web pages that the user visits can also send requests to 127.0.0.1. So each address holds a secret token, the Host
header must be ours (against DNS rebinding), and a form must come from our own page.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import re
import secrets
import stat
from pathlib import Path

from h11 import IDLE
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from houle.cli.framework.files import state_folder
from houle.cli.framework.streams import complain
from houle.solver.errors import InputError
from houle.solver.rules.files import open_plain
from houle.solver.texts import typed_number
from houle.solver.trusted_code import distrust

LOOPBACK = "127.0.0.1"
MOST_BODY = 600_000  # bytes; a record is at most 500,000
BODY_TIME = 10.0  # seconds to receive all of it
HEAD_TIME = 10.0  # seconds to receive the head of a request
POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
POLICY += "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
CLOSE = {"connection": "close"}  # for a sender that would go on sending
HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "same-origin",  # stricter values remove the origin from forms
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
}


class Guard:
    """Refuses requests that are not allowed, and passes the others on to the pages."""

    def __init__(self, app: ASGIApp, token: str | None, host: str = LOOPBACK) -> None:
        """`token`: None if the pages have tokens of their own."""
        self.app, self.token, self.host = app, token, host
        self.hosts: set[str] = set()  # with the port, once it is known

    def open_for(self, port: int) -> None:
        names = (self.host, "localhost") if self.host == LOOPBACK else (self.host,)
        self.hosts = {f"{name}:{port}" for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = list(message.get("headers", ()))
                known = {name for name, _ in own}  # a page may have a policy of its own
                more = [
                    (name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in known
                ]
                message = {**message, "headers": [*own, *more]}
            await send(message)

        refused = self._refusal(scope)
        if refused is None:
            try:
                body = await asyncio.wait_for(_body(scope, receive), BODY_TIME)
            except TimeoutError:
                refused = PlainTextResponse("too slow\n", 408, CLOSE)
            except _TooLargeError:
                refused = PlainTextResponse("too large\n", 413)
        if refused is not None:
            await refused(scope, receive, answer)
            return

        given: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def whole() -> Message:
            return given.pop() if given else await receive()  # a stream waits for the end of the connection

        await self.app(scope, whole, answer)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if headers.get("host", "") not in self.hosts:
            where = "on this machine, " if self.host == LOOPBACK else ""
            return PlainTextResponse(f"this page can only be opened {where}at {self.host}\n", 403)
        given = f"{scope['path']}/".split("/")[1]  # a target may be *, or an address without a path
        own = self.token is None or secrets.compare_digest(given.encode("utf-8", "replace"), self.token.encode())
        if not own:
            return PlainTextResponse(
                "the token in the address is wrong; houle prints the right address when it starts\n", 403
            )
        origin = headers.get("origin", "")
        if scope["method"] not in ("GET", "HEAD") and origin and origin.removeprefix("http://") not in self.hosts:
            return PlainTextResponse("this form comes from another page\n", 403)
        return None


class _TooLargeError(Exception):
    pass


async def _body(scope: Scope, receive: Receive) -> bytes:
    """The body of a request, unless it is too large."""
    length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    stated = typed_number(length.decode("latin-1"))
    if stated is None or stated > MOST_BODY:
        raise _TooLargeError
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b""
        part = message.get("body", b"")
        size += len(part)
        if size > MOST_BODY:
            raise _TooLargeError
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


class Impatient(H11Protocol):
    """A connection that is closed if the head of a request does not arrive in time, or nothing does."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._waiting = self.loop.call_later(HEAD_TIME, self._close)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._waiting is not None:
            self._waiting.cancel()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        begun = self.conn.their_state is IDLE and bool(self.conn.trailing_data[0])
        if begun and self._waiting is None:
            self._waiting = self.loop.call_later(HEAD_TIME, self._close)
        elif not begun and self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _close(self) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.close()


class _Crowded(logging.Filter):
    """Says once that there are too many connections; asyncio would print thousands of tracebacks."""

    said = False

    def filter(self, record: logging.LogRecord) -> bool:
        fault = record.exc_info[1] if record.exc_info else None
        if not isinstance(fault, OSError) or fault.errno not in (errno.EMFILE, errno.ENFILE):
            return True
        if not self.said:
            complain("too many connections at once; new ones wait until others are closed")
        self.said = True
        return False


logging.getLogger("uvicorn.error").setLevel(logging.ERROR)  # malformed requests get an answer and need no log
logging.getLogger("asyncio").addFilter(_Crowded())


VARIABLE = "HOULE_TOKEN"
ALLOWED = re.compile(r"[A-Za-z0-9_-]{16,64}")
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def kept_token() -> str:
    """The token of HOULE_TOKEN, or that of the user's state folder; a new one if there is none."""
    given = os.environ.get(VARIABLE, "")
    if given and not ALLOWED.fullmatch(given):
        raise InputError(f"{VARIABLE}: not allowed; allowed: 16 to 64 letters, digits, - or _")
    if given:
        return given
    new = secrets.token_urlsafe(16)
    file = state_folder() / "token"
    try:
        return _read(file) or _write(file, new)
    except (OSError, ValueError) as fault:
        complain(f"the address is new this time: {file}: {getattr(fault, 'strerror', None) or fault}")
        return new


def _read(file: Path) -> str:
    """The token in a file that only this user can read; empty if there is none."""
    try:
        facts = os.lstat(file)
    except FileNotFoundError:
        return ""
    if problem := distrust(str(file), facts):
        raise ValueError(problem)
    with open_plain(file) as opened:
        word = opened.read().decode("ascii", errors="replace").strip()
    # Make a new token if others could read this one, or if the file does not hold a token.
    if facts.st_mode & OTHERS or not ALLOWED.fullmatch(word):
        file.unlink()
        return ""
    return word


def _write(file: Path, word: str) -> str:
    file.parent.mkdir(0o700, parents=True, exist_ok=True)
    try:
        opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:  # another server has just written its own
        return _read(file) or word
    with os.fdopen(opened, "w", encoding="ascii") as written:
        written.write(f"{word}\n")
    return word
