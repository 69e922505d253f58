"""`houle position`: what a player knows at a decision, as text that you can edit."""

from __future__ import annotations

from pathlib import Path

import click

from houle.cli.framework import options
from houle.cli.framework.files import check_file, write_text
from houle.solver.errors import PositionError

ENDINGS = (".txt", ".toml", ".json")


@click.command()
@options.setup_options
@options.strategy_option
@click.option("--from", "where", metavar="SEED/GAME/PLY", help="The position in this game after PLY moves.")
@click.option("--position", "given", metavar="FILE|-|TEXT", help="Instead: check this position and write it in full.")
@click.option("--no-moves", is_flag=True, help="Leave out the moves so far.")
@click.option("--toml", "as_toml", is_flag=True, help="Print TOML instead of text.")
@options.json_option
@options.out_file_option(".txt, .toml or .json")
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
    """Write a position as text: what the player to move knows.

    Take it from a simulated game (--from, as `houle trace` shows it), or check a text of your own (--position). A `?`
    is a card that the player cannot see. With the line `luck` players who choose at random decide as they did in the
    game. `houle advise` reads such a text.

    \b
    Examples:
      houle position wave --from 7/3/5
      houle position wave -v nazare --from 7/3/5 -o here.txt
      houle position wave --position here.txt --json
    """
    from houle.analysis.advice.positions import find_position, text_of

    check_file("-o", out, ENDINGS)
    if (where is None) == (given is None):
        raise PositionError("position: give either --from SEED/GAME/PLY or --position FILE|-|TEXT")
    known = find_position(asked.setup_or_game(), where, given, strategy or None, not no_moves)
    if out:
        write_text(out, text_of(known, {".txt": "text"}.get(Path(out).suffix, Path(out).suffix[1:])))
    click.echo(text_of(known, "json" if as_json else "toml" if as_toml else "text"), nl=False)
