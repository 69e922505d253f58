"""`houle simulate`: win rates and scores of many games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import houle
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import fair_option

if TYPE_CHECKING:
    from houle import Simulation


@analysis_command()
@fair_option
def simulate(call: Call, margin: float | None) -> None:
    """Play many games and show win rates and scores.

    The same seed gives the same games on every machine. Ctrl-C stops and shows the games played so far.

    \b
    Examples:
      houle simulate wave -p 3 -n 1e6
      houle simulate wave -v virage+nazare --set hand.front=4 --json
      houle simulate wave --rules my.toml -o result.csv
      houle simulate sea-change -p 4 -s seasoned,family,family,family
    """
    result = call.play(houle.simulate, call.setup, margin=margin)
    call.show(result, page(result))


def page(result: Simulation) -> list[str]:
    """Wins, scores, and how long games are."""
    lines = [text.sides_table(result.records(), result.setup.score), ""]
    if result.gap is not None:
        from houle.analysis.blocks import whole
        from houle.analysis.explain.seats import fairness

        lines += [*text.said([whole(fairness(result.gap, result.setup, result.strategies, result.margin))]), ""]
    if result.run.tally.entries != result.games:
        lines.append(f"scores   {result.run.tally.entries:,} in all")
    if result.draws.value > 0:
        lines.append(f"no winner {result.draws.text()}")
    if result.unresolved is not None:
        lines.append(
            f"unresolved {100 * result.unresolved:.2f}% (the solver gave up; the upper limit counts them as won)"
        )
    lines.append(text.lengths({name: result.mean(name) for name in ("moves", "turns", "rounds")}))
    if result.rates:
        rates = ", ".join(f"{name.replace('_', ' ')} {value:.3f}" for name, value in result.rates.items())
        lines.append(text.labelled("means", rates))
    return lines
