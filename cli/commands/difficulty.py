"""`houle difficulty`: how often each kind of player wins, from random play to the best possible."""

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

PLAYERS = "none of them was compared with people yet; to see what each is:"


@analysis_command(
    games=DEALS, least=2, unit="deals", strategies="Players to show, weakest first (default: all levels).", dry_run=True
)
@options.search_games_option(SEARCH_DEALS)
@click.option("--alone", is_flag=True, help="Leave out the comparison with the printed rules.")
def difficulty(call: Call, search_games: int, alone: bool) -> None:
    """Show how hard a game is, and for whom.

    For games that a team or a single player wins or loses. Players from random to expert play the same deals: how often
    each wins, which scores they reach, and how the rulebook rates these scores. The last row is the most that is
    possible with all cards known. Rules of your own (--rules, --set) are compared with the printed rules.

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
        click.echo(text.setup_line(call.setup) + (", compared with the printed rules" if compared else ""))
        click.echo("players: " + ", ".join(shown_player(name) for name in names))
        for name, why in left_out:
            click.echo(f"left out {name}: {why}")
        click.echo(text.needed(time_needed(stages, call.seed, call.threads)))
        return
    number = sum(len(arms) * games for arms, games in stages)
    result = call.play(houle.difficulty, call.setup, search_games=search_games, beside_print=beside, total=number)
    call.show(result, page(result), text.short_head(result.setup))


def page(result: Difficulty) -> list[str]:
    """Wins and scores of each player, then the rulebook's ratings of scores, then the verdict."""
    from houle.analysis.sampling.players import shown_player

    score = result.setup.score
    rows = []
    for level in result.levels:
        low, middle, high = (f"{quantile.value:.0f}" for quantile in level.quantiles.values())
        row = [
            shown_player(level.strategy),
            f"{level.tally.games:,}",
            text.shown(level.win, True),
            level.word or "the most possible",
        ]
        rows.append([*row, text.shown(level.score), f"{low}/{middle}/{high}"])
    heads = ["player", "deals", "wins", "that is", score, "low/median/high"]
    lines = [text.columns(heads, rows, flexible=(3,), right=(1,))]
    lines += ["low, high: one game in ten scores less, one game in ten scores more", ""]
    lines += [*gains(result), *beside_print(result)]
    bands = result.levels[0].bands if result.levels else ()
    if bands:
        rows = [
            [
                shown_player(level.strategy),
                *(f"{100 * share.value:.1f} ±{100 * share.half:.1f}" for share in level.shares),
            ]
            for level in result.levels
        ]
        lines += [text.columns([f"% of games with {score}", *(band.label for band in bands)], rows, right=range(1, 9))]
        lines += [text.paragraph("ratings  " + "; ".join(f"{band.label} {band.word}" for band in bands), 0, 9), ""]
    lines += [text.paragraph(f"verdict  {line}", 0, 9) for line in result.verdict]
    lines.append(text.paragraph(f"players  {PLAYERS} houle players {result.setup.ruleset.name}", 0, 9))
    lines += [text.paragraph(f"left out {name}: {why}", 0, 9) for name, why in result.left_out]
    return [*lines, *text.finding_lines(result.findings)]


def gains(result: Difficulty) -> list[str]:
    """How much more often each player wins than the one above; not shown next to the printed rules."""
    from houle.analysis.sampling.players import shown_player

    gained = [
        f"{shown_player(level.strategy)} {text.points(level.gain)}" for level in result.levels if level.gain is not None
    ]
    return (
        [text.paragraph(f"gains    points more than the player above: {'; '.join(gained)}", 0, 9), ""] if gained else []
    )


def beside_print(result: Difficulty) -> list[str]:
    """Wins by the printed rules and the difference; empty if those were not played."""
    from houle.analysis.sampling.players import shown_player

    if result.printed is None:
        return []
    rows = []
    for level in result.levels:
        more = text.points(level.more)
        name, own = shown_player(level.strategy), text.shown(level.win, True)
        rows.append([name, own, text.shown(level.printed, True), more, level.beside])
    heads = ["wins", variant_name(result.setup), PRINTED_RULES, "points more", "it is"]
    return [text.columns(heads, rows, flexible=(4,)), ""]
