"""`houle games`: what can be played."""

from __future__ import annotations

import json

import click

from houle.cli.framework import text
from houle.cli.framework.options import json_option
from houle.solver.ruleset import game_names, load


@click.command()
@json_option
def games(as_json: bool) -> None:
    """List the games, with their players and variants.

    \b
    Example:
      houle games
    """
    rulesets = [load(name) for name in game_names()]
    if as_json:
        listed = [
            {
                "game": ruleset.name,
                "title": ruleset.title,
                "about": ruleset.about,
                "players": list(ruleset.players),
                "variants": list(ruleset.variants),
                "score": ruleset.score,
            }
            for ruleset in rulesets
        ]
        click.echo(json.dumps(listed, indent=2))
        return
    rows = [[r.name, r.title, text.span(r.players), ", ".join(r.variants) or "none", r.about] for r in rulesets]
    click.echo(text.columns(["game", "title", "players", "variants", "about"], rows, flexible=(3, 4)))
    click.echo("\n" + text.paragraph("Variants combine: -v a+b. `houle rules GAME` shows every rule of a game."))
