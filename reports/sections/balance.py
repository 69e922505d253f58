"""Balance and course: wins by seat, leads and comebacks, how long games are."""

from __future__ import annotations

from functools import partial

from houle import analysis
from houle.reports.blocks import OWN, PERCENT, SEATS, Column, Section, figure, number, table, text
from houle.reports.context import Context
from houle.reports.figures.balance import draw
from houle.reports.html.format import as_sentence, listed

LIKELY = 0.05  # seats may be equal where chance is at least as unkind as this


def make_section(context: Context) -> Section:
    section = Section("balance", "Balance and course")
    games, strategy = context.effort.number("balance_games"), context.usual_strategy
    balance = analysis.balance(
        context.main, strategies=strategy, games=games, seed=context.seed, threads=context.threads,
        progress=context.progress(games),
    )  # fmt: skip
    section.add(
        text(
            "With {table}, everyone playing {strategy}, {games} games.",
            table=context.main_table,
            strategy=strategy,
            games=balance.games,
        )
    )
    if balance.even is not None and balance.fair is not None:
        section.add(
            text(
                "An equal share is {fair}. By a chi-square test {verdict} (p = {p}).",
                fair=number(balance.fair, PERCENT),
                verdict="all seats may be equal" if balance.even.p > LIKELY else "seats are not equal",
                p=f"{balance.even.p:.2g}",
            )
        )
        columns = [Column("side", "side", SEATS), Column("win", "wins", PERCENT)]
        rows = [[name, number(win, PERCENT)] for name, win in balance.sides]
        section.add(table("seats", "Wins by seat, with 95% intervals.", columns, rows))
    section.add(*(text("{remark}", remark=as_sentence(line)) for line in balance.missing))
    columns = [Column("measure", "measure"), Column("value", "value", OWN)]
    rows = [[measure.about, number(measure.value, PERCENT if measure.percent else "")] for measure in balance.measures]
    section.add(table("course", "The course of games, with 95% intervals.", columns, rows))
    lengths = (
        f"{context.main.ruleset.turns} of a game: {listed([str(turns) for turns, _ in balance.lengths[:3]])} and more"
    )
    section.add_figure(
        figure("balance", "Seats, course and length of games.", f"{context.title}: {lengths}; numbers in the table."),
        partial(draw, balance),
    )
    section.results["balance"] = balance.as_json()
    section.repeat = [context.command("balance", context.main, "-s", strategy, "-n", games)]
    return section
