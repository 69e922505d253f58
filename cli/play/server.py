"""The local server: on 127.0.0.1 alone, at an address with a token, until Ctrl-C."""

from __future__ import annotations

import os
import re
import secrets
import socket
import webbrowser
from contextlib import suppress

import click
import uvicorn

from houle.analysis.play.link import link_of
from houle.analysis.play.sitting import Sitting
from houle.cli.play.app import make_app
from houle.cli.play.guard import Impatient
from houle.solver.errors import InputError

HOST = "127.0.0.1"
TOKEN = "HOULE_TOKEN"  # a token of one's own, so that open pages find a server that was started again
WAITING = 64  # connections, until the server is there
MOST_HEAD = 64_000  # bytes of a request's head; a link is at most half of it


def token() -> str:
    given = os.environ.get(TOKEN, "")
    if given and not re.fullmatch(r"[A-Za-z0-9_-]{16,64}", given):
        raise InputError(f"{TOKEN}: write 16 to 64 letters or digits")
    return given or secrets.token_urlsafe(16)


def bound(port: int) -> socket.socket:
    """A socket on the port, or on any that is free."""
    for number in dict.fromkeys((port, 0)):
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((HOST, number))
            found.listen(WAITING)  # a browser that is opened at once waits instead of being refused
            return found
        except OSError:
            found.close()
    raise InputError(f"--port: no port of {HOST} is free")


def serve(first: Sitting, record: str | None, port: int, show: bool) -> None:
    """Shows the table until Ctrl-C."""
    word, door = token(), bound(port)
    app = make_app(first, record, word)
    number = int(door.getsockname()[1])
    app.open_for(number)
    address = f"http://{HOST}:{number}/{word}/"
    click.echo(f"open  {address}")
    click.echo("It is for this machine alone; Ctrl-C ends it.")
    config = uvicorn.Config(
        app, http=Impatient, ws="none", lifespan="off", log_level="error", access_log=False,
        h11_max_incomplete_event_size=MOST_HEAD, timeout_keep_alive=5, timeout_graceful_shutdown=1,
        server_header=False, date_header=False,
    )  # fmt: skip
    if show:
        webbrowser.open(address)
    with suppress(KeyboardInterrupt):  # the usual end
        uvicorn.Server(config).run(sockets=[door])
    click.echo(f"\nthe first table again   houle play {link_of(first)!r}")
