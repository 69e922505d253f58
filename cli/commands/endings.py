"""`houle endings`: how long games live, where they die, and what is left over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import houle
from houle.analysis.result import shown_side
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command

if TYPE_CHECKING:
    from houle import Endings
    from houle.analysis.stats.intervals import Interval

MOST_CARDS = 8  # lines of a table of cards


@analysis_command()
def endings(call: Call) -> None:
    """Show how long games of GAME live, and what ends them.

    The chance to be alive at every card, on which card and at whom games die, and which cards are left over, with 95%
    intervals. For games that die of a card that cannot be laid.

    \b
    Examples:
      houle endings wave -p 3
      houle endings wave -p 4 -v tide-colours -s thumb -n 1e6 --figure deaths.png
    """
    result = call.play(houle.endings, call.setup)
    call.tell(result, page(result), head(result))


def head(result: Endings) -> list[str]:
    number = text.plural(result.games, "game")
    return [
        *text.differences(result.setup),
        f"{text.table_line(result.setup)}, {text.deciders(result.strategies)}",
        f"{number} of seed {result.seed}, {result.lost:,} lost; 95% intervals, each by itself",
    ]


def page(result: Endings) -> list[str]:
    """The curve card by card, then where games end, then the cards."""
    last = len(result.alive) - 1
    rows = []
    for k in range(last + 1):
        dies = text.shown(result.dies[k], True) if k < last else ""
        rows.append([str(k), text.shown(result.alive[k], True), dies])
    lines = [text.columns(["cards laid", "still alive", "of those end here"], rows, right=(0,)), ""]
    rows = [[shown_side(name), text.shown(found, True)] for name, found in result.died_at.items()]
    lines += [text.columns(["ends at", "of the lost games"], rows), ""]
    heads = ["deadliest on top", "ends there", "left over when close", f"of games with 1 to {result.close} left"]
    pairs = zip(most(result.deadly), most(result.left_close), strict=True)
    rows = [[one, text.shown(a, True), other, text.shown(b, True)] for (one, a), (other, b) in pairs]
    return [*lines, text.columns(heads, rows)]


def most(found: dict[str, Interval]) -> list[tuple[str, Interval]]:
    return sorted(found.items(), key=lambda item: -item[1].value)[:MOST_CARDS]
