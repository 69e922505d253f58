"""`houle skill`: how much of a game is skill, and how much the deal decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import SKILL_GAMES, SKILL_SEARCH_GAMES, SKILL_TAKES
from houle.cli.commands.strength import from_every_seat
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import Whole, search_games_option

if TYPE_CHECKING:
    from houle import Skill, Strength
    from houle.analysis.strategy.deal_part import DealPart, PlayerPair
    from houle.analysis.strategy.luck import Luck
    from houle.analysis.strategy.skill_gap import SkillGap

DECIDES = {
    "player": "who plays",
    "seat": "the seat",
    "deal": "the deal, as these play it",
    "rest": "the rest: chance and choices",
}


@analysis_command(
    games=SKILL_GAMES,
    least=3,
    unit="deals",
    strategies="Players from the weakest; random, greedy, novice, thumb and searcher by default.",
)
@search_games_option(SKILL_SEARCH_GAMES, least=3)
@click.option(
    "--takes", type=Whole(2, 1000), default=SKILL_TAKES, show_default=True, metavar="N",
    help="How often a deal is played, with other luck.",
)  # fmt: skip
@click.option("--line-up", metavar="NAME,...", help="Different players, one each: is it they who decide?")
def skill(call: Call, search_games: int, takes: int, line_up: str | None) -> None:
    """How much of GAME is skill, and what luck decides.

    The gaps between strategies, how far the best fair one comes towards what can be won, how much of who wins lies in
    the deal (what two different players, equally strong, have in common on the same deals: a range over pairs), and how
    much is decided by who plays and by the seat.

    \b
    Examples:
      houle skill wave -p 3
      houle skill land-unter -p 4 -s random,novice,thumb -n 5000
      houle skill vague-verte -p 3 --line-up thumb,novice,novice --figure skill.svg
    """
    result = call.play(houle.skill, call.setup, search_games=search_games, takes=takes, line_up=line_up)
    head = [*text.differences(result.setup), f"{text.table_line(result.setup)}; seed {result.seed}, 95% intervals"]
    call.tell(result, page(result), head)


def page(result: Skill) -> list[str]:
    """Gaps, skill, luck, and what is not there."""
    parts = [_gaps(result.strength)] if len(result.strength.matchups) > 1 else []
    parts += [_gap(result.gap)] if result.gap else []
    parts += [_deal(result.deal, result.setup.score)] if result.deal else []
    parts += [_luck(result.mixed, result.setup.score)] if result.mixed else []
    missing = [text.paragraph(f"missing  {remark}", 0, 9) for remark in result.remarks]
    parts.append(missing + [f"left out {name}: {why}" for name, why in result.strength.left_out])
    return [line for part in parts if part for line in ("", *part)][1:]


def _gaps(strength: Strength) -> list[str]:
    """The ladder, shortened to wins and gaps."""
    from houle.analysis.sampling.players import shown_player

    rows = []
    for matchup in strength.matchups:
        win, deals = text.shown(matchup.win, True), f"{matchup.win.n:,}" if matchup.win else ""
        row = [shown_player(matchup.strategy), deals, win, text.shown(matchup.gain, True).replace("%", "", 1)]
        if strength.fair is not None:
            row.insert(2, shown_player(matchup.below) if matchup.below else "")
        rows.append(row)
    if strength.fair is None:
        return [text.columns(["player", "deals", "wins", "points more than the one above"], rows, right=(1,))]
    heads = ["player", "deals", "against", "wins", "points more"]
    return [text.columns(heads, rows, right=(1,)), text.paragraph(from_every_seat(strength.fair), 0, 0)]


def _gap(gap: SkillGap) -> list[str]:
    rows = [[gap.lowest, text.shown(gap.lowest_win, True)], [gap.best, text.shown(gap.best_win, True)]]
    if gap.bound_win:
        opened = f", {gap.unresolved:,} deals left open" if gap.unresolved else ""
        rows.append([f"the most that is proven possible{opened}", text.shown(gap.bound_win, True)])
    skill = f"(0: {gap.best} is no better than {gap.lowest}; 1: it wins always)"
    relative = "(1: it wins all that can be won)" if gap.relative else ""
    return [
        f"{gap.deals:,} deals",
        text.columns(["", "wins"], rows),
        "",
        text.paragraph(f"skill    {text.shown(gap.skill) or gap.skill_remark} {skill}", 0, 9),
        text.paragraph(f"relative {text.shown(gap.relative) or gap.relative_remark} {relative}".rstrip(), 0, 9),
    ]


def _deal(deal: DealPart, score: str) -> list[str]:
    """What pairs of players have in common on the same deals, and the range of it."""
    rows = [[pair.label, f"{pair.deals:,}", *(_part(pair, name) for name in pair.parts)] for pair in deal.pairs]
    lines = [
        "what lies in the deal: what two players, equally strong, have in common on the same deals",
        text.columns(["players", "deals", "of the win's variance", f"of the variance of {score}"], rows, right=(1,)),
    ]
    ends = deal.ends()
    if ends:
        least, most = (f"{100 * part.value:.0f}% ({pair.label})" for pair in ends if (part := pair.parts["win"]))
        unknown = ", ".join(pair.label for pair in deal.pairs if pair.needed())
        whom = f"by who plays ({unknown}: not known yet)" if unknown else "by who plays"
        lines.append(text.paragraph(f"the deal's part of a win is {least} to {most}, {whom}; the rest is chance "
                                    "and choices. The deal is all cards as they lie, the pile included."))  # fmt: skip
    dear = ", ".join(f"{name} ({100 * cost.value:.1f} points)" for name, cost in deal.left_out)
    return lines + [text.paragraph(f"too weak to be paired: {dear}")] * bool(dear)


def _part(pair: PlayerPair, outcome: str) -> str:
    needed = pair.needed(outcome)
    if needed:
        return f"not known yet: about {needed:,} deals"
    return text.shown(pair.known(outcome), True) or "never varied"


def _luck(luck: Luck, score: str) -> list[str]:
    who = f"everyone plays {luck.strategies[0]}"
    if luck.rotated:
        who = ", ".join(luck.strategies) + " at every seat in turn"
    # A part that this table cannot have is not shown.
    cannot = {"player": not luck.rotated, "seat": not luck.competitive}
    rows = [
        [about, *(text.shown(shares[part], True) if shares else "never varied" for shares in luck.parts.values())]
        for part, about in DECIDES.items()
        if not cannot.get(part)
    ]
    return [
        f"what decides, if {who}: {luck.deals:,} deals, each {luck.takes} times",
        text.columns(["", "of the win's variance", f"of the variance of {score}"], rows),
    ]
