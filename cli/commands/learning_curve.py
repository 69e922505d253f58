"""`houle learning-curve`: what each rule of thumb adds to the chances of a player who learns them one by one."""

from __future__ import annotations

import houle
from houle.analysis.limits import LEARNING_GAMES
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command

LEAST_DEALS = 20


@analysis_command(games=LEARNING_GAMES, least=LEAST_DEALS, unit="deals", strategies=None)
def learning_curve(call: Call) -> None:
    """Show what each rule of thumb adds as a player learns them.

    A player first knows no rule of thumb and plays at random, then learns one rule after the other, the most useful
    first. The table shows how often the player wins after each. In games that all players win or lose together it also
    shows how often a group wins at least once in several tries.

    \b
    Examples:
      houle learning-curve wave -p 3
      houle learning-curve vague-verte -p 2 -n 1000 --figure learning.svg
    """
    result = call.play(houle.learning_curve, call.setup)
    call.show(
        result,
        text.said([*result.sentences(), *result.details()]),
        text.head(result, "deal", "one more rule of thumb in each row"),
    )
