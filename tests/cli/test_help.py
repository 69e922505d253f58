"""Help pages: each fits one screen, and all together print few options."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from houle.cli.main import houle
from tests.support.call import helped

pytestmark = pytest.mark.quick

LINES = 40  # of a screen
FLAGS = 280  # of all pages together


def pages(command: click.Command = houle, *words: str) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """The words and the help of every command and subcommand."""
    yield words, helped(*words).splitlines()
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from pages(below, *words, name)


def test_every_help_fits_one_screen() -> None:
    long = {" ".join(words): len(lines) for words, lines in pages() if len(lines) > LINES}
    assert long == {}


def test_help_pages_print_few_options() -> None:
    flags = {
        " ".join(words): sum(line.startswith("  -") for line in lines[lines.index("Options:") :])
        for words, lines in pages()
    }
    assert sum(flags.values()) <= FLAGS, flags
