"""`houle difficulty`: how often each kind of player wins, from random play to the best possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import houle
from houle.analysis.limits import DEALS, SEARCH_DEALS
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.files import keep_log
from houle.solver.rules import variant_name

if TYPE_CHECKING:
    from houle import Difficulty

PLAYERS = "set by hand, and tested on people in Hanabi only (docs/method/people.md); to see what each is:"


@analysis_command(
    games=DEALS, least=2, unit="deals", strategies="Players to show, weakest first (default: all levels)."
)
@options.search_games_option(SEARCH_DEALS)
@options.whole_option(
    "--next", "next_games", least=1, most=10_000, default=10,
    help="For your own group: how many games to predict, beside the long-run rate.",
)  # fmt: skip
@options.refit_option
@options.log_option
@click.option("--alone", is_flag=True, help="Leave out the comparison with the printed rules.")
def difficulty(call: Call, search_games: int, alone: bool, next_games: int, log: str | None) -> None:
    """Show how hard a game is, and for whom.

    For games that a team or a single player wins or loses. Players from random to expert play the same deals: how often
    each wins, which scores they reach, and how the rulebook rates these scores. The last row is the most that is
    possible with all cards known. Rules of your own (--rules, --set) are compared with the printed rules.

    For your own group (`houle calibrate`) it predicts how often the group will win in the long run, and how many of its
    next games, also in a variant that the group has not played.

    \b
    Examples:
      houle difficulty wave -p 3
      houle difficulty wave -p 3 --rules my.toml
      houle difficulty wave -p 3 --rules my.toml -s family,my-group,expert
      houle difficulty wave -p 3 --rules my.toml --log my-game
      houle difficulty wave -p 4 -v nazare -s random,thumb -n 1e5 --figure nazare.png
      houle difficulty vague-attaque -p 1 --search-games 50
    """
    more: dict[str, Any] = {"search_games": search_games, "alone": alone, "next_games": next_games}
    result = call.play(houle.difficulty, call.setup, **more)
    kept = keep_log(log, [result], result.repeat([*call.asked.words(call.setup), *call.refit_words]))
    call.show(result, [*page(result), *call.refit_lines([call.setup]), *kept], text.short_head(result.setup))


def page(result: Difficulty) -> list[str]:
    """Wins and scores of each player, then the rulebook's ratings of scores, then the verdict."""
    score, goal = result.setup.score, result.goal
    wins: text.Picks = [("wins", "rate"), ("that is", lambda level: level.word or "the most possible")]
    picks: text.Picks = [
        ("player", "strategy"),
        ("deals", lambda level: level.tally.games),
        *([] if goal.is_score else wins),
        (score, "score"),
        ("low/median/high", lambda level: "/".join(f"{one.value:.0f}" for one in level.quantiles.values())),
    ]
    lines = [text.table(result.levels, picks, flexible=("that is",))]
    lines += ["low, high: one game in ten scores less, one game in ten scores more", ""]
    lines += [*gains(result), *beside_print(result)]
    bands = result.levels[0].bands if result.levels else ()
    if bands:
        rows = [[level.strategy, *(share.short() for share in level.shares)] for level in result.levels]
        lines += [text.columns([f"games with {score}", *(band.label for band in bands)], rows, right=range(1, 9))]
        lines += [text.labelled("ratings", "; ".join(f"{band.label} {band.word}" for band in bands)), ""]
    repeated = any(not level.is_bound for level in result.levels)  # the first sentence says what the table shows
    lines += [text.labelled("verdict", line) for line in result.verdict[repeated:]]
    lines.append(text.labelled("players", f"{PLAYERS} houle players {result.setup.ruleset.name}"))
    return [*lines, *text.left_out_lines(result.left_out), *text.finding_lines(result.findings)]


def gains(result: Difficulty) -> list[str]:
    """How much more often each player wins than the one above; not shown next to the printed rules."""
    gained = [f"{level.strategy} {text.cell(level.gain)}" for level in result.levels if text.cell(level.gain)]
    return [text.labelled("gains", f"over the player above: {'; '.join(gained)}"), ""] if gained else []


def beside_print(result: Difficulty) -> list[str]:
    """Wins by the printed rules and the difference; empty if those were not played."""
    if result.printed is None:
        return []
    picks: text.Picks = [
        (result.goal.head, "strategy"), (variant_name(result.setup), "rate"), (result.beside_name, "printed"),
        ("difference", "more"), ("it is", "beside"),
    ]  # fmt: skip
    return [text.table(result.levels, picks, flexible=("it is",)), ""]
