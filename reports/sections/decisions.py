"""Which decisions matter: how many choices a game has, and how many of them make a difference."""

from __future__ import annotations

from functools import partial

from houle.analysis.blocks import text
from houle.analysis.result import plain
from houle.analysis.strategy.decisions import decisions as note_decisions
from houle.analysis.strategy.seldom_best import seldom_best, sentence_of
from houle.reports.blocks import Section, figure
from houle.reports.context import Context
from houle.reports.figures.decisions import draw

LEAST_GAMES = 8  # with fewer, the intervals are too wide to be useful


def fill(context: Context, section: Section) -> None:
    if not context.has_thumb:
        return
    _decisions(context, section)
    seldom = seldom_best(context.positions)
    if words := sentence_of(seldom):
        section.add(words)
    section.results["seldom_best"] = [plain(one.record()) for one in seldom]


def _decisions(context: Context, section: Section) -> None:
    """Add how many decisions matter, if enough games could be judged."""
    search = context.effort["decisions_search"]
    games = context.searched("decisions_games", search)
    too_few = text(
        "Not measured: games are so long that only {games} could be judged at this effort. A report with "
        "--effort normal or deep judges more.",
        games=games,
    )
    if games < min(context.effort.number("decisions_games"), LEAST_GAMES):
        section.add(too_few)
        return
    decisions = note_decisions(context.main, strategies=search, **context.run(games))
    number = decisions.whole.estimates["per_game"]
    if number.low <= 0:  # games differ so much in length that so few say nothing
        section.add(too_few)
        return
    section.add(*decisions.sentences())
    alt = "What a decision is worth and how often it matters, from the start to the end of a game; see the table."
    drawn = section.drawn(
        figure("decisions", "How much decisions matter as the game goes on.", alt), partial(draw, decisions)
    )
    section.add_fold("From the first to the last decision, in numbers", drawn, *decisions.details())
    section.results["decisions"] = context.results.decisions = decisions
    section.repeat = [context.again(decisions)]
