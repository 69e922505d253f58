"""Plays the lines of a page and returns what they print.

A line is a command without the word `houle`; `< FILE` at its end is stdin. These signs may come before it:

    #     a comment
    !     it must be refused: its exit code is not 0, or its Python call raises
    ^C    it is interrupted as soon as games are counted; ^C^C: twice
    GET   asks what the last `play` or `studio` serves, with the fields of the page before: GET hint?worlds=4
          Without them: GET /position. Outside the secret part of the address: GET //join?code=AAAAAA
    POST  sends the fields of the line as a form; `xN` at its end: N times, or until there is no move to make

On the page `python` every line is Python.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import parse_qsl, urlencode

import click
import pytest
from click.testing import CliRunner

import houle
from houle.cli.framework.progress import GamesProgress
from houle.cli.main import houle as program
from houle.solver.compiler.kernels import JIT
from tests.pages.shown import file_text, json_text, masked, page_text, printed
from tests.pages.still import CLOCK, forget_games, hold_still
from tests.support.asking import ask

HERE = Path(__file__).parent
KINDS = ("compiled", "plain")
KIND = KINDS[0 if JIT else 1]
SERVE, TOKEN = "houle.cli.web.server.serve", "token"
PYTHON = "python"
SIGNS = re.compile(r"(! )?((?:\^C)+ )?(.*)")


def pages(kind: str = KIND) -> list[str]:
    """The names of the pages of a kind."""
    return sorted(path.stem for path in (HERE / "lines" / kind).glob("*.txt"))


def lines_of(page: str, kind: str = KIND) -> list[str]:
    text = (HERE / "lines" / kind / f"{page}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def kept_at(page: str) -> Path:
    return HERE / "kept" / KIND / f"{page}.txt"


def played(page: str, folder: Path) -> str:
    """The text of a page, played in this folder."""
    with pytest.MonkeyPatch.context() as patch:
        work = folder / "work"
        shutil.copytree(HERE / "inputs", work)
        hold_still(patch, folder)
        patch.chdir(work)
        player = PythonPlayer() if page == PYTHON else Player()
        text = "\n".join(f"$ {line}\n{player.play(line)}" for line in lines_of(page))
        forget_games()
        return text


class Player:
    """Plays command lines one after another, in one folder."""

    def __init__(self) -> None:
        self.app: Any = None  # what the last command served
        self.query = self.ply = ""  # of the last page that it answered
        self.files = files_now()

    def play(self, line: str) -> str:
        CLOCK.looks = 0
        refused, interrupts, words = SIGNS.fullmatch(line).groups()  # type: ignore[union-attr]
        if words.startswith(("GET ", "POST ")):
            parts = [self.answer(words, bool(refused))]
        else:
            parts = [*self.command(words, len(interrupts or "") // 2, bool(refused)), *self.written()]
        text = masked("\n".join(part.rstrip("\n") for part in parts if part))
        return "\n".join(one.rstrip() for one in text.splitlines()) + "\n"

    def command(self, words: str, interrupts: int, refused: bool) -> Iterator[str]:
        """What a command prints."""
        words, _, stdin = words.partition(" < ")
        with mock.patch(SERVE, self.serve), interrupted(interrupts):
            result = CliRunner().invoke(
                program, shlex.split(words), prog_name="houle", input=Path(stdin).read_text() if stdin else None
            )
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise AssertionError(f"houle {words}: a traceback") from result.exception
        assert bool(result.exit_code) == refused, f"houle {words}: exit {result.exit_code}\n{result.output[-2000:]}"
        yield f"exit {result.exit_code}" if result.exit_code else ""
        yield printed(result.stdout)
        yield f"--- stderr\n{result.stderr}" if result.stderr else ""

    def written(self) -> Iterator[str]:
        """The files that the last command made or changed."""
        before, self.files = self.files, files_now()
        for path in sorted(self.files):
            if before.get(path) != self.files[path]:
                yield f"--- file {path}\n{file_text(path)}"

    def serve(self, load: Callable[[str], Any], *_: Any, **__: Any) -> None:
        """In place of a server: prints the first page."""
        self.app, self.query = load(TOKEN).app, ""
        click.echo(self.fetched("GET", "", ""))

    def answer(self, words: str, refused: bool) -> str:
        """What the pages answer to a request."""
        method, _, address = words.partition(" ")
        address, _, times = address.partition(" x")
        path, _, more = address.partition("?")
        for _ in range(int(times or 1)):
            answer = self.asked(method, path, more)
            if method == "POST" and not self.ply:
                break
        assert bool(int(answer[:3]) >= 400) == refused, f"{words}: {answer}"
        return answer

    def asked(self, method: str, path: str, more: str) -> str:
        """The answer to one request, with the fields of the page before."""
        before, fields = (dict(parse_qsl(one, keep_blank_values=True)) for one in (self.query, more))
        if method == "POST":
            return self.fetched(method, path, self.query, urlencode({"ply": self.ply, "query": self.query} | fields))
        kept = {} if path.startswith("/") else before
        return self.fetched(method, path.removeprefix("/"), urlencode(kept | fields))

    def fetched(self, method: str, path: str, query: str, body: str = "") -> str:
        """What a browser shows at an address: it follows redirects."""
        where = path if path.startswith("/") else f"/{TOKEN}/{path}"
        status, headers, text = ask(self.app, f"{where}?{query}", method, body)
        if status == 303:
            where, _, self.query = headers["location"].removeprefix(f"/{TOKEN}/").partition("?")
            return self.fetched("GET", where, self.query)
        if "table" in path:
            found = re.search(r'name="?ply"? value="?(\d+)', text)
            self.ply = found[1] if found else ""
        kind = headers["content-type"].partition(";")[0]
        if kind == "text/event-stream":
            events = re.findall(r"(?m)^data: (.*)$", text)
            return f"{status} {len(events)} events\n{json_text(json.loads(events[-1]))}"
        shown = {"text/html": page_text, "application/json": lambda text: json_text(json.loads(text))}
        return f"{status} {kind}\n{shown.get(kind, printed)(text)}"


class PythonPlayer(Player):
    """Plays lines of Python, which share their names."""

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[str, Any] = {"houle": houle}

    def command(self, words: str, interrupts: int, refused: bool) -> Iterator[str]:
        values: list[Any] = []
        with mock.patch.object(sys, "displayhook", values.append):
            try:
                exec(compile(words, "line", "single"), self.names)
            except (TypeError, ValueError) as fault:  # also InputError
                if not refused:
                    raise
                yield f"{type(fault).__name__}: {fault}"
            else:
                assert not refused, words
        for value in values:
            yield json_text(value) if isinstance(value, (dict, list)) else "" if value is None else printed(str(value))


class interrupted:  # noqa: N801
    """Sends Ctrl-C so often as soon as games are counted."""

    def __init__(self, times: int) -> None:
        self.times = times

    def __enter__(self) -> None:
        if self.times:
            self.patch = mock.patch.object(GamesProgress, "__call__", self.telling(GamesProgress.__call__))
            self.patch.start()

    def telling(self, call: Callable[..., None]) -> Callable[..., None]:
        def told(progress: GamesProgress, done: int, seconds: float) -> None:
            call(progress, done, seconds)  # from now on Ctrl-C keeps what is done
            for _ in range(self.times if done else 0):
                signal.raise_signal(signal.SIGINT)

        return told

    def __exit__(self, *_: object) -> None:
        if self.times:
            self.patch.stop()


def files_now() -> dict[Path, tuple[int, int]]:
    """The files of the folder, each with what shows that it changed."""
    found = [path for path in Path().rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in found}
