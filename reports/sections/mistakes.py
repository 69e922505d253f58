"""Typical mistakes: the costliest of a novice drawn as cards, and the rules that it follows less often than search."""

from __future__ import annotations

from houle.reports.blocks import Section, note, text
from houle.reports.context import Context
from houle.reports.habits import drawn_mistake, habit_table, read_habits

OPEN = 2  # mistakes on the page as it opens


def make_section(context: Context) -> Section:
    section = Section("mistakes", "Typical mistakes")
    if not context.has_thumb or not context.positions:
        return section
    result = read_habits(context, context.positions, context.effort.number("examples"))
    rules = habit_table(result, "habits", context.novice or "thumb")
    drawn = [drawn_mistake(context, mistake) for mistake in result.mistakes]
    if drawn:
        section.add(
            text("As the player to move sees them. The better move has a full ring, the mistake a broken one."),
            *drawn[:OPEN],
        )
        section.add_fold("More mistakes", *drawn[OPEN:])
    else:
        section.add(
            text(
                "No single mistake in {positions} positions was certain enough to be shown.", positions=result.positions
            )
        )
    if rules:
        section.add_fold(
            "Rules that the novice follows less often than search",
            *rules,
            note("Rules go together: a row says what the moves of search look like beside those of others, not why."),
        )
    section.results["habits"] = result.as_json()
    return section
