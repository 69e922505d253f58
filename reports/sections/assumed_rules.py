"""What hangs on our reading of the rules: those that print does not settle and that a knob turns, turned."""

from __future__ import annotations

from functools import partial
from typing import Any

from houle.analysis.comparison.assumptions import Assumptions, assumptions
from houle.analysis.comparison.measures import is_percent, measure_title
from houle.analysis.stats.intervals import CONFIDENCE, Interval, normal_quantile
from houle.reports.blocks import OWN, POINTS, Block, Column, Section, figure, note, number, table, text
from houle.reports.context import Context
from houle.reports.figures.assumptions import draw
from houle.reports.html.format import as_sentence, listed
from houle.solver.ruleset import RulesetError

TURNS = 12  # about as many arms as a game has turned rules; only the progress bar hangs on it


def make_section(context: Context) -> Section:
    section = Section("assumed", "What hangs on our reading of the rules")
    main, games = context.main, context.effort.number("assumed_games")
    try:
        result = assumptions(
            main, strategies=context.usual_strategy, games=games, seed=context.seed, threads=context.threads,
            progress=context.progress(TURNS * games),
        )  # fmt: skip
    except RulesetError as fault:
        section.add(text("{fault}", fault=as_sentence(str(fault))))
        return section
    section.add(*_conclusions(context, result))
    section.add_figure(
        figure("assumed", "What every turned rule changes, on the same games.", "Each turned rule; see the table."),
        partial(draw, result),
    )
    section.add(_table(result, games))
    if any(rule.provenance != "printed" for rule in main.fixed_rules):
        section.add(note("The appendix lists the rules that print does not settle and that cannot be turned."))
    for label, why in result.left_out:
        section.add(note("Not turned: {label}, because {why}.", label=label, why=why))
    section.results["assumptions"] = result.as_json()
    section.results["in_force"] = in_force(result)
    section.repeat = [context.command("sweep", main, "--assumed", "-s", context.usual_strategy, "-n", games)]
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
    return {"turned": len(here), "certain": list(dict.fromkeys(certain))}


def _changes(found: Interval, wider: float, margin: float) -> bool:
    """Whether an interval, made so much wider, holds no difference that is nothing, and not only small ones."""
    low = found.value - wider * (found.value - found.low)
    high = found.value + wider * (found.high - found.value)
    return (low > 0 or high < 0) and max(abs(low), abs(high)) > margin


def _conclusions(context: Context, result: Assumptions) -> list[Block]:
    blocks = []
    for measure, hangs, unknown in result.conclusions:
        values = {
            "measure": measure_title(measure, [context.main]).replace("_", " ").capitalize(),
            "rules": listed(hangs) if hangs else "no assumed rule by more than matters",
        }
        if unknown:
            blocks.append(
                text("{measure} hangs on {rules}; not known yet: {unknown}.", **values, unknown=listed(unknown))
            )
        else:
            blocks.append(text("{measure} hangs on {rules}.", **values))
    return blocks


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
    return table(
        "assumed", f"The rules that print does not settle and that can be turned; {games:,} games each.", columns, rows
    )
