"""The local server: only on 127.0.0.1, at an address with a secret token, until Ctrl-C."""

from __future__ import annotations

import os
import re
import secrets
import socket
import webbrowser
from contextlib import suppress

import click
import uvicorn

from houle.analysis.play.kept_results import KeptResults
from houle.analysis.play.link import link_of
from houle.analysis.play.sitting import Sitting
from houle.cli.play.app import make_app
from houle.cli.play.guard import Impatient
from houle.solver.errors import InputError

HOST = "127.0.0.1"
TOKEN = "HOULE_TOKEN"  # a fixed token, so that open pages work after a restart
WAITING = 64  # connections that wait until the server is ready
MOST_HEAD = 64_000  # bytes of a request's head; a link is at most half of it


def token() -> str:
    given = os.environ.get(TOKEN, "")
    if given and not re.fullmatch(r"[A-Za-z0-9_-]{16,64}", given):
        raise InputError(f"{TOKEN}: not allowed; allowed: 16 to 64 letters, digits, - or _")
    return given or secrets.token_urlsafe(16)


def bound(port: int) -> socket.socket:
    """A socket on the port, or on a free one."""
    for number in dict.fromkeys((port, 0)):
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, number))
            listener.listen(WAITING)  # so that a browser waits instead of being refused
            return listener
        except OSError:
            listener.close()
    raise InputError(f"--port: no free port on {HOST}")


def serve(first: Sitting, record: str | None, port: int, show: bool, kept: KeptResults | None = None) -> None:
    """Serves the pages until Ctrl-C."""
    word, door = token(), bound(port)
    app = make_app(first, record, word, kept)
    number = int(door.getsockname()[1])
    app.open_for(number)
    address = f"http://{HOST}:{number}/{word}/"
    click.echo(f"open  {address}")
    click.echo("The page works only on this machine. Press Ctrl-C to stop.")
    config = uvicorn.Config(
        app, http=Impatient, ws="none", lifespan="off", log_level="error", access_log=False,
        h11_max_incomplete_event_size=MOST_HEAD, timeout_keep_alive=5, timeout_graceful_shutdown=1,
        backlog=WAITING, server_header=False, date_header=False,
    )  # fmt: skip
    if show:
        webbrowser.open(address)
    with suppress(KeyboardInterrupt):  # the usual end
        uvicorn.Server(config).run(sockets=[door])
    click.echo(f"\nTo play the first game again:   houle play {link_of(first)!r}")
