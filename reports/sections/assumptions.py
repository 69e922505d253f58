"""Rules we had to interpret: what other readings of the rules that the rulebook leaves open would change."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial

from houle.analysis.blocks import OWN, Block, Column, note, table
from houle.analysis.comparison.assumptions import Assumptions, Turned, assumptions
from houle.analysis.measures.measures import measure_title
from houle.reports.blocks import Section, figure
from houle.reports.context import Context
from houle.reports.figures.assumptions import draw
from houle.solver.errors import InputError
from houle.solver.texts import listed

MOST_DRAWN = 8  # readings in the figure
READINGS = 12  # of a game, about; only the progress bar uses it


def fill(context: Context, section: Section) -> None:
    main, games = context.main, context.games
    try:
        result = assumptions(main, strategies=context.level, **context.run(games, READINGS))
    except InputError:  # no open rule in this setup
        return
    if not result.ranked:
        return
    section.add(*result.sentences())
    moved = [turned for turned in result.ranked if not is_still(turned)]
    drawn = moved[:MOST_DRAWN]
    inside = result.not_known()
    if drawn:
        alt = f"What {listed([turned.turn.label for turned in drawn])} change, on the same deals."
        caption = "The readings that change most, on the same deals."
        inside.append(section.drawn(figure("assumptions", caption, alt), partial(draw, result, turns=drawn)))
    still = [turned.turn.label for turned in result.ranked if is_still(turned)]
    if still:
        inside.append(note("These readings changed no game: {rules}.", rules=listed(still)))
    if result.left_out:
        reasons: dict[str, list[str]] = {}
        for label, why in result.left_out:
            reasons.setdefault(why, []).append(label)
        why_not = "; ".join(f"{listed(labels)} ({why})" for why, labels in reasons.items())
        inside.append(note("Not tried: {rules}.", rules=why_not))
    if any(rule.provenance != "printed" for rule in main.fixed_rules):
        inside.append(note("The appendix lists open rules that cannot be changed here."))
    section.add_fold(f"Every reading that was tried, {games:,} games each", *inside, _table(result, games))
    section.results["assumptions"] = context.results.assumptions = result
    section.results["in_force"] = asdict(result.in_force)
    section.repeat = [context.again(result)]


def is_still(turned: Turned) -> bool:
    """Whether another reading changed no game at all."""
    return all(not row.difference or row.difference.interval.value == 0 for row in turned.rows)


def _table(result: Assumptions, games: int) -> Block:
    rows = [
        [
            turned.turn.label,
            turned.turn.source,
            measure_title(row.measure, [row.arm.setup]).replace("_", " "),
            row.difference.interval if row.difference else None,
            row.verdict.text if row.verdict else "",
        ]
        for turned in result.ranked
        for row in turned.rows
        if row.difference is not None or row.verdict is not None
    ]
    columns = [
        Column("reading", "other reading"), Column("provenance", "our reading is"), Column("measure", "measure"),
        Column("change", "change", OWN), Column("verdict", "verdict"),
    ]  # fmt: skip
    caption = f"Other readings of the rules that the rulebook leaves open; {games:,} games each."
    return table("assumptions", caption, columns, rows, shown=False)
