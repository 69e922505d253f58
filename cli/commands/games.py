"""`houle games`: what can be played."""

from __future__ import annotations

import json

import click

from houle.cli.framework import text
from houle.cli.framework.options import json_option
from houle.solver.errors import InputError
from houle.solver.ruleset import Broken, broken_games, game_names, home, load
from houle.solver.ruleset.homes import import_home


@click.command()
@json_option
def games(as_json: bool) -> None:
    """List the games, with their players and variants.

    Games live in houle, in packages that bring one (entry points of the group houle.games), and in folders named by
    --game-path or HOULE_GAMES. What cannot be played is listed with the reason.

    \b
    Examples:
      houle games
      houle games --game-path my-game
    """
    broken = [*broken_games(), *_unfit()]
    rulesets = [load(name) for name in game_names() if name not in {fault.name for fault in broken}]
    if as_json:
        listed = [
            {
                "game": ruleset.name,
                "title": ruleset.title,
                "about": ruleset.about,
                "players": list(ruleset.players),
                "variants": list(ruleset.variants),
                "score": ruleset.score,
                "from": home(ruleset.name).origin,
            }
            for ruleset in rulesets
        ]
        listed += [{"game": fault.name, "from": fault.origin, "problem": fault.problem} for fault in broken]
        click.echo(json.dumps(listed, indent=2))
        return
    rows = [[r.name, r.title, text.span(r.players), ", ".join(r.variants) or "none", r.about] for r in rulesets]
    click.echo(text.columns(["game", "title", "players", "variants", "about"], rows, flexible=(3, 4)))
    outside = [found for r in rulesets if (found := home(r.name)).is_outside]
    if outside or broken:
        click.echo()
    for found in outside:
        click.echo(text.paragraph(f"{found.name} lives in {found.origin}"))
    for fault in broken:
        click.echo(text.paragraph(f"{fault.name} ({fault.origin}) cannot be played: {fault.problem}"))
    click.echo("\n" + text.paragraph("Variants combine: -v a+b. `houle rules GAME` shows every rule of a game."))


def _unfit() -> list[Broken]:
    """Games from outside whose rules can be read and whose code cannot be used; those of the house are not tried."""
    found = []
    for name in game_names():
        place = home(name)
        try:
            if place.is_outside:
                import_home(place)
        except InputError as fault:
            found.append(Broken(name, place.origin, str(fault).partition("): ")[2]))
    return found
