"""`houle simulate`: win rates and scores of many games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import MOST_GAMES
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.solver.language.seats import from_1

if TYPE_CHECKING:
    from houle import Rotation, Simulation


@analysis_command()
@click.option(
    "--precision", type=float, metavar="POINTS",
    help="Play until all win rates are known to within POINTS percentage points; -n is then the maximum.",
)  # fmt: skip
@click.option(
    "--rotate", is_flag=True, help="Play each deal once for every way to rotate the players; -n counts deals."
)
def simulate(call: Call, precision: float | None, rotate: bool) -> None:
    """Play many games and show win rates and scores.

    The same seed gives the same games on every machine. Ctrl-C stops and shows the games played so far.

    \b
    Examples:
      houle simulate wave -p 3 -n 1e6
      houle simulate wave -v virage+nazare --set hand.front=4 --json
      houle simulate wave --rules my.toml -o result.csv
      houle simulate wave -p 3 --precision 0.3
      houle simulate sea-change -p 4 -s thumb,random,random,random --rotate
    """
    if rotate and precision is not None:
        raise click.UsageError("--rotate: not possible together with --precision; use -n")
    games = call.games
    if precision is not None and not call.given("games"):
        games = MOST_GAMES
    result = call.play(houle.simulate, call.setup, games=games, precision=precision, rotate=rotate)
    if rotate:
        call.show(result, rotated_page(result), text.head(result, "deal"))
    else:
        call.show(result, page(result))


def page(result: Simulation) -> list[str]:
    """Wins, scores, and how long games are."""
    lines = [text.sides_table(result.records(), result.setup.score), ""]
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
    verdict = getattr(result, "verdict", None)  # of a run with --precision
    return [*lines, *([verdict] if verdict else [])]


def rotated_page(result: Rotation) -> list[str]:
    """A row per player, over all seats."""
    setup = result.setup
    picks: text.Picks = [
        ("player", lambda row: from_1(row["player"])), ("kind", "strategy"), ("wins", "win"), (setup.score, "score")
    ]  # fmt: skip
    return [
        text.table(result.records(), picks),
        "",
        f"Each deal is played {setup.players} times; each time all players move on by one seat.",
    ]
