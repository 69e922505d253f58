"""`houle players`: who can play a game, and how each of these players was made."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from houle.cli.framework import options, text
from houle.cli.framework.command import Call, command

if TYPE_CHECKING:
    from houle.analysis.players.read_players import SeatedPlayer
    from houle.solver.rules import Setup


@command()
@options.setup_options
@options.json_option
def players(call: Call) -> None:
    """List the players to simulate, from first game to expert.

    Every command takes these names with -s. Each name means the same player everywhere. You can change a player with
    options in brackets, which are listed below the players. -s level:2.3 plays at a point between two levels, from 0
    (first-game) to 3 (seasoned). Groups that `houle calibrate` saved are players too, and so are the names of weights
    in weights.toml.

    \b
    Examples:
      houle players wave
      houle players wave -p 4 -v nazare
      houle simulate wave -s family
      houle simulate wave -s "thumb[never=swap]"
    """
    from houle.analysis.players.groups import groups
    from houle.analysis.players.named_players import calibration_note, options_explained
    from houle.analysis.players.read_players import players_at
    from houle.analysis.tuning.tune_search import find_expert

    if call.setup.game.has_features:
        find_expert(call.setup)
    setup, seated = call.setup, players_at(call.setup)
    data = {"game": setup.ruleset.name, "players": setup.players, "calibration": calibration_note()}
    data |= {"named": [player.as_json() for player in seated], "options": options_explained()}
    data |= {"groups": [asdict(group) for group in groups().values()]}
    call.print(data, page(setup, seated))


def page(setup: Setup, seated: list[SeatedPlayer]) -> list[str]:
    """A paragraph for each player, then the options, then a note on how far players resemble people."""
    from houle.analysis.players.named_players import calibration_note, options_explained

    lines = [*text.differences(setup), f"{text.setup_title(setup)}: who can play"]
    for one in seated:
        lines += ["", click.style(heading(one), bold=True)]
        facts = {"is": one.player.what, "made": one.player.made, "is not": one.player.is_not, "here": here(one)}
        lines += [text.paragraph(f"{what:<8} {fact}", 2, 9) for what, fact in facts.items() if fact]
    lines += group_lines()
    if not setup.game.has_features:
        more = "Thumb, all levels and searches need rules of thumb: write rules_of_thumb() in the class, or features()."
        return [*lines, "", text.paragraph(more)]
    lines += ["", click.style("Options", bold=True) + ', in brackets: -s "thumb[temperature=300,never=swap]"']
    for name, about in options_explained().items():
        kinds = [one.player.name for one in seated if name in one.options]
        lines.append(text.paragraph(f"{name}  {about} For {', '.join(kinds)}." if kinds else f"{name}  {about}", 2, 6))
    budgets = "Searches come in any size: flat:N imagines the hidden cards N times per move, ismcts:N follows N lines."
    return [*lines, "", text.paragraph(budgets), text.paragraph(calibration_note())]


def group_lines() -> list[str]:
    """The groups that `houle calibrate --name` saved, one line each."""
    from houle.analysis.players.groups import groups
    from houle.analysis.players.named_players import level_words

    lines = []
    for group in groups().values():
        where = f"{level_words(group.level)}, {group.low:.2g} to {group.high:.2g} on the scale"
        made = f"from {text.count_of(group.results, 'result')}"
        lines.append(text.paragraph(f"{group.name} = {group.strategy}  {where}, {made}", 2, 4))
    return ["", click.style("Your groups", bold=True), *lines] if lines else []


def heading(one: SeatedPlayer) -> str:
    """`expert = flat:50`."""
    player = one.player
    return player.name if player.name == player.strategy else f"{player.name} = {player.strategy}"


def here(one: SeatedPlayer) -> str:
    """What is special about a player in this setup."""
    if one.missing:
        return f"cannot play: {one.missing}"
    return f"reached {one.reach}" if one.reach else ""
