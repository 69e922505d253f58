"""Pages of a game that is not compiled yet: they say how long that takes, and ask again until it is.

houle/cli/waiting.py says how a game is waited for.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from pathlib import Path
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from houle.cli.framework.text import roughly
from houle.cli.waiting import ALL, DOOR, FAMILIES, Compiling, compile_families, time_left, usual_seconds
from houle.cli.web.languages import translated, words_for
from houle.solver.language.languages import ENGLISH, LANGUAGES
from houle.solver.rules import game_names, load

TEMPLATES = Path(__file__).parent / "templates"
PLAY = Path(__file__).parents[1] / "play"  # its catalogue has the words of these pages
AGAIN = 1  # seconds until a page asks again
SHARED = ("web.css", "alive.js")
COMPILING = "compiling"  # the address of the notice


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
    stop: str = "",
) -> str:
    """A page that loads its own address again until there is something else to show. `stop` is where a search ends."""
    bar = "" if share is None else f' value="{share:.2f}"'
    below = "".join(f"<li>{escape(step)}</li>" for step in steps)
    below = f"<ol>{below}</ol>" if below else ""
    below += f'<p><a href="{escape(back)}">Back to the studio</a>; this goes on.</p>' if back else ""
    button = "<button>Stop, show what you have</button>"
    below += f'<form method="post" action="{escape(stop)}">{button}</form>' if stop else ""
    page = shared("waiting.html").format(title=escape(title), words=escape(words), bar=bar, again=AGAIN, below=below)
    return said(page, language)


def said(page: str, language: str) -> str:
    """A page in a language."""
    return page if language == ENGLISH else translated(page, words_for(language, None, (PLAY,)), language)


def shared_file(name: str) -> Response:
    """The answer to a request for a file that pages share."""
    return Response(shared(name), media_type="text/css" if name.endswith(".css") else "text/javascript")


class NeedsCompilerError(Exception):
    """What was asked for takes too long in the process without the compiler."""


def only_compiled(game: str) -> None:
    """Refuses what only compiled code can do, while another process compiles the game."""
    if MEANWHILE:
        raise NeedsCompilerError(game)


MEANWHILE = DOOR in os.environ  # this process answers only until another one has compiled the game


@dataclass
class Work:
    """A game that is being prepared."""

    game: str
    first: str = ALL  # FAMILIES: they come first, because only their pages are waited for
    began: float = field(default_factory=time.monotonic)
    compiling: bool = MEANWHILE
    families: threading.Event = field(default_factory=threading.Event)  # what families need is ready
    done: threading.Event = field(default_factory=threading.Event)  # all of it is

    def is_ready(self, part: str) -> bool:
        return (self.families if part == FAMILIES else self.done).is_set()

    def wait(self, part: str) -> None:
        (self.families if part == FAMILIES else self.done).wait()


class Preparation:
    """Which games are ready in this process, and what is being done for the others."""

    def __init__(self) -> None:
        self.works: dict[str, Work] = {}
        self.lock = threading.Lock()

    def start(self, game: str, first: str = ALL) -> Work:
        """Begin to prepare a game, unless that was begun before."""
        with self.lock:
            if game not in self.works:
                self.works[game] = Work(game, first)
                if not MEANWHILE:
                    threading.Thread(target=self._prepare, args=(self.works[game],), daemon=True).start()
            return self.works[game]

    def wait(self, game: str, first: str = ALL) -> None:
        """Returns when what comes first is ready; the process without the compiler does not wait for that."""
        work = self.start(game, first)
        if not MEANWHILE:
            work.wait(first)

    def is_done(self, game: str) -> bool:
        """Whether all of a game is ready, or nobody prepares it."""
        return game not in self.works or self.works[game].done.is_set()

    @property
    def open(self) -> list[Work]:
        """What is not ready yet, the newest last."""
        return [work for work in list(self.works.values()) if not work.done.is_set()]

    def _prepare(self, work: Work) -> None:
        from houle.cli.warm import is_warm, warm
        from houle.solver.compiler.kernels import JIT

        try:
            work.compiling = JIT and not is_warm(work.game)
            rest = Compiling(work.game) if work.compiling else None
            if JIT and work.first == FAMILIES:
                compile_families(work.game)
                work.families.set()
            if rest is not None:
                rest.wait()
            if JIT:
                warm(work.game)  # loads it
        except Exception:  # it shows up again when the game is used
            pass
        finally:
            work.families.set()
            work.done.set()

    def notice(self, language: str) -> str:
        """What a page says that is shown before its game is compiled; empty if none is."""
        work = self.open[-1] if MEANWHILE and self.open else None
        if work is None:
            return ""
        left = usual_seconds(work.game) - (time.monotonic() - work.began)
        when = f"in about {roughly(left)}" if left > 1 else "as soon as it is ready"
        parts = (f"Preparing {load(work.game).title}.", f"You can already play; hints and the review come {when}.")
        return " ".join(said(part, language) for part in parts)

    def answer(self, work: Work | None, scope: Scope, usual: str = ENGLISH, part: str = ALL) -> Response:
        """What is answered until that part is ready: a page that asks again, or a line for a script that does."""
        title, words, share = "houle is starting", "Loading. This takes a few seconds.", None
        if work is not None:
            title = f"Preparing {load(work.game).title}"
        if work is not None and work.compiling:
            spent = time.monotonic() - work.began
            share = min(0.97, spent / usual_seconds(work.game, part))
            words = f"It is compiled for this machine, only once: about {roughly(spent)} so far, "
            words += f"{time_left(work.game, part, spent)}."
        language = language_of(scope["path"], usual)
        by_script = any(name == b"x-part" for name, _ in scope["headers"]) or page_of(scope) in ("live", "check")
        if by_script or scope["method"] == "POST":
            return PlainTextResponse(said(f"{title}. {words}", language), 503, {"retry-after": str(AGAIN)})
        return HTMLResponse(waiting_page(title, words, share, language=language))


PREPARATION = Preparation()


def page_of(scope: Scope) -> str:
    """The name of a page in its address."""
    return str(scope["path"].rpartition("/")[2])


class Prepared:
    """Passes requests on to the pages when their game is ready; until then a page says so and asks again.

    `needs` says what the pages that play games wait for; `usual` is the game of an address that names none.
    """

    def __init__(
        self,
        app: ASGIApp,
        needs: Mapping[str, str],
        usual: str,
        preparation: Preparation = PREPARATION,
        language: str = ENGLISH,
    ) -> None:
        self.app, self.needs, self.usual, self.preparation, self.language = app, needs, usual, preparation, language
        self.first = FAMILIES if FAMILIES in needs.values() else ALL

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        game = self._game(scope.get("query_string", b"").decode("latin-1"))
        part = self.needs.get(page_of(scope)) if game else None
        work = self.preparation.start(game, self.first) if part else None
        if work is None or part is None or work.is_ready(part) or MEANWHILE:
            await self.app(scope, receive, send)
        elif scope["method"] == "GET":
            await self.preparation.answer(work, scope, self.language, part)(scope, receive, send)
        else:
            await run_in_threadpool(work.wait, part)  # a form that cannot be sent again
            await self.app(scope, receive, send)

    def _game(self, query: str) -> str:
        """The game that an address or a form names; empty if there is none of that name."""
        try:
            name = parse_qs(query, max_num_fields=400).get("game", [self.usual])[0]
        except ValueError:
            return ""
        return name if name in game_names() else ""
