"""Pages in the reader's language, which is a part of the path: TOKEN/fr/table?... is TOKEN/table?... in French.

Relative links lead to pages in the same language. Pages are made in English; texts between tags and in ATTRIBUTES are
translated by catalogues (solver/language/languages.py) on their way out. Elements with translate="no" stay as they are.
A path may also hold `guided`: pages explain the first decisions (analysis/play/seat_view.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from html import escape, unescape
from pathlib import Path
from urllib.parse import parse_qs

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from houle.solver.errors import InputError
from houle.solver.language.languages import ENGLISH, LANGUAGES, Catalogue, catalogue_files, conjugated, translator
from houle.solver.rules import game_names
from houle.solver.rules.game_folders import is_named

GUIDED = "guided"
ATTRIBUTES = ("aria-label", "title", "placeholder", "alt", "data-say", "data-copied", "data-large")
# Of an element that says what a player did: who, and the move as a move; languages conjugate it in their own way.
DONE = re.compile(r'data-done="(you|another)" data-move="([^"]*)"')
SILENT = ("script", "style", "pre", "code", "kbd", "textarea")  # elements without texts for people
_TAG = re.compile(r"(<(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>)")
_NAME = re.compile(r"</?([a-zA-Z0-9]+)")
_ATTRIBUTE = re.compile(rf"\b({'|'.join(ATTRIBUTES)})=\"([^\"]*)\"")


@dataclass(frozen=True)
class Address:
    """How a page was asked for."""

    language: str = ENGLISH
    guided: bool = False
    prefix: str = ""  # the part of the path between the token and the page: `fr/guided/`
    page: str = ""  # with its query
    can_switch: bool = False
    words: Catalogue | None = None

    def say(self, text: str) -> str:
        """A text in the language of the page, if all of it is known."""
        return (self.words.find(text) or text) if self.words is not None else text

    def switches(self) -> list[dict[str, str]]:
        """The same page in the other languages; none for a page that was not fetched by its address."""
        up, rest = "../" * self.prefix.count("/"), (GUIDED + "/") * self.guided + self.page
        others = [code for code in LANGUAGES if code != self.language] if self.can_switch else []
        return [{"code": code, "name": LANGUAGES[code], "href": f"{up}{code}/{rest}"} for code in others]


_HERE: ContextVar[Address | None] = ContextVar("HERE", default=None)


def here() -> Address:
    """How the page that is being made was asked for."""
    return _HERE.get() or Address()


class InLanguage:
    """Answers paths with a language; without one in the usual language."""

    def __init__(self, app: ASGIApp, token: str, usual: str = ENGLISH, folders: Iterable[Path] = ()) -> None:
        self.app, self.root, self.usual, self.folders = app, f"/{token}/", usual, tuple(folders)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(self.root):
            await self.app(scope, receive, send)
            return
        try:
            asked = self._address(scope)
        except InputError as fault:  # a catalogue that cannot be read
            await PlainTextResponse(f"{fault}\n", 400)(scope, receive, send)
            return
        _HERE.set(asked)
        path = self.root + asked.page.partition("?")[0]
        inner = {**scope, "path": path, "raw_path": path.encode("utf-8", "replace")}
        await self.app(inner, receive, self._translating(asked, send))

    def _address(self, scope: Scope) -> Address:
        asked, parts = Address(self.usual), scope["path"].removeprefix(self.root).split("/")
        if parts[0] in LANGUAGES and len(parts) > 1:
            asked = replace(asked, language=parts[0], prefix=f"{parts.pop(0)}/")
        if parts[0] == GUIDED and len(parts) > 1:
            asked = replace(asked, guided=True, prefix=f"{asked.prefix}{parts.pop(0)}/")
        query = scope.get("query_string", b"").decode("latin-1")
        page = "/".join(parts) + (f"?{query}" if query else "")
        words = None
        if asked.language != ENGLISH:
            words = words_for(asked.language, parse_qs(query).get("game", [None])[0], self.folders)
        return replace(asked, page=page, can_switch=scope["method"] == "GET", words=words)

    def _translating(self, asked: Address, send: Send) -> Send:
        """`send` with the page translated, and redirections to the same prefix."""
        started: list[Message] = []
        body: list[bytes] = []

        async def translate(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [(name, self._moved(name, value, asked)) for name, value in message["headers"]]
                message = {**message, "headers": headers}
                html = any(name == b"content-type" and b"text/html" in value for name, value in headers)
                if asked.words is None or not html:
                    await send(message)
                else:
                    started.append(message)
                return
            if not started or asked.words is None:
                await send(message)
                return
            body.append(message.get("body", b""))
            if not message.get("more_body"):
                page = translated(b"".join(body).decode(), asked.words, asked.language).encode()
                head = started[0]
                sizes = [
                    (name, str(len(page)).encode() if name == b"content-length" else value)
                    for name, value in head["headers"]
                ]
                await send({**head, "headers": sizes})
                await send({"type": "http.response.body", "body": page})

        return translate

    def _moved(self, name: bytes, value: bytes, asked: Address) -> bytes:
        root = self.root.encode()
        if name == b"location" and value.startswith(root):
            return root + asked.prefix.encode() + value.removeprefix(root)
        return value


def words_for(language: str, game: str | None, folders: Iterable[Path]) -> Catalogue:
    """The catalogue of a game and of the pages; that of the pages for an unknown game."""
    known = game is not None and (game in game_names() or is_named(game))
    return translator(catalogue_files(language, game if known else None, folders))


def translated(page: str, words: Catalogue, language: str, missing: Callable[[str], object] = str) -> str:
    """A page in another language; `missing` is called with every text that has no translation."""

    def say(text: str, who: str = "", move: str = "") -> str:
        plain = unescape(text)
        core = " ".join(plain.split())
        if not any(sign.isalnum() for sign in core):
            return text.replace(core, words.mark(core)) if core in (":", ";", "?", "!") else text
        meaning = words.find(unescape(move) if move else core)
        if meaning is None:
            if any(sign.isalpha() for sign in core):
                missing(core)
            return text
        before, after = (" " if part else "" for part in (plain[:1].isspace(), plain[-1:].isspace()))
        meaning = conjugated(meaning, who == "you") if move else meaning
        return f"{before}{escape(meaning, quote=True)}{after}"

    pieces, silent, depth = [], "", 0
    done: tuple[str, ...] = ()
    for number, piece in enumerate(_TAG.split(page)):
        if number % 2 == 0:
            pieces.append(piece if silent else say(piece, *done))
            continue
        found = DONE.search(piece)
        done = found.groups() if found else ()
        name = _NAME.match(piece)
        tag = name[1].lower() if name else ""
        if silent:
            if tag == silent and not piece.endswith("/>"):
                depth += -1 if piece.startswith("</") else 1
                silent = silent if depth else ""
        elif (tag in SILENT or 'translate="no"' in piece) and not piece.startswith("</"):
            silent, depth = tag, 1
        elif tag == "html":
            piece = piece.replace('lang="en"', f'lang="{language}"')
        else:
            piece = _ATTRIBUTE.sub(lambda match: f'{match[1]}="{say(match[2])}"', piece)
        pieces.append(piece)
    return "".join(pieces)
