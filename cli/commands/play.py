"""`houle play`: sit down at a table, in the browser or in the terminal."""

from __future__ import annotations

import importlib.util
import os
import secrets
import sys

import click

from houle.analysis.limits import MOST_SEED
from houle.cli.framework import options
from houle.cli.framework.files import check_file
from houle.solver.errors import InputError
from houle.solver.ruleset import game_names
from houle.solver.ruleset.files import read_text

PORT = 8573
PAGE_NEEDS = ("starlette", "uvicorn")
MOST_NEW_SEED = 10**9  # short enough to be read aloud


@click.command()
@options.setup_options
@click.option(
    "--with",
    "others",
    multiple=True,
    metavar="NAME[,NAME...]",
    help="Who sits in the other seats: one for all, or one each; the thumb by default (houle players GAME).",
)
@click.option("--seats", default="1", show_default=True, metavar="N[,N...]", help="Seats of people, from 1; or all.")
@click.option("--seed", type=options.Whole(0, MOST_SEED), metavar="N", help="Names the deal; a new one by default.")
@options.game_number_option
@click.option(
    "--record", type=click.Path(), metavar="FILE", help="Keep the game there, move by move; go on from it: .txt."
)
@click.option("--text", "in_terminal", is_flag=True, help="Play in the terminal, by typed moves.")
@click.option(
    "--port",
    type=options.Whole(0, 65535),
    default=PORT,
    show_default=True,
    metavar="N",
    help="Of the local page; another one is taken where it is not free, 0 for any.",
)
@click.option("--no-open", is_flag=True, help="Do not open a browser, only say the address.")
def play(
    asked: options.Asked,
    others: tuple[str, ...],
    seats: str,
    seed: int | None,
    index: int,
    record: str | None,
    in_terminal: bool,
    port: int,
    no_open: bool,
) -> None:
    """Play GAME: a table in the browser, or with --text in the terminal.

    You sit in seat 1 unless --seats says otherwise; several people share one screen, and hands are covered between
    them. Other seats are players by name. A new deal has a new seed; the same seed is the same deal, and the players
    reply to the same moves with the same ones.

    GAME may also be a link of a table, as the page shows it, or the file of a record: the game goes on from there.

    \b
    Examples:
      houle play wave
      houle play wave -p 3 -v virage --with thumb
      houle play land-unter --seats 1,2 --with novice --record game.txt
      houle play sea-change --text --seed 7
      houle play game.txt
    """
    from houle.analysis.play import start  # loads the compiler

    check_file("--record", record, (".txt",))
    new = secrets.randbelow(MOST_NEW_SEED) if seed is None else seed
    link = asked.game if "game=" in asked.game else ""
    file = asked.game if asked.game not in game_names() and os.path.isfile(asked.game) else ""
    if (link or file) and (asked.players or asked.variants or asked.settings or asked.files or seed is not None):
        raise InputError("play: a link or a record says itself which table it is")
    if link:
        sitting = start.of_link(link)
    elif file:
        sitting = start.of_record(read_text(file), seats, others)
    elif record and os.path.isfile(record):
        sitting = start.of_record(read_text(record), seats, others, asked.setup())
    else:
        sitting = start.new(asked.setup(), seats, others, new, index)
    if in_terminal:
        from houle.cli.play import terminal

        terminal.play(sitting, record, _typed)
        return
    if missing := [name for name in PAGE_NEEDS if importlib.util.find_spec(name) is None]:
        raise InputError(f"play: the page needs {' and '.join(missing)}: pip install 'houle[play]'; or add --text")
    from houle.cli.play import server

    server.serve(sitting, record or file or None, port, not no_open)


def _typed() -> str | None:
    """A line from the terminal; None at its end."""
    if sys.stdin.isatty():
        click.echo("> ", nl=False)
    line = sys.stdin.readline(10_000)
    return line.strip() if line else None
