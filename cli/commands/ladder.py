"""`houle ladder`: every strategy against the one below it, on the same deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from houle import analysis
from houle.analysis.limits import LADDER_GAMES, LADDER_SEARCH_GAMES
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import search_games_option

if TYPE_CHECKING:
    from houle.analysis import Ladder
    from houle.analysis.strategy.ladder import LadderPlan


@analysis_command(
    games=LADDER_GAMES, least=2, unit="deals", strategies="The rungs from the lowest; all there are by default.",
    dry_run=True,
)  # fmt: skip
@search_games_option(LADDER_SEARCH_GAMES, least=2)
def ladder(call: Call, search_games: int) -> None:
    """Compare strategies of GAME, each with the one below it.

    Every rung is played on the same deals, with 95% intervals. Where players compete, one side of the rung meets the
    rung below on all other sides, from every seat in turn; n counts deals.

    \b
    Examples:
      houle ladder wave -p 3
      houle ladder wave -v nazare -s random,thumb,flat:100 -n 2000 --search-games 200
    """
    if call.dry_run:
        plan = analysis.plan_ladder(
            call.setup, strategies=call.strategies, games=call.games, search_games=search_games
        )  # fmt: skip
        click.echo("\n".join(plan_lines(plan, plan.expected_seconds(call.seed, call.threads))))
        return
    result = call.play(analysis.ladder, call.setup, search_games=search_games)
    head = [*text.differences(result.setup), f"{text.table_line(result.setup)}; seed {result.seed}, 95% intervals"]
    call.tell(result, page(result), head)


def page(result: Ladder) -> list[str]:
    """A row per rung, and which rungs are not there."""
    score = result.setup.score
    left_out = [text.paragraph(f"left out {name}: {why}", 0, 9) for name, why in result.left_out]
    rows = []
    for rung in result.rungs:
        row = [rung.strategy, f"{rung.win.n:,}" if rung.win else "", text.shown(rung.win, True), text.shown(rung.score)]
        if result.fair is None:
            row += [text.shown(rung.gain, True), text.shown(rung.score_gain)]
        else:
            row.insert(1, rung.below)
        rows.append(row)
    if result.fair is None:
        heads = ["rung", "deals", "wins", score, "wins more", f"{score} more"]
        lines = [text.columns(heads, rows, right=(1,)), "", "More than the rung above it in this table."]
    else:
        heads = ["rung", "against", "deals", "wins", score]
        lines = [text.columns(heads, rows, right=(2,)), ""]
        lines.append(f"One side of the rung, from every seat in turn; equal players win {100 * result.fair:.1f}%.")
    return [*lines, *([""] if left_out else []), *left_out]


def plan_lines(plan: LadderPlan, seconds: float) -> list[str]:
    """What would be played, with the time that a few deals of it predict."""
    parts = [part for part in plan.parts if part.arms]
    return [
        text.table_line(plan.setup),
        *(f"{part.name}: {part.deals:,} deals, {text.plural(part.games, 'game')}" for part in parts),
        "rungs: " + ", ".join(rung.text for rung in plan.strategies),
        *(f"left out {name}: {why}" for name, why in plan.left_out),
        f"in all {text.plural(plan.games, 'game')}, about {seconds / 60:.1f} minutes",
    ]
