"""`houle demo`: a first report, and what to try next."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import click

from houle.cli.commands.report import write_game
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, command
from houle.cli.framework.files import check_folder
from houle.cli.framework.progress import SectionsProgress
from houle.cli.warm import warm_halves
from houle.solver.rules import game_names, load


@command()
@options.out_folder_option(" (default: out/demo)")
@options.quiet_option
def demo(call: Call) -> None:
    """Write a first report on a game, and say what to try next.

    \b
    Example:
      houle demo
    """
    folder = Path(call.out or os.path.join("out", "demo"))
    check_folder("-o", str(folder))
    game = game_names()[0]
    start = time.perf_counter()
    click.echo(f"Writing a quick report on {load(game).title} with all variants and numbers of players.")
    click.echo("The first time takes two or three minutes, because kernels are compiled.")
    warm_halves(game)  # two processes compile faster than the report alone
    with SectionsProgress(call.quiet) as progress:
        page = write_game(options.Asked(game), "quick", call.seed, call.threads, folder, progress)
    click.echo(f"\nsaved {page}  ({text.duration(time.perf_counter() - start)})")
    click.echo(f"open  {page.resolve().as_uri()}")
    click.echo(f"tables (CSV) are in {folder / 'tables'}, figures in {folder / 'figures'}")
    click.echo(f"play  {_program()} play {game}   (in the browser; with --text in this terminal)")


def _program() -> str:
    """The command `houle` as you can type it in this folder."""
    beside = Path(sys.executable).with_name("houle")
    return os.path.relpath(beside) if beside.exists() else "houle"
