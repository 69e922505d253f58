"""`houle games`: the list of games."""

from __future__ import annotations

from typing import Any

from houle.cli.framework import text
from houle.cli.framework.command import Call, command
from houle.cli.framework.options import json_option
from houle.solver.errors import InputError
from houle.solver.rules import Broken, Ruleset, broken_games, find_game, game_names, home, load


@command()
@json_option
def games(call: Call) -> None:
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
    call.print(as_data(rulesets, broken), page(rulesets, broken))


def as_data(rulesets: list[Ruleset], broken: list[Broken]) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = [
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
    return [*listed, *({"game": one.name, "from": one.origin, "problem": one.problem} for one in broken)]


def page(rulesets: list[Ruleset], broken: list[Broken]) -> list[str]:
    """The games, where those from elsewhere live, and which cannot be played."""
    picks: text.Picks = [
        ("game", "name"),
        ("title", "title"),
        ("players", lambda ruleset: text.span(ruleset.players)),
        ("variants", lambda ruleset: ", ".join(ruleset.variants) or "none"),
        ("about", "about"),
    ]
    outside = [origin for ruleset in rulesets if (origin := home(ruleset.name)).is_outside]
    lines = [f"{origin.name} lives in {origin.origin}" for origin in outside]
    lines += [f"{one.name} ({one.origin}) cannot be played: {one.problem}" for one in broken]
    hint = "Variants can be combined: -v a+b. `houle rules GAME` shows all rules of a game."
    lines = [*([""] if lines else []), *lines, "", hint]
    return [text.table(rulesets, picks, flexible=("variants", "about")), *map(text.paragraph, lines)]


def _unfit() -> list[Broken]:
    """Games from packages and folders whose rules can be read but whose code cannot be imported."""
    broken = []
    for name in game_names():
        origin = home(name)
        try:
            if origin.is_outside:
                find_game(name)
        except InputError as fault:
            broken.append(Broken(name, origin.origin, str(fault).partition("): ")[2]))
    return broken
