"""The rules: one list for a table, every rule of it checked on fresh deals, and what the list is worth.

A few of the thumb's rules where they keep at least half of it, else those of all whose loss is certain. A rule whose
omission helps is never in the list: it is told as a finding about the weights.
"""

from __future__ import annotations

from houle.analysis.result import interval_as_json
from houle.analysis.stats.intervals import Interval
from houle.analysis.strategy.ablation import Ablation, ablate
from houle.analysis.strategy.few_rules import FewRules, few_rules
from houle.reports.blocks import IN_100, PERCENT, POINTS, Block, Column, Section, bullets, note, number, table, text
from houle.reports.context import Context
from houle.reports.difficulties import level_of

MOST_RULES = 7


def make_section(context: Context) -> Section:
    section = Section("rules-of-thumb", "The rules, by what they are worth")
    if not context.has_thumb:
        return section
    deals = context.effort.number("ablation_deals")
    result = ablate(
        context.main, "thumb", never=(), games=deals, seed=context.seed, threads=context.threads,
        progress=context.progress(deals, 0, 0.5),
    )  # fmt: skip
    # What helps by itself is no advice; a finding is what helps beside all the others.
    doubtful = [rule for rule in result.restrictions if rule.cost and rule.cost.high < 0]
    harmful = [rule for rule in doubtful if rule.stands]
    few = few_rules(
        context.main, context.positions, [rule.name for rule in doubtful], deals, context.seed, deals,
        context.threads, context.progress(2 * deals, 0.5, 0.5),
    )  # fmt: skip
    if few.worth_remembering:
        _short_list(context, section, few)
    else:
        _certain_rules(context, section, result)
    gains = [(rule.text, _opposite(rule.cost)) for rule in harmful if rule.cost]
    section.add(*(_finding(words, gain) for words, gain in gains))
    columns = [Column("rule", "rule of thumb"), Column("cost", "wins lost without it", POINTS),
               Column("score_change", f"{context.main.score.replace('_', ' ')}, change"),
               Column("remark", "remark")]  # fmt: skip
    rows = [[rule.text, number(rule.cost, POINTS), number(rule.score), rule.remark] for rule in result.restrictions]
    forgets = "everybody forgets it" if result.one_sided else "one player forgets it, against others who do not"
    section.add_fold(
        "Every rule of thumb, and what forgetting it costs",
        table(
            "rules-of-thumb",
            f"Those that certainly cost most first, on {result.games:,} deals; when {forgets}.",
            columns,
            rows,
        ),
        note(
            "Rules stand in for each other: one that costs nothing alone may still be followed by another. A "
            "rule counts above where its cost is certain beside all others of this table (Holm)."
        ),
    )
    section.results["restricted"] = result.as_json()
    section.results["few_rules"] = few.as_json()
    section.results["findings"] = [{"rule": words, "gain": interval_as_json(gain)} for words, gain in gains]
    section.repeat = [context.again(result)]
    return section


def _short_list(context: Context, section: Section, few: FewRules) -> None:
    lines = [
        text("{rule} (Without it: {cost} fewer wins in 100.)", rule=rule.sentence, cost=number(rule.cost, IN_100))
        for rule in few.rules
    ]
    section.add(text("With {table}, in this order:", table=context.main_table), bullets(lines, numbered=True))
    values = {
        "list": number(few.wins["list"], PERCENT),
        "thumb": number(few.wins["thumb"], PERCENT),
        "random": number(few.wins["random"], PERCENT),
        "kept": number(few.kept, PERCENT),
        "search": _search(context),
    }
    section.add(
        text(
            "Who plays by these alone wins {list}; by all rules of thumb {thumb}, at random {random}{search}. The list "
            "keeps {kept} of what the rules of thumb have over random play.",
            **values,
        )
    )


def _search(context: Context) -> list[Block]:
    """What search wins at the same table, from the page for the designer."""
    difficulty = next((difficulty for difficulty in context.difficulties if context.is_main(difficulty.setup)), None)
    strategy = context.effort["search"]
    level = level_of(difficulty, strategy) if difficulty else None
    if level:
        return [text(", with search ({strategy}) {win}", strategy=strategy, win=number(level.win, PERCENT))]
    strength = context.sections["skill"].results["skill"]["strength"] if "skill" in context.sections else None
    for matchup in strength["rungs"] if strength else ():
        if matchup["strategy"] == strategy and matchup["below"] == "thumb" and matchup["win"]:
            return [
                text(", with search ({strategy}) {win}", strategy=strategy, win={**matchup["win"], "unit": PERCENT})
            ]
    return []


def _certain_rules(context: Context, section: Section, result: Ablation) -> None:
    certain = [rule for rule in result.restrictions if rule.stands and rule.cost and rule.cost.value > 0]
    if not certain:
        section.add(text("With {table} no single rule of thumb is known to win games.", table=context.main_table))
        return
    lines = [
        text("{rule} (Without it: {cost} fewer wins in 100.)", rule=rule.text, cost=number(rule.cost, IN_100))
        for rule in certain[:MOST_RULES]
    ]
    section.add(
        text(
            "With {table}, players who follow all rules of thumb win {win}. These matter most; no short list of them "
            "keeps half of what all of them are worth:",
            table=context.main_table,
            win=number(result.free, PERCENT),
        ),
        bullets(lines, numbered=True),
    )


def _opposite(cost: Interval) -> Interval:
    """What is gained where something costs less than nothing."""
    return Interval(-cost.value, -cost.high, -cost.low, cost.n)


def _finding(words: str, gain: Interval) -> Block:
    return text(
        "A finding about the weights: who forgets the rule \u201c{rule}\u201d wins {gain} more games in 100. It is no "
        "advice.",
        rule=words.rstrip("."),
        gain=number(gain, IN_100),
    )
