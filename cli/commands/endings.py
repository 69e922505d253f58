"""`houle endings`: how long games last, what ends them, and which cards are left over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import houle
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.solver.language.seats import from_1

if TYPE_CHECKING:
    from houle import Endings
    from houle.analysis.stats.estimate import Estimate

MOST_CARDS = 8  # lines of a table of cards


@analysis_command()
def endings(call: Call) -> None:
    """Show how long games last, and what ends them.

    For games that end when a player cannot play a card: the chance to get as far as each card, on which card and in
    which seat games end, and which cards are left over.

    \b
    Examples:
      houle endings wave -p 3
      houle endings wave -p 4 -v tide-colours -s thumb -n 1e6 --figure endings.png
    """
    if call.dry_run:
        call.show_plan(call.games)
        return
    result = call.play(houle.endings, call.setup)
    call.show(result, page(result), head(result))


def head(result: Endings) -> list[str]:
    number = text.count_of(result.games, "game")
    return [
        *text.differences(result.setup),
        f"{text.setup_title(result.setup)}, {text.deciders(result.strategies)}",
        f"{number}, {result.lost:,} lost; {text.INTERVALS}",
    ]


def page(result: Endings) -> list[str]:
    """How many games last card by card, then where they end, then the cards."""
    picks: text.Picks = [
        ("cards played", lambda k: k),
        ("games still going", lambda k: result.alive[k]),
        ("of these end here", lambda k: result.dies[k] if k < len(result.alive) - 1 else ""),
    ]
    lines = [text.table(range(len(result.alive)), picks), ""]
    rows = [[from_1(name), share.text()] for name, share in result.died_at.items()]
    lines += [text.columns(["who is stuck", "of lost games"], rows), ""]
    lines += [
        text.labelled("nearly", f"{result.nearly.text()} of lost games end with 1 to {result.close} cards left"),
        "",
    ]
    heads = ["top card", "games that end on it", "card left over", f"of games with 1 to {result.close} left"]
    pairs = zip(most(result.deadly), most(result.left_close), strict=True)
    rows = [[one, a.text(), other, b.text()] for (one, a), (other, b) in pairs]
    return [*lines, text.columns(heads, rows)]


def most(shares: dict[str, Estimate]) -> list[tuple[str, Estimate]]:
    return sorted(shares.items(), key=lambda item: -item[1].value)[:MOST_CARDS]
