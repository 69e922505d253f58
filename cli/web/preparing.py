"""Prepares games for local pages: loads their compiled code, or compiles it first, in other processes.

The first use of a game compiles it for this machine, which takes half a minute. Meanwhile its pages say so,
with an estimate, and asks again. While nobody asks for anything, the other games are compiled too.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from html import escape
from pathlib import Path
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from houle.cli.framework.state import note_seconds, time_left, usual_seconds
from houle.cli.framework.text import roughly
from houle.cli.web.languages import translated, words_for
from houle.cli.web.uncompiled import NOT_HERE, UNCOMPILED
from houle.solver.language.languages import ENGLISH, LANGUAGES
from houle.solver.os_calls import patient
from houle.solver.plain.processes import PARENT
from houle.solver.rules import game_names, load
from houle.solver.rules.game_folders import home
from houle.solver.trusted_code import python_module

TEMPLATES = Path(__file__).parent / "templates"
PLAY = Path(__file__).parents[1] / "play"  # its catalogue has the words of these pages
AGAIN = 1  # seconds until a page asks again
SHARED = ("web.css", "alive.js")
COMPILING = "compiling"  # the address that says what is being compiled
THINKING = frozenset(("hint", "review", "experts", "make-report", "make-design"))  # pages that need compiled code


@lru_cache
def shared(name: str) -> str:
    """A file that the pages of several commands use."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def language_of(path: str, usual: str = ENGLISH) -> str:
    """The language of a page, which its path names after the token."""
    parts = path.split("/")
    return parts[2] if len(parts) > 3 and parts[2] in LANGUAGES else usual


def is_part(scope: Scope) -> bool:
    """Whether a script asks for a part of a page: it has to ask again, and shows no page that waits."""
    return any(name in (b"x-part", b"x-quick") for name, _ in scope["headers"])


def ask_again(title: str, words: str, language: str) -> Response:
    """The answer to a script while a game is being prepared."""
    return PlainTextResponse(said(f"{title}. {words}", language), 503, {"retry-after": str(AGAIN)})


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
    return said(page, language)


def said(page: str, language: str) -> str:
    """A page in a language."""
    return page if language == ENGLISH else translated(page, words_for(language, None, (PLAY,)), language)


def shared_file(name: str) -> Response:
    """The answer to a request for a file that pages share."""
    return Response(shared(name), media_type="text/css" if name.endswith(".css") else "text/javascript")


IDLE = 15.0  # seconds without a request, after which other games are compiled
LOOK = 1.0  # seconds between two looks whether nobody asks
DEAL = "deal"  # a form for a new game as an address, so that a page that waits can ask again
NEW = "new"


@dataclass
class Work:
    """A game that is being prepared."""

    game: str
    began: float = field(default_factory=time.monotonic)
    compiling: bool = False
    done: threading.Event = field(default_factory=threading.Event)


class Preparation:
    """Which games are ready in this process, and what is being done for the others."""

    def __init__(self) -> None:
        self.works: dict[str, Work] = {}
        self.lock = threading.Lock()
        self.asked = time.monotonic()  # when a page was last asked for
        self.loaded = False  # whether the compiled pages can answer

    def start(self, game: str) -> Work:
        """Begin to prepare a game, unless that was begun before."""
        with self.lock:
            if game not in self.works:
                self.works[game] = Work(game)
                threading.Thread(target=self._prepare, args=(self.works[game],), daemon=True).start()
            return self.works[game]

    def ready(self, game: str) -> bool:
        return self.start(game).done.is_set()

    def _prepare(self, work: Work) -> None:
        from houle.cli.warm import warm

        try:
            if _has_compiler() and not is_warm(work.game):
                UNCOMPILED.start()  # it loads meanwhile
            if _has_compiler() and not _loaded_from_cache(work.game):
                work.compiling, work.began = True, time.monotonic()
                UNCOMPILED.start()
                if compile_apart(work.game):
                    note_seconds(work.game, time.monotonic() - work.began)
                with suppress(Exception):
                    warm(work.game)
        finally:
            work.done.set()  # an error in a game shows up again when it is used
            self.change_over()

    def change_over(self) -> None:
        """Ends the process without the compiler when nothing needs it any more."""
        if self.loaded and all(work.done.is_set() for work in self.works.values()):
            UNCOMPILED.end()

    def notice(self, language: str) -> str:
        """What pages of the process without the compiler begin with; empty if nothing is being compiled."""
        works = [work for work in self.works.values() if not work.done.is_set()]
        if not works:
            return ""
        work = works[-1]
        left = usual_seconds(work.game) - (time.monotonic() - work.began)
        when = f"in about {roughly(left)}" if work.compiling and left > 1 else "as soon as it is ready"
        parts = (f"Preparing {load(work.game).title}.", f"You can already play; hints and the review come {when}.")
        return " ".join(said(part, language) for part in parts)

    def words(self) -> tuple[str, str, float | None]:
        """The title, the words and the share of a page that waits: of the game that began last."""
        works = [work for work in self.works.values() if not work.done.is_set()]
        return self.words_of(works[-1]) if works else ("houle is starting", "Loading. This takes a few seconds.", None)

    def words_of(self, work: Work) -> tuple[str, str, float | None]:
        title = f"Preparing {load(work.game).title}"
        if not work.compiling:
            return title, "Loading its compiled code. This takes a few seconds.", None
        spent = time.monotonic() - work.began
        share, left = min(0.97, spent / usual_seconds(work.game)), time_left(work.game, spent)
        return title, f"It is compiled for this machine, only once: about {roughly(spent)} so far, {left}.", share

    def when_idle(self) -> None:
        """Compile the other games, one at a time, while nobody asks for anything."""

        def run() -> None:
            for game in game_names() if _has_compiler() else ():
                while time.monotonic() - self.asked < IDLE or any(not one.done.is_set() for one in self.works.values()):
                    time.sleep(LOOK)
                if game not in self.works and not home(game).is_outside and not is_warm(game):
                    began = time.monotonic()
                    if compile_apart(game, at_once=False):
                        note_seconds(game, time.monotonic() - began)

        threading.Thread(target=run, daemon=True).start()


PREPARATION = Preparation()


def _loaded_from_cache(game: str) -> bool:
    """Load the compiled code of a game; false if some of it is not there."""
    from houle.cli.warm import warm
    from houle.solver.compiler.kernels import loaded_only

    with loaded_only() as missing, suppress(Exception):  # an error shows up again when the game is used
        warm(game)
    return not missing


def _has_compiler() -> bool:
    from houle.solver.compiler.kernels import JIT

    return JIT


def is_warm(game: str) -> bool:
    from houle.cli.warm import marks

    return all(mark.exists() for mark in marks(game))


def compile_apart(game: str, at_once: bool = True) -> bool:
    """Compile a game in other processes; whether that succeeded. In the background: one process, with low priority."""
    from houle.cli.warm import MODULE, warm_halves

    if at_once:
        return warm_halves(game)
    command = patient(python_module(MODULE, game))
    environment = os.environ | {PARENT: str(os.getpid())}
    return subprocess.run(command, stderr=subprocess.DEVNULL, env=environment, check=False).returncode == 0


class Prepared:
    """Passes requests on to the pages when their game is ready; until then a page says so and asks again.

    `needs` lists the pages that play games; `usual` is the game of an address that names none.
    """

    def __init__(
        self,
        app: ASGIApp,
        needs: frozenset[str],
        usual: str,
        preparation: Preparation = PREPARATION,
        language: str = ENGLISH,
    ) -> None:
        self.app, self.needs, self.usual, self.preparation, self.language = app, needs, usual, preparation, language

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        page = scope["path"].rpartition("/")[2]
        language = language_of(scope["path"], self.language)
        if page in SHARED or page == COMPILING:
            words = PlainTextResponse(self.preparation.notice(language))
            await (words if page == COMPILING else shared_file(page))(scope, receive, send)
            return
        self.preparation.asked = time.monotonic()
        message = await receive()
        query = scope.get("query_string", b"").decode("latin-1")
        form = message.get("body", b"").decode("utf-8", "replace") if scope["method"] == "POST" else ""
        game = self._game(form if page == NEW and form else query)
        if page in THINKING and game and not _has_compiler():  # a class in plain Python is never compiled
            await PlainTextResponse("", NOT_HERE)(scope, receive, send)
            return
        if page in self.needs and (page != NEW or form) and game and not self.preparation.ready(game):
            body, say = message.get("body", b""), partial(self.preparation.notice, language)
            if await UNCOMPILED.answer(scope, body, send, say):
                return
            answer = await self._wait(scope, page, game, form)
            if answer is not None:
                await answer(scope, receive, send)
                return
        if page == DEAL and scope["method"] == "GET":
            path = f"{scope['path'].rpartition('/')[0]}/{NEW}"
            scope = {**scope, "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b""}
            message = {"type": "http.request", "body": query.encode(), "more_body": False}
        given = [message]

        async def first() -> Message:
            return given.pop() if given else await receive()

        await self.app(scope, first, send)

    def _game(self, query: str) -> str:
        """The game that an address or a form names; empty if there is none of that name."""
        try:
            name = parse_qs(query, max_num_fields=400).get("game", [self.usual])[0]
        except ValueError:
            return ""
        return name if name in game_names() else ""

    async def _wait(self, scope: Scope, page: str, game: str, form: str) -> Response | None:
        """What is answered while a game is being prepared; None after a wait, for forms that cannot be sent again."""
        work = self.preparation.start(game)
        title, words, share = self.preparation.words_of(work)
        part = is_part(scope) or page in ("live", "check")
        if scope["method"] == "POST":
            if page == NEW and len(form) < 20_000:
                return RedirectResponse(f"{scope['path'].rpartition('/')[0]}/{DEAL}?{form}", 303)
            await run_in_threadpool(work.done.wait)
            return None
        language = language_of(scope["path"], self.language)
        if part:
            return ask_again(title, words, language)
        return HTMLResponse(waiting_page(title, words, share, language=language))
