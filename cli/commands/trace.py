"""`houle trace`: one game move by move, with the real names of the cards, to be checked by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from houle import analysis
from houle.analysis.result import shown_side
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.cli.framework import options, text
from houle.cli.framework.files import check_file, write_text

if TYPE_CHECKING:
    from houle.analysis import Trace
    from houle.analysis.sampling.trace import Ply
    from houle.solver.ruleset import Setup

MOST_INDEX = 2**62
ENDINGS = (".json", ".txt")


@click.command()
@options.setup_options
@options.strategy_option
@options.seed_option
@click.option(
    "--game", "index", type=options.Whole(0, MOST_INDEX), default=0, metavar="N", help="Which game of the seed."
)
@options.json_option
@click.option("-o", "--out", type=click.Path(), metavar="FILE", help="Also write it: .json or .txt.")
def trace(
    asked: options.Asked, strategy: tuple[str, ...], seed: int, index: int, as_json: bool, out: str | None
) -> None:
    """Replay one game of GAME move by move.

    The table, who moves, what was possible, what was done. Game N of a seed is the game that `simulate` counts under
    that number. The thumb plays unless -s says otherwise.

    \b
    Examples:
      houle trace wave --seed 7 --game 3
      houle trace wave -v nazare --seed 7 --game 3 --json
      houle trace sea-change -p 4 -s random --seed 7
    """
    check_file("-o", out, ENDINGS)
    setup = asked.setup()
    played = analysis.trace(setup, strategies=strategy or None, seed=seed, game=index)
    page = "\n".join([*page_lines(played), f"repeat   {played.repeat(asked.words(setup))}"]) + "\n"
    data = json.dumps(played.as_json(), indent=2) + "\n"
    if out:
        write_text(out, data if out.endswith(".json") else page)
    click.echo(data if as_json else page, nl=False)


def page_lines(played: Trace) -> list[str]:
    """The start, every move with the table after it, and the end. Seats of the game's own texts count from 1 here."""
    setup = played.setup
    who = played.strategies[0] if len(set(played.strategies)) == 1 else ", ".join(played.strategies)
    where = f"{text.table_line(setup)}; seed {played.seed}, game {played.game}, strategy {who}"
    lines = [*text.differences(setup), where, "", _table(played.shown)]
    for ply in played.plies:
        lines += ["", _move(ply), _table(ply.shown)]
    return [*lines, "", ending(setup, played.result), *text.notes(setup.notes)]


def _table(shown: str) -> str:
    """The table as the game shows it, below the number of the move."""
    lines = shown_side(shown).splitlines()
    return "\n".join(text.paragraph(line.strip(), 5 + len(line) - len(line.lstrip()), 4) for line in lines)


def _move(ply: Ply) -> str:
    """Who moves and what, then what else was possible."""
    hand = "" if ply.acting == ply.seat else f" (with the hand of seat {ply.acting + 1})"
    line = f"{ply.number:>3}  seat {ply.seat + 1}{hand}: {shown_side(ply.action)}"
    others = [shown_side(name) for name in dict.fromkeys(ply.possible) if name != ply.action]
    if not others:
        return line + "  (nothing else was possible)"
    return line + "\n" + text.paragraph(f"instead of: {', '.join(others)}", 5, 4)


def ending(setup: Setup, result: dict[str, Any]) -> str:
    rows = []
    for side, (name, _) in enumerate(setup.game.side_names(setup)):
        share = result["shares"][side]
        verdict = "no" if share == 0 else "yes" if share == WHOLE_WIN else f"{share / WHOLE_WIN:.3f} of it"
        rows.append([shown_side(name), str(result["scores"][side]), verdict])
    end = "over, without a winner" if result["drawn"] else "over"
    counts = ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in result["counts"].items())
    return "\n".join([end + ": " + counts, text.columns(["side", setup.score, "won"], rows, right=(1,))])
