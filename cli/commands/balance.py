"""`houle balance`: how fair the seats are, and how games unfold."""

from __future__ import annotations

import houle
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command


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
    call.show(result, text.said([*result.sentences(), *result.details()]))
