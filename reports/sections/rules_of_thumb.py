"""Rules of thumb: a short list for the main setup, with what it costs to forget each, and what the list wins."""

from __future__ import annotations

from houle.analysis.blocks import Column, about, bullets, note, table, text
from houle.analysis.explain.ablation import ablate
from houle.analysis.explain.few_rules import FewRules, chosen_rules, play_list
from houle.analysis.measures.goal import Goal
from houle.analysis.players.named_players import THUMB
from houle.reports.blocks import Section
from houle.reports.context import Context
from houle.solver.players.names import parse


def fill(context: Context, section: Section) -> None:
    if not context.has_thumb:
        return
    deals = context.effort.number("rules_of_thumb_deals")
    result = ablate(context.main, parse(THUMB), context.part(deals, span=(0.0, 0.9)))
    costs = [rule.cost for rule in result.rows if rule.cost]
    widest = max(costs, key=lambda cost: cost.half, default=None)
    if not context.knows(section, widest, result.goal.span):
        return
    rules = chosen_rules(result, context.positions)
    context.results.rules = rules
    few = None
    if rules:
        few = play_list(context.main, rules, context.part(deals, 3, (0.9, 1.0)).but(first=deals))
        name_the_list(context, section, few)
    else:
        section.add(text("With {setup}, no single rule of thumb is known to matter.", setup=context.main_setup))
    section.add(*result.sentences())
    columns = [
        Column("rule", "rule of thumb"),
        Column("cost", "games lost without it"),
        Column("score_change", f"{context.main.score.replace('_', ' ')}, change"),
    ]
    shown = [rule for rule in result.rows if rule.cost and rule.cost.differs]
    others = len(result.rows) - len(shown)
    who = "everybody forgets it" if context.main.one_sided else "one player forgets it and the others do not"
    section.add_fold(
        "What forgetting one of all rules costs",
        table(
            "rules-of-thumb",
            f"What a rule is worth: games lost when {who}; {result.deals:,} deals, 95% intervals.",
            columns,
            [[rule.text, rule.cost, rule.score] for rule in shown],
        ),
        note(
            "Rules overlap: if one is forgotten, another may lead to the same move. {others} other rules are left out: "
            "they are not used in this setup, or no cost is shown.",
            others=others,
        ),
    )
    findings = [{"rule": rule.text, "gain": rule.cost.scale(-1)} for rule in result.harmful if rule.cost]
    section.results |= {"ablation": result, "few_rules": few, "findings": findings}
    section.repeat = context.repeat_section(section)


def name_the_list(context: Context, section: Section, few: FewRules) -> None:
    """Add the rules with what each costs, and what a player wins who follows only these."""
    goal, everybody = Goal(context.main), "everybody forgets" if context.main.one_sided else "a player forgets"
    lines = []
    for rule in few.rules:
        words = text(
            "{rule} Forgetting it: {change}.", rule=rule.text, change=rule.cost and goal.shown(rule.cost.scale(-1))
        )
        lines.append(about(words, THUMB, f"{goal.measure} without {rule.name}"))
    section.add(
        text(
            "With {setup}, these rules of thumb matter most. Behind each is what it costs if {everybody} it and "
            "follows all the others:",
            setup=context.main_setup,
            everybody=everybody,
        ),
        bullets(lines, numbered=True),
    )
    if not few.worth_following:
        return
    values = {name: goal.shown(few.wins[name]) for name in ("list", "thumb", "random")}
    if goal.is_score:
        words = text(
            "A player who follows only these scores {list}. All rules of thumb score {thumb}, random play {random}.",
            **values,
        )
    elif context.main.one_sided:
        words = text(
            "A player who follows only these wins {list} of games. All rules of thumb win {thumb}, random "
            "play wins {random}.",
            **values,
        )
    else:
        words = text(
            "A player who follows only these wins {list} of games against players who follow all rules of "
            "thumb. An equal share is {thumb}, random play wins {random}.",
            **values,
        )
    section.add(about(words, f"{THUMB}, random and a short list", goal.measure))
