"""How to begin: what search does with the first choice of a game, and what others do."""

from __future__ import annotations

from houle.reports.blocks import Section, text
from houle.reports.context import Context
from houle.reports.habits import drawn_mistake, habit_table, nothing_to_learn_from, read_habits

EXAMPLES = 1


def make_section(context: Context) -> Section:
    section = Section("openings", "How to begin")
    if not context.has_thumb:
        section.add(nothing_to_learn_from(context))
        return section
    result = read_habits(context, context.openings, EXAMPLES)
    section.add(
        text(
            "The first choice of {games} games, judged by search. What it does there, and what others do:",
            games=result.positions,
        ),
        habit_table(result, "openings"),
        *(drawn_mistake(context, mistake) for mistake in result.mistakes),
    )
    section.results["openings"] = result.as_json()
    return section
