"""The process's own streams: closed, full or of another charset; complaints and warnings as one line on stderr."""

from __future__ import annotations

import os
import re
import sys
import warnings
from contextlib import suppress
from typing import IO, Any

import click

from houle.solver.ruleset.texts import visible

MOST_LETTERS = 2_000  # of a complaint
LONGEST_WORD = 400


def prepare() -> bool:
    """Makes the streams usable, whatever the caller left of them; False where nothing could be shown."""
    shown = sys.stdout is not None
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            # The next file that is opened would get the free number, and be written to as if it were the stream.
            void = os.open(os.devnull, os.O_RDWR)
            if void != number:
                os.dup2(void, number)
                os.close(void)
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # A charset without some letter of a name must not end a run.
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")
    warnings.showwarning = _show_warning
    return shown


def complain(problem: str) -> None:
    """One line on stderr, of a length that can be read, without anything that a terminal obeys."""
    line = re.sub(rf"\S{{{LONGEST_WORD},}}", lambda match: f"{match[0][:100]}...{match[0][-20:]}", _line(problem))
    if len(line) > MOST_LETTERS:
        line = f"{line[: MOST_LETTERS - 500]} ... {line[-500:]}"  # what is allowed stands at the end
    with suppress(OSError, ValueError):  # stderr is full or closed: the exit code must do
        click.echo(f"houle: {line}", err=True)


def flush() -> None:
    """What is still buffered; raises OSError where it cannot be written, and then drops it."""
    try:
        sys.stdout.flush()
    except OSError:
        discard()
        raise


def discard() -> None:
    """Lets what is buffered for stdout vanish, so that the interpreter does not complain when it ends."""
    with suppress(OSError, ValueError):
        void = os.open(os.devnull, os.O_WRONLY)
        os.dup2(void, sys.stdout.fileno())
        os.close(void)


def _line(text: str) -> str:
    return visible(" ".join(text.split()))


def _show_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int,
    file: IO[str] | None = None, line: str | None = None,
) -> Any:  # fmt: skip
    """A library's warning: its first line, without the code it came from."""
    complain(f"warning: {(str(message).splitlines() or [category.__name__])[0]}")
