"""Skill and luck: what better players win, and how much of a win is decided by the deal."""

from __future__ import annotations

from functools import partial

from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.strategy.skill import Skill
from houle.analysis.strategy.skill import skill as play_skill
from houle.reports.blocks import Block, Column, Section, exact, figure, note, table, text
from houle.reports.context import Context
from houle.reports.figures.skill import draw, variance_parts
from houle.reports.html.format import as_sentence, listed
from houle.reports.names import player_kind

LEAST_DEALS = 12  # of a search; with fewer, the intervals are too wide to be useful
PLAYS = 4  # games with a search in each seat for one deal, about: its matchup, its pairs with equal players, its gap
KNOWN_GAP = 0.15  # half-width of an interval that is narrow enough to be shown


def fill(context: Context, section: Section) -> None:
    effort = context.effort
    deals, wanted = effort.number("skill_deals"), effort.number("skill_search_deals")
    searched, players = deals, context.few_players
    if context.has_thumb:
        turns = 1 if context.main.one_sided else context.main.players  # rivals take every seat in turn
        searched = context.searched("skill_search_deals", context.expert, PLAYS * turns)
    if too_few := searched < min(wanted, LEAST_DEALS):
        players = [name for name in players if name != context.expert]
    skill = play_skill(context.main, strategies=players, search_games=searched, **context.run(deals))
    _gap(section, skill)
    inside = _strength(context, section, skill)
    inside += _luck(section, skill)
    alt = "Games won by each kind of player, and what decides who wins."
    section.add_figure(
        figure("skill", f"Skill and luck with {context.main_setup}.", alt), partial(draw, skill)
    )  # fmt: skip
    inside += [note("{remark}", remark=as_sentence(remark)) for remark in skill.remarks]
    if too_few:
        inside.append(
            note(
                "Without {player} players: at this effort they could play only {deals} deals, too few to say anything.",
                player=context.expert,
                deals=searched,
            )
        )
    section.add_fold("Each kind of player, and what decides a win", *inside)
    section.results["skill"] = context.results.skill = skill
    section.repeat = [context.again(skill)]


def _strength(context: Context, section: Section, skill: Skill) -> list[Block]:
    strength, best = skill.strength, skill.strength.matchups[-1]
    cooperative = strength.fair is None
    if strength.fair is not None and best.win and best.below:
        section.add(
            text(
                "One {player} player among {below} players wins {win}; an equal share is {fair}.",
                player=player_kind(best.strategy),
                below=player_kind(best.below),
                win=best.win,
                fair=exact(strength.fair, PERCENT),
            )
        )
    columns = [Column("player", "player"), Column("below", "compared with" if cooperative else "against"),
               Column("win", "games won"), Column("gain", "gain")]  # fmt: skip
    rows = [
        [
            matchup.strategy,
            matchup.below,
            matchup.win,
            matchup.gain,
        ]
        for matchup in strength.matchups
    ]
    caption = (
        "Each kind of player on the same deals, with 95% intervals."
        if cooperative
        else "One player of each kind against players of the kind before, in every seat in turn; gain is compared with "
        "an equal share of the games that have a winner. 95% intervals."
    )
    doubts = [note("{line}.", line=line) for line in strength.doubts]
    return [table("strength", caption, columns, rows), *doubts]


def _gap(section: Section, skill: Skill) -> None:
    """Add what the best player wins compared with the weakest."""
    gap = skill.gap
    if not gap or not gap.skill:
        return
    values = {"lowest": gap.lowest, "best": player_kind(gap.best)}
    if gap.skill.half > KNOWN_GAP:
        section.add(
            note("Too few deals ({deals}) to say how much better {best} players are than {lowest} play.",
                 **values, deals=gap.deals)
        )  # fmt: skip
        return
    if skill.strength.fair is not None:
        section.add(
            text("One {best} player against {lowest} play wins {win} of games.", **values,
                 win=gap.best_win)
        )  # fmt: skip
        return
    possible = gap.bound_win
    bound = [text(" With all cards known, {win} of them can be won.", win=possible)] if possible else []
    section.add(
        text(
            "On the same {deals} deals, {lowest} play wins {lowest_win} and {best} players win {best_win}.{bound}",
            **values,
            deals=gap.deals,
            lowest_win=gap.lowest_win,
            best_win=gap.best_win,
            bound=bound,
        )
    )


def _deal(least: Estimate | None, most: Estimate | None) -> Block:
    """How much the deal decides; shares near 0 may come out below it."""
    if least and most and most.low <= 0:
        return text("The deal decides at most {high} of who wins.", high=exact(max(most.high, 0.0), PERCENT))
    return text(
        "The deal decides from {least} to {most} of who wins, depending on how people play.",
        least=least,
        most=most,
    )


def _luck(section: Section, skill: Skill) -> list[Block]:
    """Add how much the deal decides, as a sentence; returns the numbers for the fold."""
    inside: list[Block] = []
    if skill.deal:
        names = [pair.label for pair in skill.deal.pairs]
        unknown = [
            text("{players} ({deals} deals played, about {needed} needed)", players=name, deals=pair.deals,
                 needed=pair.needed())
            for pair, name in zip(skill.deal.pairs, names, strict=True)
            if pair.needed()
        ]  # fmt: skip
        if unknown:
            inside.append(note("Too few deals to say how much the deal decides for: {players}.", players=unknown))
        if ends := skill.deal.ends():
            section.add(_deal(*(pair.parts["win"] for pair in ends)))
            pairs = [[name, pair.deals, pair.known()] for pair, name in zip(skill.deal.pairs, names, strict=True)]
            heads = [Column("players", "players"), Column("deals", "deals"), Column("share", "share")]
            caption = "How much of a win the deal decides: what two equally strong players share on the same deals."
            inside += [
                table("deal", caption, heads, pairs, shown=False),
                note("The deal is the order of all cards, including the pile. Two equally strong players play the same "
                     "deals; what their results have in common is due to the deal."),
            ]  # fmt: skip
    luck = skill.mixed
    parts = variance_parts(luck) if luck else []
    if luck and parts:
        who = listed(list(luck.strategies))
        rows = [[who, label, share] for label, share in parts]
        columns = [Column("who", "who plays"), Column("part", "what decides"), Column("share", "share")]
        inside += [
            table("luck", "What decides who wins: shares of the variance of a win.", columns, rows, shown=False),
            note("A share of nothing may read slightly below 0."),
        ]
    return inside
