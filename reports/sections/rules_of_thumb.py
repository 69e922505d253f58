"""Rules of thumb, by their worth: what forgetting each of them costs."""

from __future__ import annotations

from functools import partial

from houle.analysis.strategy.ablation import ablate
from houle.reports.blocks import PERCENT, POINTS, Column, Section, figure, note, number, table, text
from houle.reports.context import Context
from houle.reports.figures.rules_of_thumb import draw
from houle.reports.habits import nothing_to_learn_from

MOST_IN_WORDS = 3  # rules that are told to who cannot see the figure


def make_section(context: Context) -> Section:
    section = Section("rules-of-thumb", "Rules of thumb, by their worth")
    if not context.has_thumb:
        section.add(nothing_to_learn_from(context))
        return section
    deals = context.effort.number("ablation_deals")
    result = ablate(
        context.main, "thumb", never=(), games=deals, seed=context.seed, threads=context.threads,
        progress=context.progress(deals),
    )  # fmt: skip
    forgets = "everybody forgets it" if result.one_side else "one player forgets it, against others who do not"
    section.add(
        text(
            "With {table} players who follow all rules of thumb win {win}. What forgetting one of them costs, when "
            "{forgets}, on the same {deals} deals:",
            table=context.main_table,
            win=number(result.free, PERCENT),
            forgets=forgets,
            deals=result.games,
        )
    )
    costs = [(rule.text, rule.cost) for rule in result.restrictions if rule.cost is not None]
    if costs:
        alt = "; ".join(f"{sentence} {100 * cost.value:.1f} points" for sentence, cost in costs[:MOST_IN_WORDS])
        section.add_figure(
            figure("rules-of-thumb", "What forgetting a rule costs, in points of the win rate.", f"{alt}."),
            partial(draw, result),
        )
    columns = [Column("rule", "rule of thumb"), Column("cost", "wins lost", POINTS),
               Column("score_change", f"{context.main.score.replace('_', ' ')}, change"),
               Column("remark", "remark")]  # fmt: skip
    rows = [[rule.text, number(rule.cost, POINTS), number(rule.score), rule.remark] for rule in result.restrictions]
    section.add(
        table("rules-of-thumb", "Every rule of thumb, the dearest first.", columns, rows),
        note(
            "Rules stand in for each other: one that costs nothing alone may still be followed by another, and one may "
            "be turned round by others that say the same better. Each interval holds by itself."
        ),
    )
    section.results["restricted"] = result.as_json()
    section.repeat = [context.command("restrict", context.main, "-s", "thumb", "-n", deals)]
    return section
