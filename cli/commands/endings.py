"""`houle endings`: how long games last, what ends them, and which cards are left over."""

from __future__ import annotations

import houle
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command


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
    result = call.play(houle.endings, call.setup)
    head = text.head(result, counted=f"{text.count_of(result.games, 'game')}, {result.lost:,} lost")
    call.show(result, text.said([*result.sentences(), result.running(), *result.details()]), head)
