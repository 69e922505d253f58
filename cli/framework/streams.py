"""stdin, stdout and stderr: made usable if closed or of another charset; errors and warnings are one line on stderr."""

from __future__ import annotations

import os
import re
import sys
import warnings
from contextlib import suppress
from typing import IO, Any

import click

from houle.solver.texts import visible

MOST_LETTERS = 2_000  # of an error message
LONGEST_WORD = 400


def prepare() -> bool:
    """Makes the streams usable; False if stdout is closed, so that nothing can be shown."""
    shown = sys.stdout is not None
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            # Otherwise the next file that is opened gets this number, and is written to as if it were the stream.
            void = os.open(os.devnull, os.O_RDWR)
            if void != number:
                os.dup2(void, number)
                os.close(void)
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # A character that the charset lacks must not end a run.
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")
    warnings.showwarning = _show_warning
    return shown


def complain(problem: str) -> None:
    """Prints an error as one line on stderr, shortened, without control characters."""
    line = re.sub(rf"\S{{{LONGEST_WORD},}}", lambda match: f"{match[0][:100]}...{match[0][-20:]}", _line(problem))
    if len(line) > MOST_LETTERS:
        line = f"{line[: MOST_LETTERS - 500]} ... {line[-500:]}"  # the end says what is allowed
    with suppress(OSError, ValueError):  # stderr is full or closed: the exit code must do
        click.echo(f"houle: {line}", err=True)


def flush() -> None:
    """Writes what is buffered; if that fails, drops it and raises OSError."""
    try:
        sys.stdout.flush()
    except OSError:
        discard()
        raise


def discard() -> None:
    """Drops what is buffered for stdout, so that the interpreter reports no error when it ends."""
    with suppress(OSError, ValueError):
        void = os.open(os.devnull, os.O_WRONLY)
        os.dup2(void, sys.stdout.fileno())
        os.close(void)


def _line(text: str) -> str:
    return visible(" ".join(text.split()))


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: IO[str] | None = None,
    line: str | None = None,
) -> Any:
    """Shows the first line of a library's warning, without its source code."""
    complain(f"warning: {(str(message).splitlines() or [category.__name__])[0]}")


SYSTEM = 1  # the disk is full, the pipe is closed, memory is short
BAD_INPUT = 2
INTERRUPTED = 130


class Interrupted(BaseException):
    """Ctrl-C: says after `houle: interrupted` what is kept and how to go on. The command ends with this exit code."""

    def __init__(self, kept: str = " before there was a result; nothing was written", code: int = INTERRUPTED) -> None:
        super().__init__(kept)
        self.code = code
