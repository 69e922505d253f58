"""Balance and course: wins by seat, leads and comebacks, how long games are."""

from __future__ import annotations

from functools import partial

import houle
from houle.reports.blocks import OWN, PERCENT, SEATS, Column, Section, figure, number, table, text
from houle.reports.context import Context
from houle.reports.figures.balance import draw
from houle.reports.html.format import listed

LEAST_P = 0.001  # below it nobody asks how much
LIKELY = 0.05  # seats may be equal where chance is at least as unkind as this


def make_section(context: Context) -> Section:
    section = Section("balance", "Length of games" if context.main in context.cooperative else "Balance and course")
    games, strategy = context.effort.number("balance_games"), context.usual_strategy
    balance = houle.balance(
        context.main, strategies=strategy, games=games, seed=context.seed, threads=context.threads,
        progress=context.progress(games),
    )  # fmt: skip
    values = {measure.name: measure.value for measure in balance.measures}
    if balance.even is not None and balance.fair is not None:
        section.add(
            text(
                "Between equal players ({strategy}) an equal share is {fair}; by a chi-square test {verdict} ({p}).",
                strategy=strategy,
                fair=number(balance.fair, PERCENT),
                verdict="all seats may be equal" if balance.even.p > LIKELY else "seats are not equal",
                p=f"p = {balance.even.p:.2g}" if balance.even.p >= LEAST_P else f"p < {LEAST_P:g}",
            )
        )
    elif balance.fair is None and len(balance.sides) > 1:
        name, win = balance.sides[0]
        section.add(text("The {side} ({strategy}) wins {win}.", side=name, strategy=strategy, win=number(win, PERCENT)))
    section.add(
        text(
            "Half of the games are over after {half} {turns}, nine in ten after {most}.",
            half=number(values["turns_50"]),
            turns=context.main.ruleset.turns,
            most=number(values["turns_90"]),
        )
    )
    if "comebacks" in values:
        section.add(
            text(
                "{comebacks} of the winners were not alone in front at half-time; the winner leads for good after "
                "{decided} of the game.",
                comebacks=number(values["comebacks"], PERCENT),
                decided=number(values["decided"], PERCENT),
            )
        )
    columns = [Column("side", "side", SEATS), Column("win", "wins", PERCENT)]
    rows = [[name, number(win, PERCENT)] for name, win in balance.sides]
    alone = len(balance.sides) == 1  # no seats to compare
    seats = [] if alone else [table("seats", "Wins by seat, with 95% intervals.", columns, rows, shown=False)]
    columns = [Column("measure", "measure"), Column("value", "value", OWN)]
    rows = [[measure.about, number(measure.value, PERCENT if measure.percent else "")] for measure in balance.measures]
    lengths = (
        f"{context.main.ruleset.turns} of a game: {listed([str(turns) for turns, _ in balance.lengths[:3]])} and more"
    )
    section.add_fold(
        f"Seats, course and length of {balance.games:,} games",
        section.drawn(
            figure("balance", "Seats, course and length.", f"{context.title}: {lengths}; numbers in the table."),
            partial(draw, balance),
        ),
        *seats,
        table("course", "The course of games, with 95% intervals.", columns, rows),
    )
    section.results["balance"] = balance.as_json()
    section.repeat = [context.again(balance)]
    return section
