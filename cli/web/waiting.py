"""Pages that ask again by themselves: while the server starts, and while a game is compiled."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from pathlib import Path

from starlette.responses import Response

from houle.cli.web.languages import translated, words_for
from houle.solver.language.languages import ENGLISH, LANGUAGES

TEMPLATES = Path(__file__).parent / "templates"
PLAY = Path(__file__).parents[1] / "play"  # its catalogue has the words of these pages
AGAIN = 1  # seconds until a page asks again
SHARED = ("web.css", "alive.js")


@lru_cache
def shared(name: str) -> str:
    """A file that the pages of several commands use."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def language_of(path: str, usual: str = ENGLISH) -> str:
    """The language of a page, which its path names after the token."""
    parts = path.split("/")
    return parts[2] if len(parts) > 3 and parts[2] in LANGUAGES else usual


def waiting_page(
    title: str,
    words: str,
    share: float | None = None,
    steps: Sequence[str] = (),
    back: str = "",
    language: str = ENGLISH,
) -> str:
    """A page that loads its own address again until there is something else to show."""
    bar = "" if share is None else f' value="{share:.2f}"'
    below = "".join(f"<li>{escape(step)}</li>" for step in steps)
    below = f"<ol>{below}</ol>" if below else ""
    below += f'<p><a href="{escape(back)}">Back to the studio</a>; this goes on.</p>' if back else ""
    page = shared("waiting.html").format(
        title=escape(title), words=escape(words), bar=bar, again=AGAIN, below=below
    )  # fmt: skip
    return page if language == ENGLISH else translated(page, words_for(language, None, (PLAY,)), language)


def shared_file(name: str) -> Response:
    """The answer to a request for a file that pages share."""
    return Response(shared(name), media_type="text/css" if name.endswith(".css") else "text/javascript")
