"""Rules that the rulebook does not settle in the main setup: one list, and what other answers would change."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from houle.analysis.blocks import Block, Column, note, table
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.verdicts import margins_of
from houle.analysis.tables.open_rules import certain_rows, effect, effects, knob_of, open_rules, summary
from houle.analysis.tables.table import Row, Table
from houle.reports.blocks import Section, as_files, figure
from houle.reports.context import Context
from houle.reports.figures.table import draw
from houle.solver.errors import RulesError
from houle.solver.rules import open_rules_in
from houle.solver.texts import listed

MOST_DRAWN = 8  # answers in the figure
TOLD = ("win", "score", "length")  # measures in the head of the page
ANSWERS = 8  # of a game, about; only the progress bar uses it


def fill(context: Context, section: Section) -> None:
    main, games = context.main, context.games
    try:
        result = open_rules(main, strategies=context.level, **context.run(games, ANSWERS))
    except RulesError:  # no open rule that can be changed in this setup
        result = None
    tried = result.rows if result else ()
    goal = Goal(main)
    widths = [row.change for row in tried if row.measure == goal.measure and row.change]
    if widths and not context.knows(section, max(widths, key=lambda one: one.half), goal.span):
        return
    context.results.open_rules = result
    rules = open_rules_in(main)
    section.add(summary(main))
    if not rules:
        return
    section.results["in_force"] = {
        "rules": [rule.text for rule in rules],
        "certain": [knob_of(row).doubt for row in certain_rows(tried, margins_of())],
    }
    rows = [[rule.text, rule.knob, rule.provenance, rule.rulebook] for rule in rules]
    columns = [
        Column("rule", "open rule"),
        Column("knob", "changed with"),
        Column("provenance", "comes from"),
        Column("rulebook", "what it rests on"),
    ]
    inside = [table("open_list", "The open rules in play.", columns, rows)]
    if result is not None and tried:
        section.add(*effects(tried, margins_of()))
        inside += _details(section, result, tried, games)
        section.results["open_rules"] = result
    section.add_fold("The open rules, and every answer that was tried", *inside)
    section.repeat = context.repeat_section(section)


def dependence(context: Context) -> list[Block]:
    """On which open rule the results depend most, for the head of the page."""
    result = context.results.open_rules
    rows = certain_rows(result.rows if result else (), margins_of())
    return [effect(row) for row in rows if row.measure in TOLD][:1]


def _details(section: Section, result: Table, tried: Sequence[Row], games: int) -> list[Block]:
    """The figure, what changed nothing and what was not tried; the table as a file."""
    labels = list(dict.fromkeys(row.label for row in tried))
    still = [label for label in labels if is_still([row for row in tried if row.label == label])]
    drawn = [label for label in labels if label not in still][:MOST_DRAWN]
    inside: list[Block] = []
    if drawn:
        alt = f"What {listed(drawn)} change, on the same deals."
        caption = f"The answers that change most, on the same {games:,} deals."
        rows = [row for row in tried if row.label in drawn]
        inside.append(section.drawn(figure("open_rules", caption, alt), partial(draw, result, rows=rows)))
    if still:
        inside.append(note("These answers changed none of {games} games: {rules}.", games=games, rules=listed(still)))
    return [*inside, *as_files(result.tables(), "open_rules")]


def is_still(rows: Sequence[Row]) -> bool:
    """Whether another answer changed no game at all."""
    return all(row.change is None or row.change.value == 0 for row in rows)
