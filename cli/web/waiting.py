"""Pages that ask again by themselves: while the server starts, and while a game is compiled."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from pathlib import Path

from starlette.responses import Response

TEMPLATES = Path(__file__).parent / "templates"
AGAIN = 1  # seconds until a page asks again
SHARED = ("web.css", "alive.js")


@lru_cache
def shared(name: str) -> str:
    """A file that the pages of several commands use."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def waiting_page(title: str, words: str, share: float | None = None, steps: Sequence[str] = (), back: str = "") -> str:
    """A page that loads its own address again until there is something else to show."""
    bar = "" if share is None else f' value="{share:.2f}"'
    below = "".join(f"<li>{escape(step)}</li>" for step in steps)
    below = f"<ol>{below}</ol>" if below else ""
    below += f'<p><a href="{escape(back)}">Back to the studio</a>; this goes on.</p>' if back else ""
    return shared("waiting.html").format(
        title=escape(title), words=escape(words), bar=bar, again=AGAIN, below=below
    )  # fmt: skip


def shared_file(name: str) -> Response:
    """The answer to a request for a file that pages share."""
    return Response(shared(name), media_type="text/css" if name.endswith(".css") else "text/javascript")
