"""`houle skill`: how much of a game is skill, and how much luck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import SKILL_GAMES, SKILL_REPLAYS, SKILL_SEARCH_GAMES
from houle.cli.commands.strength import from_every_seat, goal_columns
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import search_games_option, whole_option

if TYPE_CHECKING:
    from houle import Skill, Strength
    from houle.analysis.measures.goal import Goal
    from houle.analysis.strategy.advantage import SkillGap
    from houle.analysis.strategy.variance_shares import LuckShares

DECIDES = {
    "player": "who plays",
    "seat": "the seat",
    "deal": "the deal, with these players",
    "rest": "the rest: luck during the game and choices",
}


@analysis_command(
    games=SKILL_GAMES,
    least=3,
    unit="deals",
    strategies="Players to compare, weakest first (default: from random to expert).",
)
@search_games_option(SKILL_SEARCH_GAMES, least=3)
@whole_option(
    "--replays", least=2, most=1000, default=SKILL_REPLAYS, help="How often each deal is played again with other luck."
)
@click.option("--line-up", metavar="NAME,...", help="Different players, one per seat: how much depends on who plays?")
def skill(call: Call, search_games: int, replays: int, line_up: str | None) -> None:
    """Measure how much of a game is skill, and how much luck.

    Four answers: how much more often each player wins than the weaker one; how close the best player comes to what is
    possible; how much the deal decides, measured by what two equally strong players have in common on the same deals;
    and how much depends on who plays and on the seat.

    \b
    Examples:
      houle skill wave -p 3
      houle skill land-unter -p 4 -s random,family,thumb -n 5000
      houle skill vague-verte -p 3 --line-up thumb,family,family --figure skill.svg
    """
    result = call.play(houle.skill, call.setup, search_games=search_games, replays=replays, line_up=line_up)
    call.show(result, page(result), text.short_head(result.setup))


def page(result: Skill) -> list[str]:
    """Differences between players, skill, luck, and what could not be measured."""
    parts = [_gaps(result.strength)] if len(result.strength.matchups) > 1 else []
    parts += [_gap(result.gap, result.strength.goal)] if result.gap else []
    if result.deal:
        goal = result.strength.goal
        parts.append(text.said([*result.deal.sentences(goal), *result.deal.details(goal)]))
    parts += [_luck(result.mixed, result.setup.score)] if result.mixed else []
    missing = [text.labelled("missing", remark) for remark in result.remarks]
    parts.append(missing + text.left_out_lines(result.strength.left_out))
    return [line for part in parts if part for line in ("", *part)][1:]


def _gaps(strength: Strength) -> list[str]:
    """What each player reaches, and how much more than the weaker one."""
    wins = text.table(strength.matchups, goal_columns(strength))
    return [wins] if strength.fair is None else [wins, text.paragraph(from_every_seat(strength.fair))]


def _gap(gap: SkillGap, goal: Goal) -> list[str]:
    rows = [[gap.lowest, gap.lowest_win.text()], [gap.best, gap.best_win.text()]]
    if gap.bound_win:
        opened = f", {gap.unresolved:,} deals not solved" if gap.unresolved else ""
        rows.append([f"the most that is possible{opened}", gap.bound_win.text()])
    always = "reaches the best score" if goal.is_score else "wins"
    skill = f"(0: {gap.best} is no better than {gap.lowest}; 1: it always {always})"
    relative = "(1: it wins everything that can be won)" if gap.relative else ""
    return [
        f"{gap.deals:,} deals",
        text.columns(["", goal.head], rows),
        "",
        text.labelled("skill", f"{text.cell(gap.skill) or gap.skill_remark} {skill}"),
        text.labelled("relative", f"{text.cell(gap.relative) or gap.relative_remark} {relative}".rstrip()),
    ]


def _luck(luck: LuckShares, score: str) -> list[str]:
    who = f"everyone plays {luck.strategies[0]}"
    if luck.rotated:
        who = ", ".join(luck.strategies) + " play, in each seat in turn"
    # Leave out what cannot matter in this setup.
    cannot = {"player": not luck.rotated, "seat": not luck.competitive}
    rows = [
        [about, *(shares[part].text() if shares else "never differs" for shares in luck.parts.values())]
        for part, about in DECIDES.items()
        if not cannot.get(part)
    ]
    return [
        f"what decides if {who}: {luck.deals:,} deals, each played {luck.replays} times; shares of the variance",
        text.columns(["", "of winning", f"of {score}"], rows),
    ]
