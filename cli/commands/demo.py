"""`houle demo`: first numbers within seconds, a first report within about a minute, and what to try next."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

import houle
from houle.cli.commands.report import write_game
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, command
from houle.cli.framework.files import check_folder
from houle.cli.framework.progress import LongRun
from houle.cli.framework.state import ALL, time_left
from houle.cli.framework.streams import Interrupted
from houle.cli.warm import marks, start_halves
from houle.reports.effort import DEMO
from houle.solver.rules import Setup, game_names, make_setup

if TYPE_CHECKING:
    from houle.analysis.stats.estimate import Estimate

PLAYERS = 3
EARLY_GAMES = 20  # uncompiled
GAMES = 4_000  # of families


class SectionLines(LongRun):
    """Prints each section of a report when it begins."""

    def __init__(self, quiet: bool) -> None:
        super().__init__(quiet)
        self.title = ""

    def __call__(self, title: str, number: int, steps: int, share: float, seconds: float) -> None:
        if self.signal:
            raise Interrupted
        if title != self.title and not self.quiet:
            self.title = title
            click.echo(f"  section {number} of {steps}: {title}")


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
    setup = make_setup(game, players=PLAYERS)
    start = time.perf_counter()

    def say(line: str) -> None:
        click.echo(text.paragraph(f"{line} ({text.duration(time.perf_counter() - start)} so far)", 0, 2))

    click.echo(f"{setup.ruleset.title} with {PLAYERS} players: how hard is it, and for whom?")
    compiling = {} if all(mark.exists() for mark in marks(game)) else start_halves(game)
    try:
        with SectionLines(call.quiet) as progress:
            if compiling:
                click.echo(f"Compiling it for this machine, only once: {time_left(game, 0.0, ALL)}. Meanwhile:")
                say(f"Players that follow rules of thumb only win {_early(setup).text()} of {EARLY_GAMES} games")
                for half in compiling.values():  # families think: they need all kernels of the game
                    half.wait()
            families = houle.difficulty(setup, strategies=["family"], games=GAMES, alone=True, threads=call.threads)
            say(f"Families win {families.levels[0].value.text()} of {GAMES:,} games")
            asked = options.Asked(game, (PLAYERS,), ("base",))
            page = write_game(asked, DEMO, call.seed, call.threads, folder, progress)
    finally:
        for process in compiling.values():
            process.kill()  # no effect on one that has ended
    click.echo(f"\nsaved {page}  ({text.duration(time.perf_counter() - start)})")
    click.echo(f"open  {page.resolve().as_uri()}")
    program = _program()
    click.echo("\nWhat to try next:")
    click.echo(f"  {program} play {game}             play it in the browser, with hints")
    click.echo(f"  {program} studio {game}           turn its rules and watch the difficulty move")
    click.echo(f"  {program} report {game} --effort quick   the report with all variants, in some minutes")


def _early(setup: Setup) -> Estimate:
    """How often players that follow the rules of thumb win, from a few games that need no compiler."""
    from houle.analysis.players.line_ups import line_up
    from houle.analysis.sampling.backends import TALLY, Play
    from houle.analysis.sampling.early_games import OtherProcess
    from houle.analysis.stats.intervals import win_rate

    process = OtherProcess(compiled=False)
    try:
        return win_rate(process.play(Play(line_up(setup, "thumb")), 1, 0, EARLY_GAMES, TALLY).tally, 0)
    finally:
        process.end()


def _program() -> str:
    """The command `houle` as you can type it in this folder."""
    beside = Path(sys.executable).with_name("houle")
    return os.path.relpath(beside) if beside.exists() else "houle"
