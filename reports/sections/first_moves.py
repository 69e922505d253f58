"""How to begin: the costliest mistake at the first choice of a game, and what search does there."""

from __future__ import annotations

from houle.analysis.blocks import text
from houle.reports.blocks import Section
from houle.reports.context import Context
from houle.reports.sections.mistakes import drawn_mistakes, habit_table, read_habits

EXAMPLES = 1


def fill(context: Context, section: Section) -> None:
    if not context.has_thumb or not context.first_choices:
        return
    result = read_habits(context, context.first_choices, EXAMPLES)
    rules = habit_table(result, "first-moves", "random")
    drawn = drawn_mistakes(context, result)
    if not rules and not drawn:
        return
    section.add(text("The first choice in {games} games, judged by search.", games=result.positions), *drawn)
    section.add_fold("What search does at the first choice", *rules)
    section.results["first-moves"] = result
