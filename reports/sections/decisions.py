"""Which decisions matter: how many choices a game has, and how many of them make a difference."""

from __future__ import annotations

from houle.analysis.explain.decisions import decisions as judge_decisions
from houle.reports.blocks import Section
from houle.reports.context import Context
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
    section.add_fold("From the first to the last decision, in numbers", *decisions.details())
    section.results["decisions"] = context.results.decisions = decisions
    section.repeat = context.repeat_section(section)
