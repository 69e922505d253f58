"""Answers requests in threads, a few at a time. What is wrong with a request is one line on a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from houle.solver.errors import InputError
from houle.solver.texts import visible

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

    async def answer(self, work: Answer, request: Request) -> Response:
        body = await request.body()
        if self.limiter is None:  # it belongs to the loop of the server
            self.limiter = anyio.CapacityLimiter(AT_ONCE)
        async with self.limiter:
            try:
                return await run_in_threadpool(work, request, body)
            except FAULTS as fault:
                return HTMLResponse(self.fault_page(one_line(fault)), 400)
