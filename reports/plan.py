"""What a report would play, for --dry-run: the games of its largest parts, from which the time is estimated."""

from __future__ import annotations

from houle.analysis.players.line_ups import line_up
from houle.analysis.sampling.plan import Plan
from houle.reports.context import Context
from houle.reports.sections.skill import LEAST_DEALS, SEATS

OTHER_PASSES = (
    20  # over the games of the main setup: seats, ends, deals, variants and other readings of the rules, about
)
MOST_SEARCHED = 3  # times the search games of the main setup, for all setups together
ABLATIONS = 60  # passes over the deals of the rules of thumb: each rule and each short list, about


def plan(context: Context) -> Plan:
    effort, games = context.effort, context.effort.number("games")
    quick = [name for name in context.strategies if name != context.expert]
    usual = [line_up(context.main, context.usual_strategy)]
    levels = [("", [line_up(setup, name) for name in quick], games) for setup in context.cooperative]
    whole = Plan.of(*levels, ("", usual, OTHER_PASSES * games))
    if not context.has_thumb:
        return whole
    sides = len(context.main.seats_by_side)
    searched = effort.number("search_games") * min(len(context.cooperative), MOST_SEARCHED)
    deals = context.searched("skill_search_deals", context.expert, SEATS * context.main.players)
    searched += deals if deals >= LEAST_DEALS else 0
    return whole + Plan.of(
        ("", usual, ABLATIONS * effort.number("rules_of_thumb_deals") * sides),
        ("", [line_up(context.main, context.expert)] * bool(searched), searched),
    )
