"""Balance and length: wins by seat, leads and comebacks, how long games last."""

from __future__ import annotations

from functools import partial

from houle.analysis.fairness.balance import balance as play_balance
from houle.reports.blocks import OWN, PERCENT, SEATS, Column, Section, figure, note, number, table, text
from houle.reports.context import Context
from houle.reports.figures.balance import draw

LEAST_P = 0.001  # smaller p-values are shown as `p < 0.001`
LIKELY = 0.05  # seats may be equal if the p-value is larger


def make_section(context: Context) -> Section:
    section = Section("balance", "Balance and length of games")
    games, strategy = context.effort.number("balance_games"), context.usual_strategy
    balance = play_balance(
        context.main, strategies=strategy, games=games, seed=context.seed, threads=context.threads,
        progress=context.progress(games),
    )  # fmt: skip
    values = {measure.name: measure.value for measure in balance.measures}
    tests = []
    if balance.even is not None and balance.fair is not None:
        fair = balance.even.p > LIKELY
        section.add(
            text(
                "{verdict} Between equally good players an equal share is {fair}.",
                verdict="All seats may be equally good." if fair else "Some seats are better than others.",
                fair=number(balance.fair, PERCENT),
            )
        )
        p = f"p = {balance.even.p:.2g}" if balance.even.p >= LEAST_P else f"p < {LEAST_P:g}"
        tests = [note("Whether seats are equal was tested with a chi-square test: {p}.", p=p)]
    elif balance.fair is None and len(balance.sides) > 1:
        name, win = balance.sides[0]
        section.add(text("The {side} wins {win} of games.", side=name, win=number(win, PERCENT)))
    section.add(
        text(
            "Half of the games last at most {half} {turns}, nine in ten at most {most}.",
            half=number(values["turns_50"]),
            turns=context.main.ruleset.turns,
            most=number(values["turns_90"]),
        )
    )
    if "comebacks" in values:
        section.add(
            text(
                "{comebacks} of the winners were not in the lead at half-time. The winner takes the lead for good "
                "after {decided} of the game.",
                comebacks=number(values["comebacks"], PERCENT),
                decided=number(values["decided"], PERCENT),
            )
        )
    columns = [Column("side", "side", SEATS), Column("win", "games won", PERCENT)]
    rows = [[name, number(win, PERCENT)] for name, win in balance.sides]
    one_side = len(balance.sides) == 1  # no seats to compare
    seats = [] if one_side else [table("seats", "Games won by seat, with 95% intervals.", columns, rows, shown=False)]
    columns = [Column("measure", "measure"), Column("value", "value", OWN)]
    rows = [[measure.about, number(measure.value, PERCENT if measure.percent else "")] for measure in balance.measures]
    shown = "length of games" if one_side else "wins by seat, leads and length of games"
    section.add_fold(
        f"All numbers, from {balance.games:,} games",
        section.drawn(
            figure("balance", f"{shown.capitalize()}.", f"{context.title}: {shown}; the table has the numbers."),
            partial(draw, balance),
        ),
        *seats,
        table("balance", "Balance and length of games, with 95% intervals.", columns, rows),
        *tests,
    )
    section.results["balance"] = balance.as_json()
    section.repeat = [context.again(balance)]
    return section
