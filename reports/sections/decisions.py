"""What there is to decide: how many choices a game has, and how much of them matters."""

from __future__ import annotations

from functools import partial

from houle.analysis.strategy.decisions import SHARES, note_decisions
from houle.reports.blocks import OWN, PERCENT, Column, Section, figure, note, number, table, text
from houle.reports.context import Context
from houle.reports.figures.decisions import draw

LEAST_TOLD = 8  # games: what the decisions of fewer say has ends so far apart that it is left out


def make_section(context: Context) -> Section:
    section = Section("decisions", "What there is to decide")
    if not context.has_thumb:
        return section
    search = context.effort["decision_search"]
    games = context.searched("decision_games", search)
    if games < min(context.effort.number("decision_games"), LEAST_TOLD):
        section.add(
            text(
                "Games are so long here that search could judge {games} of them at this effort, which tells nothing; "
                "a report with more effort judges more.",
                games=games,
            )
        )
        return section
    decisions = note_decisions(
        context.main, search, games, context.seed, threads=context.threads, progress=context.progress(games)
    )
    whole = decisions.whole.estimates
    section.add(
        text(
            "With {table} a game has {per_game} decisions; {forced} of them leave no choice. Of the choices {matters} "
            "matter: the best move wins at least {least} points more than a random one.",
            table=context.main_table,
            per_game=number(whole["per_game"]),
            forced=number(whole["forced"], PERCENT),
            matters=number(whole["matters"], PERCENT),
            least=f"{100 * decisions.least:g}",
        )
    )
    if "card_read" in whole:
        section.add(
            text(
                "What the others laid tells of the cards that they hide: whoever reads it gives the true card a chance "
                "of {read} instead of {even} ({nats} nats a decision; thumbs play here).",
                read=number(whole["card_read"], PERCENT),
                even=number(whole["card_even"], PERCENT),
                nats=number(whole["nats"]),
            )
        )
    elif "nats" in whole:
        section.add(
            text(
                "What the others did tells of the cards that they hide: their real hands explain it better than hands "
                "that they might have, by {nats} nats a decision (thumbs play here).",
                nats=number(whole["nats"]),
            )
        )
    alt = "Stakes of a decision and how often it matters, from the first to the last tenth of a game; see the table."
    drawn = section.drawn(
        figure("decisions", "What hangs on a decision as the game goes on.", alt), partial(draw, decisions)
    )
    rows = [
        [about, number(whole.get(name), PERCENT if name in SHARES else "")]
        for name, about in decisions.measures.items()
    ]
    columns = [Column("measure", "measure"), Column("value", "value", OWN)]
    caption = f"All decisions of {games:,} games, thumbs play, {search} judges; intervals clustered by game."
    section.add_fold(
        "From the first to the last decision",
        drawn,
        table("decisions", caption, columns, rows),
        note(
            "Stakes are differences of search's measure of the end of a round, which runs from 0 to 1. A random move "
            "may be the best one, so that the best may be nearer to it than to the second best."
        ),
    )
    section.results["decisions"] = decisions.as_json()
    section.repeat = [context.again(decisions)]
    return section
