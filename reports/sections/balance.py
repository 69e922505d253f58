"""Balance, length and scores: wins by seat, leads and comebacks, how long games last, how scores are spread."""

from __future__ import annotations

from functools import partial

from houle.reports.blocks import Section, figure
from houle.reports.context import Context
from houle.reports.figures.balance import below, draw, draw_length, twenty
from houle.solver.texts import as_sentence


def fill(context: Context, section: Section) -> None:
    balance = context.main_balance
    if balance.gap is not None and not context.knows(section, balance.gap.interval):
        return
    section.add(*balance.sentences(context.seconds_per_decision))
    lengths = f"{below(twenty(balance.lengths))} {context.main.ruleset.turns}."
    section.add_figure(
        figure("length", f"How long games of {context.who} last, as twenty games.", lengths),
        partial(draw_length, balance, context.seconds_per_decision),
    )
    one_side = len(balance.sides) == 1  # no seats to compare
    shown = "scores" if one_side else "wins by seat, scores and leads"
    block = figure("balance", as_sentence(shown), f"{context.title}: {shown}; the table has the numbers.")
    drawn = section.drawn(block, partial(draw, balance))
    if not one_side:
        section.add(drawn)
    details = [block for block in balance.details() if not one_side or block.get("name") != "seats"]
    section.add_fold(f"All numbers, from {balance.games:,} games", *([drawn] if one_side else []), *details)
    section.results["balance"] = balance
    section.repeat = context.repeat_balance(section)
