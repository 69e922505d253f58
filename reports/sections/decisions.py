"""Which decisions matter: how many choices a game has, and how many of them make a difference."""

from __future__ import annotations

from functools import partial

from houle.analysis.blocks import OWN, Column, note, table, text
from houle.analysis.strategy.decisions import decisions as note_decisions
from houle.reports.blocks import Section, figure
from houle.reports.context import Context
from houle.reports.figures.decisions import draw

LEAST_GAMES = 8  # with fewer, the intervals are too wide to be useful


def fill(context: Context, section: Section) -> None:
    if not context.has_thumb:
        return
    search = context.effort["decisions_search"]
    games = context.searched("decisions_games", search)
    if games < min(context.effort.number("decisions_games"), LEAST_GAMES):
        section.add(
            text(
                "Not measured: games are so long that only {games} could be judged at this effort. A report with "
                "--effort normal or deep judges more.",
                games=games,
            )
        )
        return
    decisions = note_decisions(context.main, strategies=search, **context.run(games))
    whole = decisions.whole.estimates
    section.add(
        text(
            "A game with {setup} has {per_game} decisions. {forced} of them leave no choice. Of the others, {matters} "
            "matter: the best move wins at least {least} more games in 100 than a random one.",
            setup=context.main_setup,
            per_game=whole["per_game"],
            forced=whole["forced"],
            matters=whole["matters"],
            least=f"{100 * decisions.least:g}",
        )
    )
    if "card_read" in whole:
        section.add(
            text(
                "Watching the others pays: what they play gives away hidden cards. An attentive player expects the "
                "right card with a chance of {read} instead of {even}.",
                read=whole["card_read"],
                even=whole["card_even"],
            )
        )
    elif "nats" in whole and whole["nats"].low > 0:
        section.add(text("Watching the others pays: what they play gives away something about their hidden cards."))
    alt = "What a decision is worth and how often it matters, from the start to the end of a game; see the table."
    drawn = section.drawn(
        figure("decisions", "How much decisions matter as the game goes on.", alt), partial(draw, decisions)
    )
    rows = [[about, whole.get(name)] for name, about in decisions.measures.items() if name != "nats"]
    columns = [Column("measure", "measure"), Column("value", "value", OWN)]
    caption = f"All decisions of {games:,} games, with 95% intervals."
    section.add_fold(
        "From the first to the last decision, in numbers",
        drawn,
        table("decisions", caption, columns, rows),
        note(
            "The players follow the rules of thumb, and a search ({search}) judges every move. Moves are compared by "
            "the search's measure of the end of a round, from 0 to 1. A random move may be the best one, so the best "
            "move may be closer to it than to the second best. "
            "Intervals are clustered by game.",
            search=search,
        ),
    )
    section.results["decisions"] = context.results.decisions = decisions
    section.repeat = [context.again(decisions)]
