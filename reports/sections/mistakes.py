"""Typical mistakes: what beginners do differently from search, and the dearest of it drawn as cards."""

from __future__ import annotations

from houle.reports.blocks import Section, note, text
from houle.reports.context import Context
from houle.reports.habits import drawn_mistake, habit_table, nothing_to_learn_from, read_habits


def make_section(context: Context) -> Section:
    section = Section("mistakes", "Typical mistakes")
    if not context.has_thumb:
        section.add(nothing_to_learn_from(context))
        return section
    result = read_habits(context, context.positions, context.effort.number("examples"))
    section.add(
        text(
            "In {positions} positions of {table}, how often each player makes a move that follows a rule as well as "
            "any move could, where moves differ in it:",
            positions=result.positions,
            table=context.main_table,
        ),
        habit_table(result, "habits"),
        note("Rules go together: a row says what the moves of search look like beside those of others, not why."),
    )
    if result.mistakes:
        section.add(
            text(
                "Dear mistakes, as the player to move sees them. The better move has a full ring, the mistake a broken "
                "one."
            )
        )
    else:
        section.add(text("No single mistake was certain enough to be shown."))
    section.add(*(drawn_mistake(context, mistake) for mistake in result.mistakes))
    section.results["habits"] = result.as_json()
    return section
