"""`houle games`: the list of games."""

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
    """List the games, with their numbers of players and variants.

    Games come with houle, with installed packages (entry points of the group houle.games), or from folders that
    --game-path or HOULE_GAMES names. Games that cannot be played are listed with the reason.

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
    outside = [origin for r in rulesets if (origin := home(r.name)).is_outside]
    if outside or broken:
        click.echo()
    for origin in outside:
        click.echo(text.paragraph(f"{origin.name} lives in {origin.origin}"))
    for fault in broken:
        click.echo(text.paragraph(f"{fault.name} ({fault.origin}) cannot be played: {fault.problem}"))
    click.echo("\n" + text.paragraph("Variants can be combined: -v a+b. `houle rules GAME` shows all rules of a game."))


def _unfit() -> list[Broken]:
    """Games from packages and folders whose rules can be read but whose code cannot be imported."""
    broken = []
    for name in game_names():
        origin = home(name)
        try:
            if origin.is_outside:
                import_home(origin)
        except InputError as fault:
            broken.append(Broken(name, origin.origin, str(fault).partition("): ")[2]))
    return broken
