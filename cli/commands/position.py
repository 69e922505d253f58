"""`houle position`: what a seat knows at a decision, as text that a person can change and hand on."""

from __future__ import annotations

from pathlib import Path

import click

from houle.cli.framework import options
from houle.cli.framework.files import check_file, write_text
from houle.solver.errors import InputError

ENDINGS = (".txt", ".toml", ".json")


@click.command()
@options.setup_options
@options.strategy_option
@click.option("--from", "where", metavar="SEED/GAME/PLY", help="Of this game, after so many moves.")
@click.option("--position", "given", metavar="FILE|-|TEXT", help="Read one instead, and write it in full.")
@click.option("--no-moves", is_flag=True, help="Leave out the moves so far.")
@click.option("--toml", "as_toml", is_flag=True, help="As TOML.")
@options.json_option
@click.option("-o", "--out", type=click.Path(), metavar="FILE", help="Also write it: .txt, .toml or .json.")
def position(
    asked: options.Asked,
    strategy: tuple[str, ...],
    where: str | None,
    given: str | None,
    no_moves: bool,
    as_toml: bool,
    as_json: bool,
    out: str | None,
) -> None:
    """Write what the seat to move knows in GAME, a place a line.

    Of a game that was played (--from: as `trace` shows it, after so many moves), or of a text that is checked and
    written in full (--position). Cards the seat cannot see are `?`. The line `luck` carries the seat's own luck, never
    that of the deal: with it every strategy decides as it did in the game. `houle advise` takes such a text.

    \b
    Examples:
      houle position wave --from 7/3/5
      houle position wave -v nazare --from 7/3/5 -o here.txt
      houle position wave --position here.txt --json
    """
    from houle.analysis.advice.positions import find_position, text_of

    check_file("-o", out, ENDINGS)
    if (where is None) == (given is None):
        raise InputError("position: give either --from SEED/GAME/PLY or --position FILE|-|TEXT")
    found = find_position(asked.table(), where, given, strategy or None, not no_moves)
    if out:
        write_text(out, text_of(found, {".txt": "text"}.get(Path(out).suffix, Path(out).suffix[1:])))
    click.echo(text_of(found, "json" if as_json else "toml" if as_toml else "text"), nl=False)
