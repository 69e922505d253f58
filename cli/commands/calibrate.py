"""`houle calibrate`: at which level people play, from the results of their games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import LEVEL_GAMES
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, analysis_command

if TYPE_CHECKING:
    from houle import Calibration

LEAST_GAMES = 20


@analysis_command(
    games=LEVEL_GAMES, least=LEAST_GAMES, strategies=None, counted="How many games to simulate per level."
)
@click.argument("results", type=options.FileName())
def calibrate(call: Call, results: str) -> None:
    """Find how well your own group plays, from its results.

    RESULTS is a CSV file with one game per row. The column `result` holds win, loss or the score; in games where
    players compete, it is the score of one of them. The columns `players` and `variant` are needed only if they differ
    between games. houle compares the results with those of the levels of `houle players GAME`.

    \b
    Examples:
      houle calibrate wave results.csv -p 3
      houle calibrate land-unter results.csv -p 4 --figure level.png
    """
    if call.dry_run:
        call.show_plan(houle.calibrate, call.setup, results=results)
        return
    result = call.play(houle.calibrate, call.setup, results=results)
    call.show(result, page(result), head(result))


def head(result: Calibration) -> list[str]:
    tables = len(result.played)
    where = text.setup_line(result.played[0].setup) if tables == 1 else f"{result.setup.ruleset.title}: {tables} setups"
    return [*text.differences(result.setup), f"{where}; {result.level.n:,} results of people"]


def page(result: Calibration) -> list[str]:
    """The answer, then how well each level fits the results."""
    from houle.analysis.sampling.levels import line_words
    from houle.analysis.sampling.players import calibration_note

    wins = len(result.played) == 1 and not result.played[0].results.scores
    rows = []
    for place, level in enumerate(result.as_json()["levels"]):
        rate = [f"{100 * result.wins_of(place):.3g}%"] if wins else []
        rows.append([str(place), level["name"], *rate, f"{result.likelihood_of(place):.2g}"])
    heads = ["", "level", *(["wins"] if wins else []), "fit"]
    return [
        text.labelled("verdict", result.sentence),
        text.labelled("level", f"{result.level.text(2)} on the scale {line_words()}"),
        "",
        text.columns(heads, rows, right=(0, *range(2, len(heads)))),
        "fit: how likely these results are at this level; 1 is the best fit on the whole scale",
        "",
        text.labelled("players", calibration_note()),
    ]
