"""`houle strength`: what one better player wins among weaker ones, on the same deals."""

from __future__ import annotations

import houle
from houle.analysis.limits import STRENGTH_GAMES
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import DEALS_TO_PLAY


@analysis_command(
    games=STRENGTH_GAMES,
    least=2,
    counted=DEALS_TO_PLAY,
    strategies="Players, weakest first (default: the levels and expert).",
)
def strength(call: Call) -> None:
    """Show what one better player wins among weaker ones.

    Where players compete, one better player sits among weaker ones, in each seat in turn. Where all win together, each
    kind of player plays with its like. All play the same deals; players that search play a twentieth of them, but at
    least 100.

    \b
    Examples:
      houle strength sea-change -p 3
      houle strength land-unter -p 4 -s family,seasoned -n 5000
      houle strength wave -v nazare -s random,thumb,flat:100 -n 2000
    """
    result = call.play(houle.strength, call.setup)
    call.show(result, text.said(result.blocks()), text.table_head(result))
