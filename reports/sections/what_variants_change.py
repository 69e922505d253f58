"""What a variant changes: paired differences between the variants, for every number of players."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from houle.analysis.comparison.compare import Comparison, compare_grid
from houle.analysis.comparison.measures import is_percent, measure_title
from houle.analysis.sampling.grid import Grid
from houle.reports.blocks import PERCENT, POINTS, Block, Column, Section, figure, number, table, text
from houle.reports.context import Context
from houle.reports.figures.compare import draw
from houle.reports.sections.verdict import opposed_sentence
from houle.solver.ruleset import Setup

MEASURES_OF_A_FIGURE = 2  # side by side they still read on a phone


def make_section(context: Context) -> Section:
    section = Section("changes", "What a variant changes")
    counts = dict.fromkeys(setup.players for setup in context.setups)
    groups = [[setup for setup in context.setups if setup.players == players] for players in counts]
    groups = [group for group in groups if len(group) > 1]
    if not groups:
        section.add(text("This report has no two variants with the same number of players."))
        return section
    games = context.effort.number("compare_games")
    comparisons: list[Comparison] = []
    for i, group in enumerate(groups):
        arms = tuple(context.arm(setup) for setup in group)
        progress = context.table_progress(games * len(arms), i, len(groups))
        comparisons.append(compare_grid(Grid(arms), games, context.seed, (), None, context.threads, progress))
    section.add(
        text(
            "Each variant plays the same {games} games of the seed as {yardstick} does, everyone plays {strategy}, so "
            "that the luck of the deal cancels as far as the rules allow.",
            games=games,
            yardstick=comparisons[0].arms[0].label,
            strategy=context.usual_strategy,
        )
    )
    if "difficulty" in context.sections:
        section.add(*map(opposed_sentence, context.sections["difficulty"].results.get("opposed", ())))
    of_main = [group for group in comparisons if context.main in [arm.setup for arm in group.arms]]
    drawn = (of_main or comparisons)[0]
    _figures(context, section, drawn)
    section.add(*(_table(context, comparisons, measure) for measure in drawn.measures))
    section.results["comparisons"] = [comparison.as_json() for comparison in comparisons]
    section.repeat = [
        _command(context, group, games) for group in sorted(groups, key=lambda group: context.main not in group)
    ]
    return section


def _figures(context: Context, section: Section, comparison: Comparison) -> None:
    rows = [row for row in comparison.rows if row.verdict and row.difference]
    alt = "; ".join(f"{row.arm.label}, {row.measure}: {row.verdict.text}" for row in rows if row.verdict)
    yardstick = comparison.arms[0]
    caption = f"Differences from {yardstick.label}, {yardstick.setup.players} {context.players_noun()}."
    for i in range(0, len(comparison.measures), MEASURES_OF_A_FIGURE):
        page = replace(comparison, measures=comparison.measures[i : i + MEASURES_OF_A_FIGURE])
        name = "changes" if i == 0 else f"changes-{i // MEASURES_OF_A_FIGURE + 1}"
        section.add_figure(figure(name, caption, f"{alt}."), partial(draw, page))


def _table(context: Context, comparisons: Sequence[Comparison], measure: str) -> Block:
    unit, more_unit = (PERCENT, POINTS) if is_percent(measure) else ("", "")
    rows = [
        [
            row.arm.setup.players,
            row.arm.label,
            number(row.value, unit),
            number(row.difference.interval, more_unit) if row.difference else None,
            row.verdict.text if row.verdict else "yardstick",
        ]
        for comparison in comparisons
        for row in comparison.rows
        if row.measure == measure
    ]
    title = measure_title(measure, [arm.setup for arm in comparisons[0].arms]).replace("_", " ")
    columns = [
        Column("players", context.players_noun()),
        Column("variant", "variant"),
        Column("value", title, unit),
        Column("difference", "difference", more_unit),
        Column("verdict", "verdict"),
    ]
    caption = f"{title.capitalize()}, and the difference from the same games of the yardstick."
    return table(f"changes-{measure}", caption, columns, rows)


def _command(context: Context, setups: Sequence[Setup], games: int) -> str:
    words = ["houle", "compare", setups[0].ruleset.name, "-p", str(setups[0].players)]
    for setup in setups:
        words += ["-v", "+".join(setup.variants) or "base"]
    return shlex.join([*words, "-s", context.usual_strategy, "-n", str(games), "--seed", str(context.seed)])
