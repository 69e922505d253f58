"""`houle difficulty`: how hard a table is, from play at random up to what nobody can beat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import DEALS, SEARCH_DEALS
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, analysis_command
from houle.solver.ruleset import PRINTED_RULES, variant_name

if TYPE_CHECKING:
    from houle import Difficulty

PLAYERS = "none is calibrated to people; what each is, how it was made and what it is not:"


@analysis_command(
    games=DEALS, least=2, unit="deals", strategies="Other players than the usual ones, from the weakest.", dry_run=True
)
@options.search_games_option(SEARCH_DEALS)
@click.option("--alone", is_flag=True, help="Your own rules without the printed ones beside them.")
def difficulty(call: Call, search_games: int, alone: bool) -> None:
    """Say how hard a table of GAME is, and for whom.

    The named players (random, novice, thumb, searcher, reader and the clairvoyant bound; see houle players GAME) on
    the same deals: how often each wins, the rulebook's bands, mean and quantiles of the score. For games that a team
    or a player alone wins or loses. -s gives other players from the weakest. A variant of your own (--rules, --set) is
    played beside the printed rules, on the same deals; --alone leaves those out.

    \b
    Examples:
      houle difficulty wave -p 3
      houle difficulty wave -p 3 --rules my.toml
      houle difficulty wave -p 4 -v nazare -s random,thumb -n 1e5 --figure nazare.png
      houle difficulty vague-attaque -p 1 --search-games 50
    """
    from houle.analysis.difficulty.difficulty import stages_of
    from houle.analysis.sampling.players import shown_player
    from houle.analysis.sampling.timing import time_needed

    beside = False if alone else None
    stages, left_out = stages_of(call.setup, call.strategies, call.games, search_games, beside)
    if call.dry_run:
        names = dict.fromkeys(arm.label for arms, _ in stages for arm in arms if arm.setup is call.setup)
        compared = any(arm.setup is not call.setup for arms, _ in stages for arm in arms)
        click.echo(text.table_line(call.setup) + (", beside the printed rules" if compared else ""))
        click.echo("players: " + ", ".join(shown_player(name) for name in names))
        for name, why in left_out:
            click.echo(f"left out {name}: {why}")
        click.echo(text.needed(time_needed(stages, call.seed, call.threads)))
        return
    number = sum(len(arms) * games for arms, games in stages)
    result = call.play(houle.difficulty, call.setup, search_games=search_games, beside_print=beside, total=number)
    call.tell(result, page(result), head(result))


def head(result: Difficulty) -> list[str]:
    return [*text.differences(result.setup), f"{text.table_line(result.setup)}; seed {result.seed}, 95% intervals"]


def page(result: Difficulty) -> list[str]:
    """Wins and scores of every strategy, then the rulebook's bands, then the verdict."""
    from houle.analysis.sampling.players import shown_player

    score = result.setup.score
    rows = []
    for level in result.levels:
        low, middle, high = (f"{found.value:.0f}" for found in level.quantiles.values())
        row = [
            shown_player(level.strategy),
            f"{level.tally.games:,}",
            text.shown(level.win, True),
            level.word or "the bound",
        ]
        rows.append([*row, text.shown(level.score), f"{low}/{middle}/{high}"])
    heads = ["player", "deals", "wins", "that is", score, "10/50/90%"]
    lines = [text.columns(heads, rows, flexible=(3,), right=(1,)), "", *gains(result), *beside_print(result)]
    bands = result.levels[0].bands if result.levels else ()
    if bands:
        rows = [
            [
                shown_player(level.strategy),
                *(f"{100 * found.value:.1f} ±{100 * found.half:.1f}" for found in level.shares),
            ]
            for level in result.levels
        ]
        lines += [text.columns([f"% with {score}", *(band.label for band in bands)], rows, right=range(1, 9))]
        lines += [text.paragraph("bands    " + "; ".join(f"{band.label} {band.word}" for band in bands), 0, 9), ""]
    lines += [text.paragraph(f"verdict  {line}", 0, 9) for line in result.verdict]
    lines.append(text.paragraph(f"players  {PLAYERS} houle players {result.setup.ruleset.name}", 0, 9))
    lines += [text.paragraph(f"left out {name}: {why}", 0, 9) for name, why in result.left_out]
    return [*lines, *text.finding_lines(result.findings)]


def gains(result: Difficulty) -> list[str]:
    """What each player wins more than the one before, on the same deals; nothing beside the printed rules."""
    from houle.analysis.sampling.players import shown_player

    told = [
        f"{shown_player(level.strategy)} {text.shown(level.gain, True).replace('%', '', 1)}"
        for level in result.levels
        if level.gain is not None
    ]
    return [text.paragraph(f"gains    points more than the player above: {'; '.join(told)}", 0, 9), ""] if told else []


def beside_print(result: Difficulty) -> list[str]:
    """What the same players win by the printed rules, and the difference; nothing where those were not played."""
    from houle.analysis.sampling.players import shown_player

    if result.printed is None:
        return []
    rows = []
    for level in result.levels:
        more = text.shown(level.more, True).replace("%", "", 1)
        name, own = shown_player(level.strategy), text.shown(level.win, True)
        rows.append([name, own, text.shown(level.printed, True), more, level.beside])
    heads = ["wins", variant_name(result.setup), PRINTED_RULES, "points more", "it is"]
    return [text.columns(heads, rows, flexible=(4,)), ""]
