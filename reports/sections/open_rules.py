"""Rules we had to interpret in the main setup: one list, and what other readings of them would change."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from houle.analysis.blocks import Block, Column, about, note, table, text
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.measures import measure_title
from houle.analysis.measures.verdicts import margins_of
from houle.analysis.tables.open_rules import doubts, knob_of, matters, open_rules, size
from houle.analysis.tables.table import Row, Table
from houle.reports.blocks import Section, as_files, figure
from houle.reports.context import Context
from houle.reports.figures.table import draw
from houle.solver.errors import RulesError
from houle.solver.texts import capital, in_words, listed

MOST_DRAWN = 8  # readings in the figure
TOLD = ("win", "score", "length")  # measures in the head of the page
READINGS = 8  # of a game, about; only the progress bar uses it


def fill(context: Context, section: Section) -> None:
    main, games = context.main, context.games
    try:
        result = open_rules(main, strategies=context.level, elsewhere=False, **context.run(games, READINGS))
    except RulesError:  # no open rule that can be changed in this setup
        result = None
    tried = result.rows if result else ()
    goal = Goal(main)
    widths = [row.change for row in tried if row.measure == goal.measure and row.change]
    if widths and not context.knows(section, max(widths, key=lambda one: one.half), goal.span):
        return
    context.results.open_rules = result
    rules = list(dict.fromkeys(knob_of(row).name for row in tried))
    fixed = [rule for rule in main.fixed_rules if rule.provenance != "printed"]
    number = len(rules) + len(fixed)
    if not number:
        section.add(text("The rulebook leaves no rule in play here open."))
        return
    section.add(
        text(
            "The rulebook leaves {number} of the rules in play here open, so we had to choose.", number=in_words(number)
        )
    )
    section.results["in_force"] = {
        "rules": [*rules, *(rule.text for rule in fixed)],
        "certain": [knob_of(row).name for row in certain_rows(tried)],
    }
    rows = [[name, main.ruleset.knobs[name].provenance] for name in rules]
    rows += [[rule.text, rule.provenance] for rule in fixed]
    columns = [Column("rule", "open rule"), Column("provenance", "our reading is")]
    inside = [table("open_list", "The open rules in play; only named ones can be changed.", columns, rows)]
    if result is not None and tried:
        section.add(*_answers(context, tried), *doubts(main, tried))
        inside += _details(section, result, tried, games)
        section.results["open_rules"] = result
    section.add_fold("The open rules, and every reading that was tried", *inside)
    section.repeat = context.repeat_section(section)


def certain_rows(tried: Sequence[Row]) -> list[Row]:
    """For every rule that certainly changes a result: the reading and the measure that change most."""
    margins, found = margins_of(), dict[str, Row]()
    readings: dict[int, list[Row]] = {}
    for row in tried:  # the largest change first
        readings.setdefault(row.number, []).append(row)
    for rows in readings.values():
        for row in sorted(rows, key=lambda one: size(one, margins), reverse=True):
            if matters(row, margins[row.measure]):
                found.setdefault(knob_of(row).name, row)
    return list(found.values())


def dependence(context: Context) -> list[Block]:
    """On which open rule the results depend most, and by how much, for the head of the page."""
    result = context.results.open_rules
    told = [row for row in certain_rows(result.rows if result else ()) if row.measure in TOLD]
    return [text("The results depend on open rules: {change}.", change=_change(context, row)) for row in told[:1]]


def _change(context: Context, row: Row) -> Block:
    """`if the rulebook means "talk=silent", games won by families change by -3.1 points (-5.0 to -1.2)`."""
    title = measure_title(row.measure, [row.arm.setup]).replace("_", " ")
    words = text(
        "if the rulebook means \u201c{reading}\u201d, {title} of {who} change by {change}",
        reading=row.label,
        title=title,
        who=context.who,
        change=row.change,
    )
    return about(words, context.level, f"{row.measure}, change with {row.label}")


def _answers(context: Context, tried: Sequence[Row]) -> list[Block]:
    """Which readings change the results, and for which rules this is not known."""
    certain = certain_rows(tried)
    names = [knob_of(row).name for row in certain]
    unknown = {knob_of(row).name for row in tried if row.verdict.kind == "unknown"} - set(names)
    said = [
        text("{change}.", change={**change, "words": capital(change["words"])})
        for change in (_change(context, row) for row in certain)
    ]
    if not certain:
        said = [text("No other reading that was tried is known to change a result by more than its margin.")]
    if unknown:
        said.append(note("Not known yet, for lack of games: the effect of {rules}.", rules=listed(sorted(unknown))))
    return said


def _details(section: Section, result: Table, tried: Sequence[Row], games: int) -> list[Block]:
    """The figure, what changed nothing and what was not tried; the table as a file."""
    labels = list(dict.fromkeys(row.label for row in tried))
    still = [label for label in labels if is_still([row for row in tried if row.label == label])]
    drawn = [label for label in labels if label not in still][:MOST_DRAWN]
    inside: list[Block] = []
    if drawn:
        alt = f"What {listed(drawn)} change, on the same deals."
        caption = f"The readings that change most, on the same {games:,} deals."
        rows = [row for row in tried if row.label in drawn]
        inside.append(section.drawn(figure("open_rules", caption, alt), partial(draw, result, rows=rows)))
    if still:
        inside.append(note("These readings changed none of {games} games: {rules}.", games=games, rules=listed(still)))
    return [*inside, *as_files(result.tables(), "open_rules")]


def is_still(rows: Sequence[Row]) -> bool:
    """Whether another reading changed no game at all."""
    return all(row.change is None or row.change.value == 0 for row in rows)
