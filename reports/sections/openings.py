"""What the deal tells you: chances given what is known when the cards are dealt."""

from __future__ import annotations

from functools import partial

from houle.reports.blocks import Section, as_files, figure
from houle.reports.context import Context
from houle.reports.figures.openings import draw
from houle.solver.language.seats import from_1
from houle.solver.texts import listed


def fill(context: Context, section: Section) -> None:
    result = context.main_balance.openings
    if result is None or not result.tables:
        return
    known = min(result.named, key=lambda named: named.more.half, default=None)
    if not context.knows(section, known.more if known else None, result.goal.span):
        return
    section.add(*result.sentences())
    facts = listed([from_1(fact.about) for fact in result.tables])
    drawn = figure(
        "openings",
        f"Chances by what the deal shows, compared with all deals; {result.games:,} games.",
        f"Games won and scores by {facts}.",
    )
    section.add_fold("All numbers", section.drawn(drawn, partial(draw, result)), *as_files(result.details()))
    section.results["openings"] = result
    section.repeat = context.repeat_balance(section)
