"""`houle difficulty`: how hard a game is, and for whom."""

from __future__ import annotations

import houle
from houle.analysis.limits import DEALS
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, analysis_command


@analysis_command(
    games=DEALS,
    least=2,
    counted=options.DEALS_TO_PLAY,
    strategies="Players to show, weakest first (default: the levels).",
)
@options.refit_option
def difficulty(call: Call) -> None:
    """Show how hard a game is, and for whom.

    For games that a team or a single player wins or loses. People from first game to seasoned play the same deals: how
    often each level wins, and which scores they reach. -s expert adds players who plan ahead, which takes minutes, and
    -s clairvoyant the most that is possible. Rules of your own (--rules, --set) are compared with the printed rules.

    \b
    Examples:
      houle difficulty wave -p 3
      houle difficulty wave -p 3 --rules my.toml
      houle difficulty wave -p 3 -s family,expert,clairvoyant
      houle difficulty wave -p 4 -v nazare -s random,thumb -n 1e5 -o nazare.png
    """
    result = call.play(houle.difficulty, call.setup)
    call.show(result, [*text.said(result.blocks()), *call.refit_lines([call.setup])], text.table_head(result))
