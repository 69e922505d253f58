"""`houle balance`: how games go: seats, length, tension, what ends games, what the deal decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import houle
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import fair_option
from houle.solver.language.seats import from_1

if TYPE_CHECKING:
    from houle.analysis.explain.openings import Openings


@analysis_command(least=2)
@fair_option
def balance(call: Call, margin: float | None) -> None:
    """Show how games go: seats, length, tension, endings, the deal.

    How often each seat wins, and whether the seats are fair; how long games are; how often the winner was behind, and
    how early the winner leads for good; how games end, and on which card; and which facts about the deal change the
    chances. Facts about the deal are checked on new games. If a game deals again in each round, they are about one
    round.

    \b
    Examples:
      houle balance vague-verte -p 4
      houle balance wave -p 3 -s family
      houle balance land-unter -p 5 -n 1e5 -o balance.png
    """
    result = call.play(houle.balance, call.setup, margin=margin)
    answers = [line for part in result.parts for line in (*text.said(part.sentences()), "")]
    seen = [part for part in (result, result.endings) if part is not None]
    numbers = [line for part in seen for line in (*text.said(part.details()), "")]
    tables = [*answers, *numbers, *(deals(result.openings) if result.openings else [])]
    call.show(result, tables, repeat=call.typed(result.setup, result.games) if call.games is None else None)


def deals(result: Openings) -> list[str]:
    """A table for each of the facts about the deal that matter most."""
    lines: list[str] = []
    goal = result.goal
    for fact in result.shown:
        picks: text.Picks = [
            ("", lambda level: from_1(level.level)),
            ("cases", "n"),
            (goal.head, goal.measure),
            ("compared with all deals", f"{goal.measure}_more"),
            ("in new games", result.again),
        ]
        lines += [from_1(fact.about), text.table(fact.levels, picks), ""]
    lines += [text.paragraph(f"not shown: {result.not_shown}", 0, 2)] if result.not_shown else []
    return [*lines, "intervals in new games hold for all facts about the deal together"] if result.tables else lines
