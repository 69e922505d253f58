"""Balance, length and scores: wins by seat, leads and comebacks, how long games last, how scores are spread."""

from __future__ import annotations

from functools import partial

from houle.analysis.blocks import OWN, SEATS, Block, Column, exact, note, table, text
from houle.analysis.fairness.balance import Balance
from houle.analysis.fairness.balance import balance as play_balance
from houle.analysis.stats.estimate import PERCENT
from houle.reports.blocks import Section, figure
from houle.reports.context import Context
from houle.reports.figures.balance import draw
from houle.solver.texts import as_sentence

LEAST_P = 0.001  # smaller p-values are shown as `p < 0.001`
LIKELY = 0.05  # seats may be equal if the p-value is larger


def fill(context: Context, section: Section) -> None:
    games = context.effort.number("games")
    balance = play_balance(context.main, strategies=context.usual_strategy, **context.run(games))
    values = {measure.name: measure.value for measure in balance.measures}
    tests = []
    if balance.even is not None and balance.fair is not None:
        fair = balance.even.p > LIKELY
        section.add(
            text(
                "{verdict} Between equally good players an equal share is {fair}.",
                verdict="All seats may be equally good." if fair else "Some seats are better than others.",
                fair=exact(balance.fair, PERCENT),
            )
        )
        p = f"p = {balance.even.p:.2g}" if balance.even.p >= LEAST_P else f"p < {LEAST_P:g}"
        tests = [note("Whether seats are equal was tested with a chi-square test: {p}.", p=p)]
    elif balance.fair is None and len(balance.sides) > 1:
        name, win = balance.sides[0]
        section.add(text("The {side} wins {win} of games.", side=name, win=win))
    section.add(length_words(context, balance))
    if "comebacks" in values:
        section.add(
            text(
                "{comebacks} of the winners were not in the lead at half-time. The lead changes {changes} times in a "
                "game, and the winner takes it for good after {decided} of the game.",
                comebacks=values["comebacks"],
                changes=values["lead_changes"],
                decided=values["decided"],
            )
        )
    one_side = len(balance.sides) == 1  # no seats to compare
    columns = [Column("side", "side", SEATS), Column("win", "games won")]
    seats = table("seats", "Games won by seat, with 95% intervals.", columns, balance.sides, shown=False)
    columns = [Column("measure", "measure"), Column("value", "value", OWN)]
    rows = [[measure.about, measure.value] for measure in balance.measures]
    shown = "scores and length of games" if one_side else "wins by seat, scores, leads and length of games"
    section.add_figure(
        figure("balance", as_sentence(shown), f"{context.title}: {shown}; the table has the numbers."),
        partial(draw, balance),
    )
    section.add_fold(
        f"All numbers, from {balance.games:,} games",
        *([] if one_side else [seats]),
        table("balance", "Balance and length of games, with 95% intervals.", columns, rows),
        *(
            [table("ends", "How games end.", [Column("end", "how"), Column("share", "games")], balance.ends)]
            if balance.ends
            else []
        ),
        *tests,
    )
    section.results["balance"] = context.results.balance = balance
    section.repeat = [context.again(balance)]


def length_words(context: Context, balance: Balance) -> Block:
    """How long half and nine in ten of the games last; in minutes too, if the seconds of a turn are given."""
    half, most = (balance.measure(name) for name in ("turns_50", "turns_90"))
    turns, seconds = context.main.ruleset.turns, context.seconds_per_turn
    if seconds is None or half is None or most is None:
        return text("Half of the games last at most {half} {turns}, nine in ten at most {most}.",
                    half=half, turns=turns, most=most)  # fmt: skip
    minutes = [f"{max(1, round(part.value * seconds / 60)):,}" for part in (half, most)]
    return text(
        "Half of the games last at most {half} {turns}, about {short} minutes; nine in ten at most {most}, about "
        "{long} minutes ({seconds} seconds for each of the {turns}).",
        half=half,
        most=most,
        turns=turns,
        short=minutes[0],
        long=minutes[1],
        seconds=f"{seconds:g}",
    )
