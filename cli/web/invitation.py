"""The address at which others join a game on the local network, also as a QR code, which is drawn on this machine."""

from __future__ import annotations

from functools import lru_cache
from io import StringIO

import segno
from markupsafe import Markup

JOIN = "join"  # the first part of the address


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
