"""Asks an application without a server: one request, its answer."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.types import ASGIApp, Message


def ask(app: ASGIApp, address: str, method: str = "GET", body: str = "") -> tuple[int, dict[str, str], str]:
    """Status, headers and text of the answer to a request."""
    path, _, query = address.partition("?")
    scope: dict[str, Any] = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "root_path": "",
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(b"host", b"127.0.0.1")],
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 1),
    }
    asked: list[Message] = [{"type": "http.request", "body": body.encode(), "more_body": False}]
    said: list[Message] = []

    async def receive() -> Message:
        if not asked:
            await asyncio.Event().wait()  # the client stays until everything is said
        return asked.pop()

    async def send(message: Message) -> None:
        said.append(message)

    async def answer() -> None:
        await app(scope, receive, send)

    asyncio.run(answer())
    headers = {name.decode(): value.decode() for name, value in said[0]["headers"]}
    return said[0]["status"], headers, b"".join(one.get("body", b"") for one in said[1:]).decode()
