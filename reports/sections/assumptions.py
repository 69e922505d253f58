"""What hangs on our reading of the rules: those that print does not settle and that a knob turns, turned."""

from __future__ import annotations

from functools import partial
from typing import Any

from houle.analysis.comparison.assumptions import Assumptions, Turned, assumptions
from houle.analysis.comparison.measures import is_percent, measure_title
from houle.analysis.stats.intervals import CONFIDENCE, Interval, normal_quantile
from houle.reports.blocks import OWN, POINTS, Block, Column, Section, figure, note, number, table, text
from houle.reports.context import Context
from houle.reports.figures.assumptions import draw
from houle.reports.html.format import listed
from houle.solver.errors import InputError

MOST_DRAWN = 8  # turned rules in the figure
TURNS = 12  # about as many arms as a game has turned rules; only the progress bar hangs on it


def make_section(context: Context) -> Section:
    section = Section("assumptions", "What hangs on our reading of the rules")
    main, games = context.main, context.effort.number("assumptions_games")
    try:
        result = assumptions(
            main, strategies=context.usual_strategy, games=games, seed=context.seed, threads=context.threads,
            progress=context.progress(TURNS * games),
        )  # fmt: skip
    except InputError:  # there is nothing to turn at this table
        return section
    if not result.ranked:
        return section
    found = in_force(result)
    section.add(_conclusion(found))
    moved = [turned for turned in result.ranked if not is_still(turned)]
    drawn = moved[:MOST_DRAWN]
    inside = []
    if drawn:
        alt = f"What {listed([turned.turn.label for turned in drawn])} change, on the same games."
        caption = "What turned rules change most, on the same games."
        inside.append(section.drawn(figure("assumptions", caption, alt), partial(draw, result, turns=drawn)))
    still = [turned.turn.label for turned in result.ranked if is_still(turned)]
    if still:
        inside.append(note("No game changed: {rules}.", rules=listed(still)))
    if result.left_out:
        why_not = "; ".join(f"{label} ({why})" for label, why in result.left_out)
        inside.append(note("Not turned: {rules}.", rules=why_not))
    if any(rule.provenance != "printed" for rule in main.fixed_rules):
        inside.append(note("The appendix lists the rules that print does not settle and that cannot be turned."))
    section.add_fold(f"Every rule that was turned, {games:,} games each", *inside, _table(result, games))
    section.results["assumptions"] = result.as_json()
    section.results["in_force"] = found
    section.repeat = [context.again(result)]
    return section


def in_force(result: Assumptions) -> dict[str, Any]:
    """Of the rules that are in play at the table itself: how many were turned, and which certainly change something.

    All of their differences are read at once, so each must hold at a confidence that is shared out among them.
    """
    here = [turned for turned in result.ranked if not turned.turn.where]
    rows = [(turned, row) for turned in here for row in turned.rows if row.difference is not None]
    confidence = 1 - (1 - CONFIDENCE) / max(len(rows), 1)
    wider = normal_quantile(confidence) / normal_quantile(CONFIDENCE)
    certain = [
        turned.turn.knob.name
        for turned, row in rows
        if row.difference and _changes(row.difference.interval, wider, turned.margins[row.measure])
    ]
    rules = {turned.turn.knob.name for turned in here}
    return {"turned": len(here), "rules": len(rules), "certain": list(dict.fromkeys(certain))}


def _changes(found: Interval, wider: float, margin: float) -> bool:
    """Whether an interval, made so much wider, holds no difference that is nothing, and not only small ones."""
    low = found.value - wider * (found.value - found.low)
    high = found.value + wider * (found.high - found.value)
    return (low > 0 or high < 0) and max(abs(low), abs(high)) > margin


def is_still(turned: Turned) -> bool:
    """Whether a turned rule changed no game at all."""
    return all(not row.difference or row.difference.interval.value == 0 for row in turned.rows)


def _conclusion(found: dict[str, Any]) -> Block:
    number_of_rules, certain = found["rules"], found["certain"]
    if number_of_rules == 1:
        told = "it changes the results" if certain else "it is not known to change the results by more than matters"
    elif not certain:
        told = "none is known to change the results by more than matters"
    else:
        rest = "; the others are not known to" if len(certain) < number_of_rules else ""
        told = f"{listed(certain)} {'changes' if len(certain) == 1 else 'change'} the results{rest}"
    return text(
        "Print does not settle {turned} of the rules in play here. Turned on the same games, {told}.",
        turned=number_of_rules,
        told=told,
    )


def _table(result: Assumptions, games: int) -> Block:
    rows = [
        [
            turned.turn.label,
            turned.turn.knob.provenance,
            measure_title(row.measure, [row.arm.setup]).replace("_", " "),
            number(row.difference.interval, POINTS if is_percent(row.measure) else "") if row.difference else None,
            row.verdict.text if row.verdict else "",
        ]
        for turned in result.ranked
        for row in turned.rows
        if row.difference is not None or row.verdict is not None
    ]
    columns = [
        Column("turn", "rule turned"), Column("provenance", "ours is"), Column("measure", "measure"),
        Column("change", "change", OWN), Column("verdict", "verdict"),
    ]  # fmt: skip
    caption = f"The rules that print does not settle and that can be turned; {games:,} games each."
    return table("assumptions", caption, columns, rows, shown=False)
