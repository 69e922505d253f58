"""`houle simulate`: win rates and scores of many games."""

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


@analysis_command(first=True, dry_run=True)
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
    if call.dry_run:
        call.show_plan(call.games * call.setup.players if rotate else call.games)
        return
    games = call.games
    if precision is not None and not call.given("games"):
        games = MOST_GAMES
    result = call.play(
        houle.simulate, call.setup, games=games, first=call.first, precision=precision, rotate=rotate,
        total=games * call.setup.players if rotate else games,
    )  # fmt: skip
    if rotate:
        call.show(result, rotated_page(result), text.head(result, "deal"))
    else:
        call.show(result, page(result))


def page(result: Simulation) -> list[str]:
    """Wins, scores, and how long games are."""
    setup = result.setup
    rows = [
        [shown_side(side.name), text.span(shown_seats(side.seats)), text.shown(side.win, percent=True),
         text.shown(side.score.interval)]
        for side in result.sides
    ]  # fmt: skip
    lines = [text.columns(["side", "seats", "wins", setup.score], rows), ""]
    if result.run.tally.entries != result.games:
        lines.append(f"scores   {result.run.tally.entries:,} in all")
    if result.draws.value > 0:
        lines.append(f"no winner {text.shown(result.draws, percent=True)}")
    if result.unresolved is not None:
        lines.append(
            f"unresolved {100 * result.unresolved:.2f}% (the solver gave up; the upper limit counts them as won)"
        )
    lines.append(f"a game   {', '.join(lengths(result))}")
    if result.rates:
        rates = ", ".join(f"{name.replace('_', ' ')} {value:.3f}" for name, value in result.rates.items())
        lines.append(text.paragraph(f"means    {rates}", 0, 9))
    verdict = getattr(result, "verdict", None)  # of a run with --precision
    return [*lines, *([verdict] if verdict else [])]


def lengths(result: Simulation) -> list[str]:
    """Moves, turns and rounds of a game, each number once."""
    means = {name: result.mean(name) for name in ("moves", "turns", "rounds")}
    alike = means["moves"] == means["turns"]
    shown = {"moves or turns" if alike and name == "moves" else name: mean for name, mean in means.items()
            if mean and not (alike and name == "turns") and not (name == "rounds" and mean == 1)}  # fmt: skip
    return [f"{mean:.2f} {name}" for name, mean in shown.items()]


def rotated_page(result: Rotation) -> list[str]:
    """A row per player, over all seats."""
    rows = [
        [shown_side(player.name), player.strategy, text.shown(player.win, percent=True), text.shown(player.score)]
        for player in result.players
    ]
    setup = result.setup
    return [
        text.columns(["player", "kind", "wins", setup.score], rows),
        "",
        f"Each deal is played {setup.players} times; each time all players move on by one seat.",
    ]
