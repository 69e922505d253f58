"""`houle learning-curve`: what each rule of thumb adds to the chances of a player who learns them one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import houle
from houle.analysis.limits import LEARNING_GAMES
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command

if TYPE_CHECKING:
    from houle import LearningCurve

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
    call.show(result, page(result), head(result))


def head(result: LearningCurve) -> list[str]:
    lines = text.differences(result.setup)
    return [*lines, f"{text.setup_line(result.setup)}; {result.games:,} deals; {text.INTERVALS}"]


def page(result: LearningCurve) -> list[str]:
    """Wins rule by rule, then how much of it is learned soon, then how often several tries win."""
    rows = []
    for known, step in enumerate(result.steps):
        gain = "" if step.gain is None else text.points(step.gain)
        rows.append([str(known), text.shown(step.win, True), gain, step.sentence or "No rule: play at random."])
    lines = [text.columns(["known", "wins", "points more", "the rule"], rows, flexible=(3,), right=(0,)), ""]
    lines.append(text.paragraph(f"verdict  {result.sentence}", 0, 9))
    if result.tries is None:
        lines.append("players  one player learns, all others follow every rule of thumb")
    else:
        tries = result.tries
        numbers = (
            f"{tries.player} (not calibrated to people) wins {text.shown(tries.win, True)} of games, and at least "
        )
        numbers += f"one of {tries.tries} tries on {text.shown(tries.once, True)} of deals"
        lines.append(text.paragraph(f"tries    {numbers}", 0, 9))
    order = f"of the rules: by how much each improves the results on {result.order_deals:,} other deals"
    lines.append(text.paragraph(f"order    {order}", 0, 9))
    if result.without_effect:
        lines.append(text.paragraph(f"no game changed with {', '.join(result.without_effect)}", 0, 9))
    return lines
