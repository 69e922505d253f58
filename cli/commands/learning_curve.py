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
    if call.dry_run:
        call.show_plan(houle.learning_curve, call.setup)
        return
    result = call.play(houle.learning_curve, call.setup)
    call.show(result, page(result), head(result))


def head(result: LearningCurve) -> list[str]:
    lines = text.differences(result.setup)
    return [*lines, f"{text.setup_title(result.setup)}; {result.games:,} deals; {text.INTERVALS}"]


def page(result: LearningCurve) -> list[str]:
    """Wins rule by rule, then how much of it is learned soon, then how often several tries win."""
    picks: text.Picks = [
        ("known", result.steps.index),
        ("wins", "win"),
        ("more", "gain"),
        ("the rule", lambda step: step.sentence or "No rule: play at random."),
    ]
    lines = [text.table(result.steps, picks, flexible=("the rule",)), ""]
    lines.append(text.labelled("verdict", result.sentence))
    if result.tries is None:
        lines.append("players  one player learns, all others follow every rule of thumb")
    else:
        tries = result.tries
        wins = f"{tries.player} (not calibrated to people) wins {tries.win.text()} of games"
        once = f"at least one of {tries.tries} tries on {tries.once.text()} of deals"
        lines.append(text.labelled("tries", f"{wins}, and {once}"))
    order = f"of the rules: by how much each improves the results on {result.order_deals:,} other deals"
    lines.append(text.labelled("order", order))
    if result.without_effect:
        lines.append(text.paragraph(f"no game changed with {', '.join(result.without_effect)}", 0, 9))
    return lines
