"""`houle position`: what a player knows at a decision, as text that you can edit."""

from __future__ import annotations

import click

from houle.cli.framework import options
from houle.cli.framework.advice import asked_position, put_position
from houle.cli.framework.command import Call, command


@command()
@options.setup_options
@options.strategy_option
@options.position_options
@click.option("--no-moves", is_flag=True, help="Leave out the moves so far.")
@click.option("--toml", "as_toml", is_flag=True, help="Print TOML instead of text.")
@options.language_option
@options.json_option
@options.out_file_option(".txt", ".toml", ".json")
def position(call: Call, where: str | None, given: str | None, no_moves: bool, as_toml: bool, language: str) -> None:
    """Write a position as text: what the player to move knows.

    Take it from a simulated game (--from, as `houle trace` shows it), or check a text of your own (--position). A `?`
    is a card that the player cannot see. With the line `luck` players who choose at random decide as they did in the
    game. `houle advise` reads such a text.

    \b
    Examples:
      houle position wave --from 7/3/5
      houle position wave -v nazare --from 7/3/5 -o here.txt
      houle position wave --position here.txt --json
      houle position wave --from 7/3/5 --language fr
    """
    put_position(call, asked_position(call, where, given, not no_moves), "toml" if as_toml else "text", language)
