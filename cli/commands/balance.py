"""`houle balance`: how even a table is, and how its games go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import houle
from houle.analysis.result import shown_side
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command

if TYPE_CHECKING:
    from houle import Balance

LEAST_P = 0.001  # below it nobody asks how much


@analysis_command(least=2)
def balance(call: Call) -> None:
    """Show how even GAME is, and how its games go.

    Wins of every seat with a chi-square test over all of them; how long games are; how often the winner was behind, how
    often the lead changes, how early the winner leads for good. 95% intervals. What a game does not have is said. The
    thumb plays unless -s says otherwise.

    \b
    Examples:
      houle balance vague-verte -p 4
      houle balance land-unter -p 5 -s thumb -n 1e5 --figure balance.png
    """
    result = call.play(houle.balance, call.setup)
    call.tell(result, page(result))


def page(result: Balance) -> list[str]:
    """Who wins how often and whether that is even, how games go, and what this table does not have."""
    lines = [text.columns(["side", "wins"], [[shown_side(name), text.shown(win, True)] for name, win in result.sides])]
    if result.excess is not None:
        points = text.shown(result.excess.points, True).replace("%", "", 1)
        who = f"{shown_side(result.excess.side)} is farthest from an equal share"
        line = f"excess   {points} points: {who}; the interval counts that it was picked among {len(result.sides)}"
        lines += ["", text.paragraph(line, 0, 9)]
    if result.even is not None:
        even = result.even
        odds = f"p = {even.p:.2g}" if even.p >= LEAST_P else f"p < {LEAST_P:g}"
        freedom = f"{text.plural(even.freedom, 'degree')} of freedom"
        line = f"even?    chi-square {even.statistic:.1f}, {freedom}, {odds}: {verdict(result)}"
        lines += ["", text.paragraph(line, 0, 9)]
    rows = [[measure.about, text.shown(measure.value, measure.percent), f"{measure.value.n:,}"]
            for measure in result.measures]  # fmt: skip
    lines += ["", text.columns(["course", "", "n"], rows, flexible=(0,), right=(2,))]
    return [
        *lines,
        *([""] if result.missing else []),
        *(text.paragraph(f"none     {line}", 0, 9) for line in result.missing),
    ]


def verdict(result: Balance) -> str:
    """What the test says, in words; other strategies in other seats are no test of seats."""
    differ = result.even is not None and result.even.p < 0.05
    if len(set(result.strategies)) > 1:
        return "the seats, and who sits there, make a difference" if differ else "no difference shows"
    if not differ:
        return "no difference between the sides shows"
    least, *_, most = sorted(result.sides, key=lambda side: side[1].value)
    return f"{shown_side(most[0])} wins most, {shown_side(least[0])} least"
