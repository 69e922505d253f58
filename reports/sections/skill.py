"""Skill: what a better player gains where players compete; how much the deal decides where they win together."""

from __future__ import annotations

from functools import partial

from houle.analysis.blocks import Block, Column, about, bullets, exact, note, table, text
from houle.analysis.players.named_players import levels, player_kind, players_of
from houle.analysis.stats.estimate import PERCENT
from houle.analysis.strategy.advantage import Advantage, Advantages, advantages
from houle.analysis.strategy.skill import skill as play_skill
from houle.reports.blocks import Section, figure
from houle.reports.context import Context, level_of
from houle.reports.figures.advantage import draw
from houle.solver.texts import as_sentence, in_words

LEAST_DEALS = 12  # of a search; with fewer, the intervals are too wide to be useful
PLAYS = 4  # games with a search in each seat for one deal, about: its matchup, its pairs with equal players, its gap
PER_DEAL = 4  # games of a report for a deal of every pair of levels
SEATS = 2  # plays of a deal in which a search sits, per seat, in a pair of levels


def fill(context: Context, section: Section) -> None:
    if not context.has_thumb:
        return
    if context.main.one_sided:
        _together(context, section)
    else:
        section.title = "What a better player gains"
        _rivals(context, section)


def advantage_words(context: Context, pair: Advantage) -> Block:
    """`A seasoned player wins 42% (38 to 45) of games against two family players, where an equal share is 33.3%.`"""
    return about(_advantage_words(context, pair), f"{pair.better} against {pair.others}", "win")


def _advantage_words(context: Context, pair: Advantage) -> Block:
    sides = context.main.seats_by_side
    values = {"win": pair.win, "fair": exact(1 / len(sides), PERCENT)}
    better, others = (one if one == context.expert else f"{player_kind(one)} player" for one in
                      (pair.better, pair.others))  # fmt: skip
    article = "An" if better[0] in "aeiou" else "A"
    if any(len(seats) > 1 for seats in sides.values()):
        return text("A team of {better}s wins {win} of games against {others}s, where an equal share is {fair}.",
                    better=better, others=others, **values)  # fmt: skip
    if len(sides) == 2:
        return text("{article} {better} wins {win} of games against a {others}, where an equal share is {fair}.",
                    article=article, better=better, others=others, **values)  # fmt: skip
    return text("{article} {better} wins {win} of games against {count} {others}s, where an equal share is {fair}.",
                article=article, better=better, others=others, count=in_words(len(sides) - 1), **values)  # fmt: skip


def _rivals(context: Context, section: Section) -> None:
    """Levels against each other."""
    effort, players = context.effort, [*(level.name for level in levels()), context.expert]
    searched = context.searched("skill_search_deals", context.expert, SEATS * context.main.players)
    if too_few := searched < min(effort.number("skill_search_deals"), LEAST_DEALS):
        searched = 0
    deals = max(effort.number("skill_deals"), effort.number("games") // PER_DEAL)
    found = advantages(context.main, context.part(deals), players, searched)
    context.results.advantages = found
    steps = [pair for pair in found.pairs if _worth_a_line(context, pair)]
    section.add(bullets([advantage_words(context, pair) for pair in steps]))
    section.add_figure(
        figure(
            "advantage",
            "Games won by one better player against players of a weaker level, in every seat in turn.",
            "; ".join(f"{pair.better} against {pair.others}: {pair.win.short()}" for pair in found.pairs) + ".",
        ),
        partial(draw, found),
    )
    columns = [Column("better", "better player"), Column("others", "the others"), Column("win", "games won"),
               Column("gain", "above an equal share")]  # fmt: skip
    rows = [[pair.better, pair.others, pair.win, pair.gain] for pair in found.pairs]
    inside: list[Block] = [
        table("advantage", f"Every pair of levels; {found.deals:,} deals, with the better player in every seat.",
              columns, rows),
    ]  # fmt: skip
    inside += [note("{line}.", line=line) for line in _weak(context, found)]
    if too_few:
        inside.append(
            note("Without {player} players: games are so long that too few could be played at this effort.",
                 player=context.expert)
        )  # fmt: skip
    section.add_fold("Every pair of levels", *inside)
    section.results["advantages"] = found
    section.repeat = [found.repeat(pair) for pair in found.pairs]


def _worth_a_line(context: Context, pair: Advantage) -> bool:
    names = [level.name for level in levels()]
    ends = (pair.better, pair.others) in ((names[-1], "family"), (names[-1], names[0]))
    return ends or pair.better == context.expert


def _weak(context: Context, found: Advantages) -> list[str]:
    """A sentence for players that plan ahead and still win less than an equal share."""
    return [
        f"{pair.better} players win less than an equal share against {pair.others} players: this search is no measure "
        "of what experts could win"
        for pair in found.pairs
        if pair.better == context.expert and pair.gain.high < 0
    ]


def _together(context: Context, section: Section) -> None:
    """What each level gains on the one before, and how much the deal decides."""
    effort, main = context.effort, context.main_difficulty
    deals = effort.number("skill_deals")
    searched = context.searched("skill_search_deals", context.expert, PLAYS)
    players = context.few_players
    if searched < min(effort.number("skill_search_deals"), LEAST_DEALS):
        players = [name for name in players if name != context.expert]
    skill = play_skill(context.main, strategies=players, search_games=searched, **context.run(deals))
    steps = [level for name in (*(one.name for one in levels()), context.expert)
             if main and (level := level_of(main, name)) and level.gain]  # fmt: skip
    if steps:
        gains = [about(text("{who} {gain}", who=players_of(level.strategy), gain=level.gain), level.strategy,
                       "win more than the level before") for level in steps]  # fmt: skip
        section.add(text("Games won more than the level before, on the same deals: {gains}.", gains=gains))
    remarks = [note("{remark}", remark=as_sentence(remark)) for remark in skill.remarks]
    if skill.deal:
        section.add(*skill.deal.sentences(skill.strength.goal))
        remarks = [*skill.deal.details(skill.strength.goal), *remarks]
    section.add_fold("How much the deal decides", *remarks)
    section.results["skill"] = context.results.skill = skill
    section.repeat = [context.again(skill)]
