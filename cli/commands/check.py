"""`houle check`: whether a game is correct and fair."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from houle.cli.framework import options, text
from houle.cli.framework.command import Call, command
from houle.solver.rules import game_folders
from houle.solver.rules.game_folders import is_plain

if TYPE_CHECKING:
    from houle.solver.invariants.errors import Check

BROKEN = 1  # exit code: a check fails
FEW = 10  # cases of a class; a check with fewer is named


GAMES = 4  # per check


@command()
@options.game_argument()
@click.option(
    "-p",
    "--players",
    type=options.Wholes(1, 99),
    multiple=True,
    callback=options.flat,
    metavar="N",
    help="Check only these numbers of players (default: all, with all variants).",
)
@options.games_option(GAMES, most=10_000, help="How many games to play per check.")
@options.seed_option
@click.option(
    "--bounds", is_flag=True, help="Also check every array index; this compiles the game again and takes minutes."
)
@options.json_option
def check(call: Call, game: str, players: tuple[int, ...], bounds: bool) -> None:
    """Check that a game is correct and fair.

    GAME is the name of a game, the folder of a game that is not installed, or the file of a class. The checks: the fast
    version agrees with the plain one, games end, no card gets lost, the same seed gives the same game, players never
    see hidden cards, and random moves and imagined cards are uniform. A failure names the setup, seed, game and move;
    the last line names the checks that could not run. The exit code is 1 if a check fails.

    \b
    Examples:
      houle check my-game
      houle check ./my_game -p 3 -n 20
      houle check my_game.py -p 3
      houle check wave --bounds
    """
    from houle.analysis.checks.check import check_game

    name = game
    if Path(game).is_dir():
        game_folders.look_in(game)
        name = Path(game).resolve().name.replace("_", "-")

    begun: list[str] = []

    def announce(invariant: str) -> None:
        if sys.stderr.isatty() and not call.silent:
            click.echo(f"  {invariant} ...", err=True)
        elif not begun and not call.silent and not is_plain(game):  # classes are not compiled
            click.echo(f"checking {name}; this takes minutes if it is not compiled yet", err=True)
        begun.append(invariant)

    checks = check_game(name, players, call.games or GAMES, call.seed, bounds=bounds, started=announce)
    failed = [one for one in checks if one.verdict == "FAILED"]
    rows = [{"check": one.name, "verdict": one.verdict, "number": one.number, "words": one.words} for one in checks]
    call.print({"game": name, "seed": call.seed, "failed": len(failed), "checks": rows}, page(name, checks))
    if failed:
        call.ctx.exit(BROKEN)


def page(name: str, checks: list[Check]) -> list[str]:
    """One line per check, and below what failed."""
    picks: text.Picks = [("check", "name"), ("verdict", "verdict"), ("cases", lambda one: one.number or None)]
    lines = [text.table(checks, picks), ""]
    for words in dict.fromkeys(one.words for one in checks if one.words):
        names = ", ".join(one.name for one in checks if one.words == words)
        lines.append(text.paragraph(f"{names}: {words}", 0, 4))
    failed = sum(one.verdict == "FAILED" for one in checks)
    untested = [one.name for one in checks if one.verdict == "left out"]
    partly = [f"{one.name}, in some setups" for one in checks if one.verdict == "passed" and one.words]
    if failed:
        return [*lines, *([""] if lines[-1] else []), f"{name} fails {text.count_of(failed, 'check')}"]
    which = " that could run" if untested else " that apply to a class" if is_plain(name) else ""
    ran = f"all {len(checks) - len(untested)} checks{which}"
    rest = f"; not tested: {', '.join([*untested, *partly])}" if untested or partly else ""
    few = [f"{one.name} ({one.number})" for one in checks if one.verdict == "passed" and one.number < FEW]
    rest += f"; few cases, so add -n 10: {', '.join(few)}" if few and is_plain(name) else ""
    return [*lines, *([""] if lines[-1] else []), text.paragraph(f"{name} passes {ran}{rest}", 0, 4)]
