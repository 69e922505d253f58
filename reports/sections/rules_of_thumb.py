"""Rules of thumb: one list for the main setup, each rule checked on new deals, and what the list wins.

The list is a few rules if they keep at least half of what all rules win, else the rules that certainly cost most when
forgotten, in that order. A rule that this setup never uses, or that is worth nothing here, is not listed.
"""

from __future__ import annotations

from houle.analysis.blocks import Block, Column, about, bullets, note, table, text
from houle.analysis.measures.goal import Goal
from houle.analysis.players.named_players import THUMB
from houle.analysis.stats.estimate import Estimate
from houle.analysis.strategy.ablation import Ablation, ablate
from houle.analysis.strategy.few_rules import FewRules, few_rules
from houle.reports.blocks import Section
from houle.reports.context import Context, level_of
from houle.reports.sections.verdict import KNOWN

MOST_RULES = 7


def fill(context: Context, section: Section) -> None:
    if not context.has_thumb:
        return
    deals = context.effort.number("rules_of_thumb_deals")
    result = ablate(context.main, THUMB, never=(), **context.run(deals, span=(0.0, 0.5)))
    doubtful = [rule for rule in result.rows if rule.cost and rule.cost.high < 0]
    spec = context.part(deals, 2, (0.5, 1.0))
    games = spec.but(games=context.games)  # those of the other sections, so one thing has one number
    certain = [rule for rule in result.rows if rule.cost and rule.cost.low > 0]
    few = few_rules(
        context.main, context.positions, [rule.name for rule in certain], [rule.name for rule in doubtful],
        spec.but(first=games.games + deals), games,
    )  # fmt: skip
    if few.worth_remembering:
        name_the_list(context, section, few)
    else:
        _certain_rules(context, section, result)
    section.add(*result.sentences()[1:])
    columns = [Column("rule", "rule of thumb"), Column("cost", "games lost without it"),
               Column("score_change", f"{context.main.score.replace('_', ' ')}, change")]  # fmt: skip
    rows = [[rule.text, rule.cost, rule.score] for rule in (*certain, *doubtful)]
    others = len(result.rows) - len(rows)
    who = "everybody forgets it" if result.one_sided else "one player forgets it and the others do not"
    section.add_fold(
        "What forgetting one of all rules costs",
        table(
            "rules-of-thumb",
            f"What a rule is worth: games lost when {who}; {result.games:,} deals, 95% intervals.",
            columns,
            rows,
        ),
        note(
            "Rules overlap: if one is forgotten, another may lead to the same move. {others} other rules are left out: "
            "they are not used in this setup, or no cost is shown.",
            others=others,
        ),
    )
    context.results.few_rules = few
    findings = [{"rule": rule.text, "gain": rule.cost.scale(-1)} for rule in result.harmful if rule.cost]
    section.results |= {"ablation": result, "few_rules": few, "findings": findings}
    section.repeat = [context.again(result)]


def name_the_list(context: Context, section: Section, few: FewRules) -> None:
    goal = Goal(context.main)
    lines = [_rule(goal, rule.sentence, rule.cost, f"one of {len(few.rules)} rules") for rule in few.rules]
    section.add(
        text(
            "With {setup}, remember these, the most useful first. The points are for players who follow only these:",
            setup=context.main_setup,
        ),
        bullets(lines, numbered=True),
    )
    values = {
        **{name: goal.shown(few.wins[name]) for name in ("list", "thumb", "random")},
        "search": _search(context, goal),
    }
    if goal.is_score:
        wins = text(
            "A player who follows only these scores {list}. All rules of thumb score {thumb}, random play scores "
            "{random}{search}.",
            **values,
        )
    elif context.main.one_sided:
        wins = text(
            "A player who follows only these wins {list} of games. All rules of thumb win {thumb}, random play wins "
            "{random}{search}.",
            **values,
        )
    else:
        wins = text(
            "A player who follows only these wins {list} of games against players who follow all rules of thumb. An "
            "equal share is {thumb}, random play wins {random}{search}.",
            **values,
        )
    section.add(about(wins, f"{THUMB}, random and a short list", goal.measure))


def _rule(goal: Goal, words: str, cost: Estimate, forgotten: str = "a rule") -> Block:
    """A rule, and what forgetting it costs if that is certainly more than 0: a rule of a short list costs more."""
    if cost.low <= 0:
        return text("{rule}", rule=words)
    change = text("{rule} Forgetting it: {change}.", rule=words, change=goal.shown(cost.scale(-1)))
    return about(change, THUMB, f"{goal.measure} without {forgotten}")


def _search(context: Context, goal: Goal) -> list[Block]:
    """What the player that searches wins in the same setup, from other sections; nothing if it is hardly known."""
    main, rivals = context.main_difficulty, context.results.advantages
    level = level_of(main, context.expert) if main else None
    pair = rivals.pair(context.expert, context.seasoned) if rivals else None
    reached = [*([level.reached] if level else []), *([pair.win] if pair else [])]
    return [
        about(
            text(
                ", planning ahead ({player}) {verb}s {reached}",
                player=context.expert,
                verb=goal.verb,
                reached=goal.shown(one),
            ),
            context.expert,
            goal.measure,
        )
        for one in reached[:1]
        if one.half <= KNOWN * goal.span
    ]


def _certain_rules(context: Context, section: Section, result: Ablation) -> None:
    certain = [rule for rule in result.rows if rule.stands and rule.cost and rule.cost.value > 0]
    if not certain:
        section.add(text("With {setup}, no single rule of thumb is known to matter.", setup=context.main_setup))
        return
    lines = [_rule(result.goal, rule.text, rule.cost) for rule in certain[:MOST_RULES] if rule.cost]
    section.add(
        text(
            "With {setup}, no short list keeps half of what all rules of thumb {verb} together. Forgetting one of "
            "these costs most:",
            setup=context.main_setup,
            verb=result.goal.verb,
        ),
        bullets(lines, numbered=True),
    )
