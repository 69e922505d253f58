"""Answers while a game is compiled: the same command in a process without the compiler.

The server passes requests on to that process and adds to its pages how long compiling will take. Kernels are plain
Python there: the same games, but slow, so only players that do not search can answer. Every address holds the whole
game, so the compiled pages go on from any page of that process.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from html import escape

from starlette.types import Message, Scope, Send

from houle.solver.plain.processes import PARENT
from houle.solver.trusted_code import python_module

LOOPBACK = "127.0.0.1"
MODULE = "houle.cli.main"
NOT_HERE = 503  # the answer of that process to what only compiled code can do
LAST_SECONDS = 5.0  # for answers on their way when the process is ended
PASSED_ON = {b"content-type", b"x-part", b"x-quick", b"accept"}  # headers of a request
CHUNK = 1 << 16


class Uncompiled:
    """The process without the compiler; it is started when something must be compiled."""

    def __init__(self) -> None:
        self.words: Sequence[str] = ()  # the command line; empty if its pages cannot be shown by another process
        self.process: subprocess.Popen[str] | None = None
        self.port = 0  # known when it listens
        self.table = ""  # the query of the last table that it showed
        self.busy = 0  # answers on their way, without streams
        self.lock = threading.Lock()

    def start(self) -> None:
        """Starts the process, unless it was started before."""
        with self.lock:
            if self.process is not None or not self.words:
                return
            environment = os.environ | {"NUMBA_DISABLE_JIT": "1", PARENT: str(os.getpid())}
            command = python_module(MODULE, *self.words, "--no-open", "--port", "0")
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env=environment, encoding="utf-8", errors="replace",
            )  # fmt: skip
        threading.Thread(target=self._listen, args=(self.process,), daemon=True).start()

    def _listen(self, process: subprocess.Popen[str]) -> None:
        for line in process.stdout or ():
            if found := re.match(rf"open +http://{LOOPBACK}:(\d+)/", line):
                self.port = int(found[1])

    def end(self) -> None:
        """Ends the process after the answers that are on their way."""
        process, self.process, self.port = self.process, None, 0
        last = time.monotonic() + LAST_SECONDS
        while process is not None and self.busy and time.monotonic() < last:
            time.sleep(0.05)
        if process is not None:
            process.kill()
            process.wait()

    async def answer(self, scope: Scope, body: bytes, send: Send, words: Callable[[], str]) -> bool:
        """Passes a request on and sends the answer; false if the process cannot answer it.

        `words` says how long compiling will take; pages begin with it.
        """
        port = self.port  # `end` may take it back while this answer is under way
        if not port:
            return False
        self.busy += 1
        begun = False
        try:
            reader, writer = await asyncio.open_connection(LOOPBACK, port)
            try:
                writer.write(_request(scope, body, port))
                await writer.drain()
                start = _start_of((await reader.readuntil(b"\r\n\r\n")).decode("latin-1"))
                if start["status"] == NOT_HERE:
                    return False
                kind = dict(start["headers"]).get(b"content-type", b"")
                if not kind.startswith(b"text/event-stream"):
                    content = await reader.read()
                    if is_page(start, scope):
                        content = with_words(content, words())
                    self._note(scope)
                    await send(start)
                    await send({"type": "http.response.body", "body": content})
                    return True
                begun = True
                self.busy -= 1  # a stream may be cut: the page asks again
                await send(start)
                while part := await reader.read(CHUNK):
                    await send({"type": "http.response.body", "body": part, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
                return True
            finally:
                writer.close()
        except (OSError, EOFError):
            return begun
        finally:
            self.busy -= not begun

    def _note(self, scope: Scope) -> None:
        if scope["path"].endswith("/table"):
            self.table = scope.get("query_string", b"").decode("latin-1")


def _request(scope: Scope, body: bytes, port: int) -> bytes:
    """HTTP/1.0, so that the answer ends with its connection."""
    query = scope.get("query_string", b"")
    target = scope.get("raw_path") or scope["path"].encode()
    lines = [scope["method"].encode() + b" " + target + (b"?" + query if query else b"") + b" HTTP/1.0"]
    lines += [f"host: {LOOPBACK}:{port}".encode(), f"content-length: {len(body)}".encode()]
    lines += [name + b": " + value for name, value in scope["headers"] if name in PASSED_ON]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def _start_of(head: str) -> Message:
    """The first message of an answer, without the headers that belong to its connection."""
    first, *lines = head.strip().split("\r\n")
    headers = [(name.strip().lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    kept = [
        (name.encode("latin-1"), value.encode("latin-1"))
        for name, value in headers
        if name not in ("connection", "content-length", "transfer-encoding")
    ]
    return {"type": "http.response.start", "status": int(first.split()[1]), "headers": kept}


def is_page(start: Message, scope: Scope) -> bool:
    """Whether an answer is a whole page to look at: no part of one, and no file to keep."""
    headers = dict(start["headers"])
    is_part = any(name == b"x-part" for name, _ in scope["headers"])
    return (
        headers.get(b"content-type", b"").startswith(b"text/html")
        and not is_part
        and b"content-disposition" not in headers
    )


def with_words(page: bytes, words: str) -> bytes:
    """A page that begins with what is being compiled; alive.js keeps the words up to date."""
    notice = f'<p class="notice" role="status" id="compiling">{escape(words)}</p>'
    return re.sub(rb"(<body[^>]*>)", lambda found: found[1] + notice.encode(), page, count=1)


UNCOMPILED = Uncompiled()
