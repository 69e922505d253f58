"""`houle simulate`: many games, and what they come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import MOST_GAMES
from houle.analysis.result import shown_seats, shown_side
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command

if TYPE_CHECKING:
    from houle import Rotation, Simulation


@analysis_command(first=True)
@click.option(
    "--precision", type=float, metavar="POINTS",
    help="Play until every side's win rate is known to +- POINTS percentage points; -n is then the most.",
)  # fmt: skip
@click.option("--rotate", is_flag=True, help="Take the line-up to every seat on the same deals; -n counts deals.")
def simulate(call: Call, precision: float | None, rotate: bool) -> None:
    """Play many games of GAME; win rates and scores.

    With 95% intervals. The same seed gives the same games on any machine. The thumb plays unless -s says otherwise.
    Ctrl-C shows what is done so far.

    \b
    Examples:
      houle simulate wave -p 3 -n 1e6
      houle simulate wave -v virage+nazare --set hand.front=4 --json
      houle simulate wave --rules my.toml -o result.csv
      houle simulate wave -p 3 --precision 0.3
      houle simulate sea-change -p 4 -s thumb,random,random,random --rotate
    """
    if rotate and precision is not None:
        raise click.UsageError("--rotate: not possible together with --precision; give -n")
    games = call.games
    if precision is not None and not call.given("games"):
        games = MOST_GAMES
    result = call.play(
        houle.simulate, call.setup, games=games, first=call.first, precision=precision, rotate=rotate,
        total=games * call.setup.players if rotate else games,
    )  # fmt: skip
    if rotate:
        call.tell(result, rotated_page(result), text.head(result, "deal"))
    else:
        call.tell(result, page(result))


def page(result: Simulation) -> list[str]:
    """Who won how often, the scores, and what a game is like."""
    setup = result.setup
    rows = [
        [shown_side(side.name), text.span(shown_seats(side.seats)), text.shown(side.win, percent=True),
         text.shown(side.score.interval)]
        for side in result.sides
    ]  # fmt: skip
    lines = [text.columns(["side", "seats", "wins", setup.score], rows), ""]
    if result.run.tally.entries != result.games:
        lines.append(f"scores   {result.run.tally.entries:,} in all, intervals clustered by game")
    if result.draws.value > 0:
        lines.append(f"no winner {text.shown(result.draws, percent=True)}")
    if result.unresolved is not None:
        lines.append(
            f"unresolved {100 * result.unresolved:.2f}% (within the solver's limit; the high end counts them as won)"
        )
    lines.append(f"a game   {', '.join(lengths(result))}")
    if result.rates:
        rates = ", ".join(f"{name.replace('_', ' ')} {value:.3f}" for name, value in result.rates.items())
        lines.append(text.paragraph(f"means    {rates}", 0, 9))
    verdict = getattr(result, "verdict", None)  # of a run that stopped when it was sure enough
    return [*lines, *([verdict] if verdict else [])]


def lengths(result: Simulation) -> list[str]:
    """Moves, turns and rounds of a game; what says the same as another is told once."""
    means = {name: result.mean(name) for name in ("moves", "turns", "rounds")}
    alike = means["moves"] == means["turns"]
    told = {"moves or turns" if alike and name == "moves" else name: mean for name, mean in means.items()
            if mean and not (alike and name == "turns") and not (name == "rounds" and mean == 1)}  # fmt: skip
    return [f"{mean:.2f} {name}" for name, mean in told.items()]


def rotated_page(result: Rotation) -> list[str]:
    """A row per player of the line-up, whatever the seat."""
    rows = [
        [shown_side(player.name), player.strategy, text.shown(player.win, percent=True), text.shown(player.score)]
        for player in result.players
    ]
    setup = result.setup
    return [
        text.columns(["player", "strategy", "wins", setup.score], rows),
        "",
        f"Every deal is played {setup.players} times, the line-up moved on by a seat; intervals clustered by deal.",
    ]
