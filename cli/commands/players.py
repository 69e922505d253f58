"""`houle players`: who can play a game, what each of them is, how it was made and what it is not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from houle import analysis
from houle.cli.framework import options, text

if TYPE_CHECKING:
    from houle.analysis.sampling.players import SeatedPlayer
    from houle.solver.ruleset import Setup


@click.command()
@options.setup_options
@options.json_option
def players(asked: options.Asked, as_json: bool) -> None:
    """Who plays GAME: every named player, and what it is not.

    A name stands for the same player in every command and at every effort of a report. -s takes the names, and any
    strategy of one's own: a kind, a number where it searches, and options in brackets.

    \b
    Examples:
      houle players wave
      houle players wave -p 4 -v nazare
      houle simulate wave -s searcher -n 100
      houle simulate wave -s "thumb[slips=seldom]"
    """
    setup = asked.setup()
    seated = analysis.players_at(setup)
    if as_json:
        data = {"game": setup.ruleset.name, "players": setup.players, "calibration": analysis.calibration()}
        named = [player.as_json() for player in seated]
        click.echo(json.dumps({**data, "named": named, "options": analysis.options_explained()}, indent=2))
        return
    click.echo("\n".join(page(setup, seated)))


def page(setup: Setup, seated: list[SeatedPlayer]) -> list[str]:
    """Every player in a paragraph, then the options, then what no player is calibrated to."""
    lines = [*text.differences(setup), f"{text.table_line(setup)}: who can play"]
    for one in seated:
        lines += ["", click.style(heading(one), bold=True)]
        facts = {"is": one.player.what, "made": one.player.made, "is not": one.player.is_not, "here": here(one)}
        lines += [text.paragraph(f"{what:<8} {fact}", 2, 9) for what, fact in facts.items() if fact]
    lines += ["", click.style("Options", bold=True) + ', in brackets: -s "thumb[temperature=300,never=swap]"']
    for name, about in analysis.options_explained().items():
        kinds = [one.player.name for one in seated if name in one.options]
        lines.append(text.paragraph(f"{name}  {about} For {', '.join(kinds)}." if kinds else f"{name}  {about}", 2, 6))
    budgets = "A search of another size is another player: flat:N imagines N deals a move, ismcts:N follows N lines."
    return [*lines, "", text.paragraph(budgets), text.paragraph(analysis.calibration())]


def heading(one: SeatedPlayer) -> str:
    """`searcher = flat:50`."""
    player = one.player
    return player.name if player.name == player.strategy else f"{player.name} = {player.strategy}"


def here(one: SeatedPlayer) -> str:
    """What is to be said of a player at this table alone."""
    if one.missing:
        return f"cannot play: {one.missing}"
    heat = f"temperature {one.temperature:g}" if one.temperature is not None else ""
    return "; ".join(filter(None, [heat, f"reached {one.reach}" if one.reach else ""]))
