"""`houle balance`: how fair the seats are, and how games unfold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import houle
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.solver.language.seats import from_1

if TYPE_CHECKING:
    from houle import Balance

LEAST_P = 0.001  # smaller values are shown as "p < 0.001"


@analysis_command(least=2)
def balance(call: Call) -> None:
    """Show how fair the seats are, and how games unfold.

    How often each seat wins, and whether the seats differ; how long games are; how often the winner was behind, how
    often the lead changes, how early the winner takes the lead for good, and how games end.

    \b
    Examples:
      houle balance vague-verte -p 4
      houle balance land-unter -p 5 -s thumb -n 1e5 --figure balance.png
    """
    result = call.play(houle.balance, call.setup)
    call.show(result, page(result))


def page(result: Balance) -> list[str]:
    """Wins by side and whether they differ, how games unfold, and what cannot be measured here."""
    lines = [text.table(result.sides, [("side", lambda side: from_1(side[0])), ("wins", lambda side: side[1])])]
    if result.excess is not None:
        side = from_1(result.excess.side)
        far = f"{side} is farthest from an equal share, by {result.excess.points.text()}"
        lines += ["", text.labelled("excess", far)]
    if result.even is not None:
        even = result.even
        odds = f"p = {even.p:.2g}" if even.p >= LEAST_P else f"p < {LEAST_P:g}"
        lines += ["", text.labelled("fair?", f"{verdict(result)} (chi-square test, {odds})")]
    measured: text.Picks = [("how games unfold", "about"), ("", "value"), ("games", lambda measure: measure.value.n)]
    lines += ["", text.table(result.measures, measured, flexible=("how games unfold",))]
    ends: text.Picks = [("how games end", lambda end: end[0]), ("", lambda end: end[1])]
    lines += ["", text.table(result.ends, ends)] if result.ends else []
    return [*lines, *([""] if result.missing else []), *(text.labelled("missing", line) for line in result.missing)]


def verdict(result: Balance) -> str:
    """The result of the test in words. With different players it does not test the seats."""
    differ = result.even is not None and result.even.p < 0.05
    if len(set(result.strategies)) > 1:
        return "the seats or their players make a difference" if differ else "no difference is visible"
    if not differ:
        return "no difference between the sides is visible"
    least, *_, most = sorted(result.sides, key=lambda side: side[1].value)
    return f"{from_1(most[0])} wins most, {from_1(least[0])} least"
