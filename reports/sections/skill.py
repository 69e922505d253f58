"""Skill and luck: what better players win, and how much of a win is decided by the deal."""

from __future__ import annotations

from functools import partial

from houle.analysis.sampling.players import shown_player
from houle.analysis.strategy.skill import Skill, plan_skill, play_skill
from houle.reports.blocks import PERCENT, POINTS, Block, Column, Section, figure, note, number, table, text
from houle.reports.context import Context
from houle.reports.figures.skill import draw, variance_parts
from houle.reports.html.format import as_sentence

LEAST_TOLD = 12  # deals of a search: what fewer of them say has ends so far apart that it is left out
PLAYS = 4  # of a deal with a search at each seat, about: its rung, its pairs with equal players, its gap
KNOWN_GAP = 0.15  # of what could be won: a gap whose interval reaches farther is not told


def make_section(context: Context) -> Section:
    section = Section("skill", "Skill and luck")
    effort = context.effort
    deals, wanted = effort.number("skill_deals"), effort.number("skill_search_deals")
    searched, players = deals, context.strategies
    if context.has_thumb:
        turns = 1 if context.main.one_sided else context.main.players  # rivals take every seat in turn
        searched = context.searched("skill_search_deals", effort["search"], PLAYS * turns)
    if too_few := searched < min(wanted, LEAST_TOLD):
        players = [name for name in players if name != effort["search"]]
    plan = plan_skill(context.main, players, deals, searched)
    skill = play_skill(plan, context.seed, context.threads, context.progress(plan.games))
    inside = _strength(context, section, skill)
    _gap(section, skill)
    decides = _luck(section, skill)
    alt = "Win rates of the strategies and shares of what decides a win."
    section.add_figure(figure("skill", "Skill and luck at the main table.", alt), partial(draw, skill))
    inside += decides
    inside += [note("{remark}", remark=as_sentence(remark)) for remark in skill.remarks]
    if too_few:
        inside.append(
            note(
                "{search} is not in the ladder: the {deals} deals that it could play at this effort tell nothing.",
                search=shown_player(effort["search"]),
                deals=searched,
            )
        )
    section.add_fold("The ladder of players, and what decides a win", *inside)
    section.results["skill"] = skill.as_json()
    section.repeat = [context.again(skill)]
    return section


def _strength(context: Context, section: Section, skill: Skill) -> list[Block]:
    strength, best = skill.strength, skill.strength.matchups[-1]
    cooperative = strength.fair is None
    if cooperative:
        section.add(text("With {table}, each kind of player on the same deals:", table=context.main_table))
    else:
        values = {"table": context.main_table, "fair": number(strength.fair, PERCENT)}
        best_win: list[Block] = [text(" The best of them gets {win}.", win=number(best.win, PERCENT))] * bool(best.win)
        section.add(
            text(
                "With {table}, one of each kind meets the kind below at every seat in turn; the gain is over a fair "
                "share ({fair}) of the games that somebody wins.{best}",
                **values,
                best=best_win,
            )
        )
    columns = [Column("strategy", "player"), Column("below", "on top of" if cooperative else "against"),
               Column("win", "wins", PERCENT), Column("gain", "gain", POINTS)]  # fmt: skip
    rows = [
        [matchup.strategy, matchup.below, number(matchup.win, PERCENT), number(matchup.gain, POINTS)]
        for matchup in strength.matchups
    ]
    doubts = [note("{line}.", line=line) for line in strength.doubts]
    return [table("strength", "The ladder of players, with 95% intervals.", columns, rows), *doubts]


def _gap(section: Section, skill: Skill) -> None:
    gap = skill.gap
    if not gap or not gap.skill:
        return
    if gap.skill.half > KNOWN_GAP:
        section.add(
            note("How much of what {lowest} play does not win {best} does is not known: {deals} deals were played.",
                 lowest=gap.lowest, best=gap.best, deals=gap.deals)
        )  # fmt: skip
        return
    values = {"lowest": gap.lowest, "best": gap.best, "skill": number(gap.skill, PERCENT)}
    if gap.relative and gap.relative.half <= KNOWN_GAP:
        section.add(
            text(
                "Of what {lowest} play does not win, {best} wins {skill}, and {relative} of what could be won at all "
                "with every card known.",
                **values,
                relative=number(gap.relative, PERCENT),
            )
        )
    else:
        section.add(text("Of what {lowest} play does not win, {best} wins {skill}.", **values))


def _luck(section: Section, skill: Skill) -> list[Block]:
    """How much lies in the deal, as a sentence; what decides a win, for the fold."""
    inside: list[Block] = []
    ends = skill.deal.ends() if skill.deal else None
    for pair in skill.deal.pairs if skill.deal else ():
        if pair.needed():
            section.add(
                note(
                    "What lies in the deal for {players} is not known yet: {deals} deals were played, about {needed} "
                    "would tell.",
                    players=pair.label,
                    deals=pair.deals,
                    needed=pair.needed(),
                )
            )
    if skill.deal and ends:
        pairs = [[pair.label, pair.deals, number(pair.known(), PERCENT)] for pair in skill.deal.pairs]
        heads = [Column("players", "players"), Column("deals", "deals"), Column("share", "share", PERCENT)]
        caption = "What of a win lies in the deal: what two players, equally strong, have in common on the same deals."
        section.add(
            text(
                "How much lies in the deal hangs on who plays: from {least} ({least_pair}) to {most} ({most_pair}).",
                least=number(ends[0].parts["win"], PERCENT),
                least_pair=ends[0].label,
                most=number(ends[1].parts["win"], PERCENT),
                most_pair=ends[1].label,
            )
        )
        inside += [
            table("deal", caption, heads, pairs, shown=False),
            note("The deal is all cards as they lie, the pile included. What two players share is the deal's; what one "
                 "of them alone makes of it is not."),
        ]  # fmt: skip
    luck = skill.mixed
    rows = [
        [", ".join(luck.strategies), label, number(share, PERCENT)] for label, share in variance_parts(luck)
    ] if luck else []  # fmt: skip
    if rows:
        columns = [Column("who", "who plays"), Column("part", "what decides"), Column("share", "share", PERCENT)]
        caption = "What decides who wins: shares of the variance of a win, with 95% intervals."
        inside += [
            table("luck", caption, columns, rows, shown=False),
            note("A part that is nothing may read slightly below 0."),
        ]
    return inside
