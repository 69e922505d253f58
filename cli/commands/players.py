"""`houle players`: who can play a game, and with --fit which of them your own group plays like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import LEVEL_GAMES
from houle.analysis.players.named_players import calibration_note, levels, options_explained
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, analysis_command

if TYPE_CHECKING:
    from houle import Fit
    from houle.analysis.players.fit import PlayedSetup
    from houle.analysis.players.listing import SeatedPlayer
    from houle.solver.rules import Setup

LEAST_GAMES = 100


@analysis_command(
    games=LEVEL_GAMES,
    least=LEAST_GAMES,
    strategies=None,
    figure=False,
    counted="With --fit: how many games to simulate per level.",
)
@click.option(
    "--fit",
    "results",
    multiple=True,
    type=options.FileName(),
    metavar="FILE",
    help="Say which levels the results in this CSV file fit; several are allowed.",
)
def players(call: Call, results: tuple[str, ...]) -> None:
    """List the players to simulate, and find which play like your group.

    Every command takes these names with -s. You can change a player with options in brackets, which are listed below
    the players. -s level:2.3 plays at a point between two levels, from 0 (first-game) to 3 (seasoned).

    A file for --fit has one game per row. The column `result` has win, loss or the score. The columns `players`,
    `variant` and `rules` (a rules file) say what was played, where it differs from the options. Where players compete,
    give the score of one of them, or wins against others: `seats` has the seats of your group, as in 1+2, and `others`
    who plays the other seats. `houle play --results` writes such a file.

    \b
    Examples:
      houle players wave
      houle players wave -p 3 --fit results.csv
      houle simulate wave -s "thumb[never=swap]"
    """
    if results:
        result = call.play(houle.fit, call.setup, results)
        call.show(
            result,
            fit_page(result),
            [*text.differences(call.setup), f"{text.setup_title(call.setup)}; {text.INTERVALS}"],
        )
        return
    if call.files or call.dry_run:
        raise click.UsageError(f"{'-o' if call.files else '--dry-run'}: only with --fit", call.ctx)

    from houle.analysis.players.find_expert import find_expert
    from houle.analysis.players.listing import players_at

    if call.setup.game.has("features"):
        find_expert(call.setup)
    setup, seated = call.setup, players_at(call.setup)
    data = {"game": setup.ruleset.name, "players": setup.players, "calibration": calibration_note()}
    data |= {"named": [player.as_json() for player in seated], "options": options_explained()}
    call.print(data, page(setup, seated))


def fit_page(result: Fit) -> list[str]:
    """The answer, then what each level reaches in every setup and how well the results fit it."""
    lines = [text.labelled("verdict", line) for line in (result.sentence, result.by_setup, result.needed) if line]
    for one in result.played:
        lines += ["", f"{text.count_of(one.results.number, 'result')}: {one.title}", level_table(one)]
    if len(result.played) > 1:
        rows = [[level.name, *fit_cells(fit)] for level, fit in zip(levels(), result.fits, strict=True)]
        lines += ["", f"all {result.number:,} results", text.columns(["level", "fit", "that is"], rows, right=(1,))]
    lines += ["fit: how often this level's own results are as far from its usual ones, or farther", ""]
    about = f"set by hand; to see what each is: houle players {result.setup.ruleset.name}"
    return [*lines, text.labelled("levels", about)]


def level_table(one: PlayedSetup) -> str:
    """What people and each level reach in a setup, and how well each level fits."""
    rows = [["yours", *map(text.cell, one.own), "", ""]]
    for place, level in enumerate(levels()):
        reached = map(text.cell, (one.win(place), one.score(place)))
        rows.append([level.name, *reached, *fit_cells(one.fits[place])])
    heads = ["player", "wins", one.setup.score.replace("_", " "), "fit", "that is"]
    shown = [at for at in range(len(heads)) if any(row[at] for row in rows)]
    return text.columns([heads[at] for at in shown], [[row[at] for at in shown] for row in rows], right=range(1, 9))


def fit_cells(fit: float) -> list[str]:
    """How well a level fits, and whether it is ruled out."""
    from houle.analysis.stats.simulated_test import FITS

    return [f"{fit:.1%}", "fits" if fit >= FITS else "ruled out"]


def page(setup: Setup, seated: list[SeatedPlayer]) -> list[str]:
    """A paragraph for each player, then the options, then a note on how far players resemble people."""
    lines = [*text.differences(setup), f"{text.setup_title(setup)}: who can play"]
    for one in seated:
        lines += ["", click.style(heading(one), bold=True)]
        facts = {"is": one.player.what, "made": one.player.made, "is not": one.player.is_not, "here": here(one)}
        lines += [text.paragraph(f"{what:<8} {fact}", 2, 9) for what, fact in facts.items() if fact]
    if not setup.game.has("features"):
        more = "Thumb, all levels and searches need rules of thumb: write rules_of_thumb() in the class, or features()."
        return [*lines, "", text.paragraph(more)]
    lines += ["", click.style("Options", bold=True) + ', in brackets: -s "thumb[temperature=300,never=swap]"']
    for name, about in options_explained().items():
        kinds = [one.player.name for one in seated if name in one.options]
        lines.append(text.paragraph(f"{name}  {about} For {', '.join(kinds)}." if kinds else f"{name}  {about}", 2, 6))
    budgets = "Searches come in any size: flat:N imagines the hidden cards N times per move, ismcts:N follows N lines."
    return [*lines, "", text.paragraph(budgets), text.paragraph(calibration_note())]


def heading(one: SeatedPlayer) -> str:
    """`expert = flat:50`."""
    player = one.player
    return player.name if player.name == player.strategy else f"{player.name} = {player.strategy}"


def here(one: SeatedPlayer) -> str:
    """What is special about a player in this setup."""
    if one.missing:
        return f"cannot play: {one.missing}"
    return f"reached {one.reach}" if one.reach else ""
