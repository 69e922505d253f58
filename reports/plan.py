"""What a report would play, for --dry-run: the games of its largest parts, from which the time is estimated."""

from __future__ import annotations

from collections.abc import Sequence

from houle.analysis.players.line_ups import line_up
from houle.analysis.sampling.grid import Arm
from houle.reports.context import Context
from houle.reports.sections.skill import LEAST_DEALS, SEATS

OTHER_PASSES = (
    20  # over the games of the main setup: seats, ends, deals, variants and other readings of the rules, about
)
MOST_SEARCHED = 3  # times the search games of the main setup, for all setups together
ABLATIONS = 60  # passes over the deals of the rules of thumb: each rule and each short list, about


def plan(context: Context) -> list[tuple[Sequence[Arm], int]]:
    """Arms and the games of each, as `time_needed` takes them."""
    effort, games = context.effort, context.effort.number("games")
    parts: list[tuple[Sequence[Arm], int]] = []
    for setup in context.cooperative:
        parts.append(([Arm(line_up(setup, name)) for name in context.strategies if name != context.expert], games))
    usual = [Arm(line_up(context.main, context.usual_strategy))]
    parts.append((usual, OTHER_PASSES * games))
    if not context.has_thumb:
        return parts
    parts.append((usual, ABLATIONS * effort.number("rules_of_thumb_deals") * len(context.main.seats_by_side)))
    searched = effort.number("search_games") * min(len(context.cooperative), MOST_SEARCHED)
    deals = context.searched("skill_search_deals", context.expert, SEATS * context.main.players)
    searched += deals if deals >= LEAST_DEALS else 0
    return [*parts, *([([Arm(line_up(context.main, context.expert))], searched)] if searched else [])]
