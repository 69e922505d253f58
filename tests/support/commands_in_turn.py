"""Runs commands one after another in one process: each line of stdin is a JSON list of words.

Each answer is a line with a JSON object: code, out, err. It imports nothing from the tests, so any Python environment
can run it. The start-up and the compiled kernels are loaded only once. `houle play` starts no server here: it prints
the first page of its game.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable
from typing import Any
from unittest import mock

import click
from click.testing import CliRunner, Result

from houle.cli.main import houle

SERVE = "houle.cli.web.server.serve"


def first_page(load: Callable[[str], Any], *_: Any, **__: Any) -> None:
    """In place of a server: prints the page that a table would show first."""
    from houle.analysis.play.table_game import Course
    from houle.cli.play.pages import table_page

    if state := getattr(load("").app, "state", None):
        course = Course(state.pages.first)
        click.echo(table_page(course, {"open": str(course.to_move + 1)}, None))


def run(words: list[str], **facts: Any) -> Result:
    """Runs a command in this process, without a server."""
    if "play" not in words:
        return CliRunner().invoke(houle, words, **facts)
    with mock.patch(SERVE, first_page):
        return CliRunner().invoke(houle, words, **facts)


def main() -> None:
    for line in iter(sys.stdin.readline, ""):
        result = run(json.loads(line), prog_name="houle")
        answer = {"code": result.exit_code, "out": result.stdout, "err": result.stderr}
        if result.exc_info and result.exception and not isinstance(result.exception, SystemExit):
            answer["err"] += "".join(traceback.format_exception(*result.exc_info))
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
