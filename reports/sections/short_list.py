"""If you remember only a few rules: at most seven, learned from search, and how much of the skill they keep."""

from __future__ import annotations

from houle.analysis.strategy.shortlist import shortlist
from houle.reports.blocks import PERCENT, Column, Section, bullets, note, number, table, text
from houle.reports.context import Context
from houle.reports.habits import nothing_to_learn_from
from houle.reports.html.format import in_words
from houle.reports.names import count_of


def make_section(context: Context) -> Section:
    section = Section("shortlist", "If you remember only a few rules")
    if not context.has_thumb:
        section.add(nothing_to_learn_from(context))
        return section
    positions = context.positions
    if not positions:
        section.add(text("No move of the games that were looked at left a choice: there is nothing to learn."))
        return section
    deals, search = context.effort.number("list_deals"), context.effort["search"]
    progress = context.progress(deals, 0.5, 0.5)
    result = shortlist(context.main, positions, search, deals, context.seed, 0, context.threads, progress)
    if not result.lines:
        section.add(text("No short list of rules does better than random moves in the positions that were judged."))
        return section
    noun = count_of(len(result.lines), "rule").partition(" ")[2]
    section.add(
        text(
            "{count}, in this order. A rule higher up outweighs those below it, unless it hardly tells the moves "
            "apart.",
            count=f"{in_words(len(result.lines)).capitalize()} {noun}",
        ),
        bullets([text("{rule}", rule=line.sentence) for line in result.lines], numbered=True),
    )
    wins = {name: number(win, PERCENT) for name, win in result.wins.items()}
    values = {"deals": result.deals.number, "list": wins["list"], "random": wins["random"]}
    if result.kept:
        section.add(
            text(
                "On {deals} fresh deals the list wins {list}, random play {random}, search ({strategy}) {search}: the "
                "list keeps {kept} of the gap between random play and search.",
                **values,
                strategy=result.search,
                search=wins["search"],
                kept=number(result.kept, PERCENT),
            )
        )
    else:
        section.add(
            text(
                "On {deals} fresh deals the list wins {list} and random play {random}; search is not certainly better "
                "than random play on so few, so there is no gap to keep a share of.",
                **values,
            )
        )
    names = {"list": "the list", "search": f"search ({result.search})"}
    columns = [Column("player", "player"), Column("win", "wins", PERCENT)]
    caption = "Who wins how often on the same fresh deals, with 95% intervals."
    section.add(
        table("shortlist", caption, columns, [[names.get(name, name), win] for name, win in wins.items()]),
        note(
            "Learned from {positions} positions in which {judge} judged every move.",
            positions=result.positions,
            judge=context.effort["judge"],
        ),
    )
    section.results["shortlist"] = result.as_json()
    return section
