"""`houle check`: whether a game can be trusted."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from houle.cli.framework import options, text
from houle.solver.ruleset import homes

if TYPE_CHECKING:
    from houle.analysis.checks.check import Check

BROKEN = 1  # exit code: a law does not hold


@click.command()
@click.argument("game")
@click.option("-p", "--players", type=options.Whole(1, 99), multiple=True, metavar="N",
              help="Only tables with so many players; all of them and every variant by default.")  # fmt: skip
@click.option("-n", "--games", type=options.Whole(1, 10_000), default=4, show_default=True, metavar="N",
              help="Games of each table for each law.")  # fmt: skip
@options.seed_option
@click.option("--bounds", is_flag=True, help="Also check every index, which compiles the game anew: minutes.")
@options.json_option
def check(game: str, players: tuple[int, ...], games: int, seed: int, bounds: bool, as_json: bool) -> None:
    """Hold GAME against the laws that every game obeys.

    GAME is a name, or the folder of a game that is not installed. Its kernels are stepped beside its plain version;
    games end, nothing is lost, a seed repeats itself, imagined worlds and players know no hidden card, worlds and
    random moves are uniform, and all of it is the same without the compiler. A failure names the table, seed, game, ply
    and what differs. Exit code 1 where something fails.

    \b
    Examples:
      houle check my-game
      houle check ./my_game -p 3 -n 20
      houle check wave --bounds
    """
    from houle.analysis.checks.check import check_game

    name = game
    if Path(game).is_dir():
        homes.look_in(game)
        name = Path(game).resolve().name.replace("_", "-")

    def told(invariant: str) -> None:
        if sys.stderr.isatty() and not as_json:
            click.echo(f"  {invariant} ...", err=True)

    found = check_game(name, players, games, seed, bounds, told)
    failed = [one for one in found if one.verdict == "FAILED"]
    if as_json:
        rows = [{"check": one.name, "verdict": one.verdict, "number": one.number, "words": one.words} for one in found]
        click.echo(json.dumps({"game": name, "seed": seed, "failed": len(failed), "checks": rows}, indent=2))
    else:
        click.echo("\n".join(page(name, found)))
    if failed:
        click.get_current_context().exit(BROKEN)


def page(name: str, found: list[Check]) -> list[str]:
    """A line a law; what failed is told below."""
    rows = [[one.name, one.verdict, f"{one.number:,}" if one.number else ""] for one in found]
    lines = [text.columns(["law", "verdict", "looked at"], rows, right=(2,)), ""]
    for one in found:
        if one.words:
            lines.append(text.paragraph(f"{one.name}: {one.words}", 0, 4))
    failed = sum(one.verdict == "FAILED" for one in found)
    verdict = f"{name} obeys all of them" if not failed else f"{name} breaks {text.plural(failed, 'law')}"
    return [*lines, *([""] if lines[-1] else []), verdict]
