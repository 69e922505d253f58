"""`houle demo`: first numbers within seconds, a first report within about a minute, and what to try next."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import click

import houle
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.cli.commands.report import write_game
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, command
from houle.cli.framework.files import check_folder
from houle.cli.framework.progress import SectionsProgress
from houle.cli.waiting import FAMILIES, Compiling, compile_families, time_left, without_compiler
from houle.reports.effort import DEMO
from houle.solver.rules import game_names, make_setup

PLAYERS = 3
FIRST = 20  # games of players that follow rules of thumb, in a process without the compiler
GAMES = 4_000  # of families


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
    first_games = without_compiler(
        "simulate", game, "-p", str(PLAYERS), "-s", "thumb", "-n", str(FIRST), "--json", stdout=subprocess.PIPE
    )
    from houle.cli.warm import is_warm

    compiling = None if is_warm(game) else Compiling(game)
    try:
        with SectionsProgress(call.quiet) as progress:
            if compiling is not None:
                click.echo(f"Compiling it for this machine, only once: {time_left(game, FAMILIES)}. Meanwhile:")
                say(f"Players that follow rules of thumb only win {_win_rate(first_games).text()} of {FIRST} games")
                compile_families(game)
            families = houle.difficulty(setup, strategies=["family"], games=GAMES, alone=True, threads=call.threads)
            say(f"Families win {families.levels[0].value.text()} of {GAMES:,} games")
            asked = options.Asked(game, (PLAYERS,), ("base",))
            if compiling is not None:
                compiling.wait()  # the report needs all kernels of the game
            words = [*asked.words(), "--effort", DEMO, "--seed", str(call.seed)]
            page = write_game(
                asked, folder, effort=DEMO, seed=call.seed, threads=call.threads, progress=progress, command_words=words
            )
    finally:
        first_games.kill()  # no effect on one that has ended
        if compiling is not None:
            compiling.end()
    click.echo(f"\nsaved {page}  ({text.duration(time.perf_counter() - start)})")
    click.echo(f"open  {page.resolve().as_uri()}")
    program = _program()
    click.echo("\nWhat to try next:")
    click.echo(f"  {program} play {game}             play it in the browser, with hints")
    click.echo(f"  {program} studio {game}           turn its rules and watch the difficulty move")
    click.echo(f"  {program} report {game} --effort quick   the report with all variants, in some minutes")


def _win_rate(first_games: subprocess.Popen[str]) -> Estimate:
    """How often the players of the first games win."""
    out, _ = first_games.communicate()
    return Estimate(**json.loads(out)["sides"][0]["win"], unit=PERCENT)


def _program() -> str:
    """The command `houle` as you can type it in this folder."""
    beside = Path(sys.executable).with_name("houle")
    return os.path.relpath(beside) if beside.exists() else "houle"
