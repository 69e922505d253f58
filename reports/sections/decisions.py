"""Which decisions matter: how many choices a game has, and how many of them make a difference."""

from __future__ import annotations

from functools import partial

from houle.analysis.explain.decisions import decisions as judge_decisions
from houle.reports.blocks import Section, figure
from houle.reports.context import Context
from houle.reports.figures.decisions import draw
from houle.solver.players.names import parse


def fill(context: Context, section: Section) -> None:
    if not context.has_thumb:
        return
    if not context.wants(section):
        return
    search = context.effort["decisions_search"]
    games = context.searched("decisions_games", search)
    decisions = judge_decisions(context.main, parse(search), context.part(games))
    if not context.knows(section, decisions.whole.estimates["matters"]):
        return
    section.add(*decisions.sentences())
    alt = "What a decision is worth and how often it matters, from the start to the end of a game; see the table."
    drawn = section.drawn(
        figure("decisions", "How much decisions matter as the game goes on.", alt), partial(draw, decisions)
    )
    section.add_fold("From the first to the last decision, in numbers", drawn, *decisions.details())
    section.results["decisions"] = context.results.decisions = decisions
    section.repeat = context.repeat_section(section)
