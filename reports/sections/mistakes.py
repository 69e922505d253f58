"""Typical mistakes: the costliest ones of family players as drawn positions, and rules they follow too seldom."""

from __future__ import annotations

from houle.analysis.blocks import note, text
from houle.reports.blocks import Section
from houle.reports.context import Context
from houle.reports.habits import drawn_mistake, habit_table, read_habits

OPEN = 2  # mistakes shown outside the fold


def fill(context: Context, section: Section) -> None:
    if not context.has_thumb or not context.positions:
        return
    result = read_habits(context, context.positions, context.effort.number("examples"))
    rules = habit_table(result, "mistakes", context.family or "thumb")
    drawn = [drawn_mistake(context, mistake) for mistake in result.mistakes]
    if drawn:
        section.add(
            text(
                "Mistakes of simulated family players, as the player saw the game. A solid ring marks the better move, "
                "a dashed ring the mistake. Gains are for players who go on by the rules of thumb."
            ),
            *drawn[:OPEN],
        )
        section.add_fold("More mistakes", *drawn[OPEN:])
    else:
        section.add(
            text("None of {positions} positions shows a mistake that is certain.", positions=result.positions)
        )  # fmt: skip
    if rules:
        section.add_fold(
            "Rules that family players follow too seldom",
            *rules,
            note("The table shows how moves differ, not why: rules overlap."),
        )
    section.results["habits"] = result
