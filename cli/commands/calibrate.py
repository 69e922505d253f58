"""`houle calibrate`: at which level people play, from the results of their games."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import LEVEL_GAMES
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, analysis_command
from houle.solver.rules import game_names

if TYPE_CHECKING:
    from pathlib import Path

    from houle import Calibration

LEAST_GAMES = 20


@analysis_command(
    games=LEVEL_GAMES, least=LEAST_GAMES, strategies=None, counted="How many games to simulate per kind of player."
)
@click.argument("results", type=options.FileName(), required=False)
@click.option("--plan", is_flag=True, help="Say how many results are needed to predict GAME with these rules.")
def calibrate(call: Call, results: str | None, plan: bool) -> None:
    """Find how well your own group plays, from its results.

    RESULTS is a CSV file with one game per row. The column `result` holds win, loss or the score. The columns `game`,
    `players`, `variant` and `rules` (a rules file) say what was played; GAME and its options say it for rows that do
    not. Where players compete, give the score of one of them, or wins against other players: `seats` are the seats of
    your group, as in 1+2, and `others` who plays the other seats. `houle play --results` writes such a file.

    With --name the group is saved. Its name is then a player in every command, as in -s my-group.

    \b
    Examples:
      houle calibrate results.csv --name my-group
      houle calibrate wave results.csv -p 3
      houle calibrate wave -p 3 -v virage --plan
      houle calibrate land-unter results.csv -p 4 --figure level.png
    """
    from houle.analysis.players.groups import check_group_name
    from houle.analysis.strategy.results_file import game_of

    name = call.asked.name
    if name is not None:
        check_group_name(name)
    if plan:
        show_plan(call)
        return
    if results is None and call.asked.game in game_names():
        raise click.UsageError("Missing argument 'RESULTS'", call.ctx)
    asked, file = (call.asked, results) if results else (replace(call.asked, game=""), call.asked.game)
    call = replace(call, asked=replace(asked, game=asked.game or game_of(file), name=None))
    result = call.play(houle.calibrate, call.setup, results=file)
    saved = result.save(name) if name else None
    call.show(result, page(result, name, saved), head(result))


next(one for one in calibrate.params if one.name == "game").metavar = "[GAME]"
next(one for one in calibrate.params if one.name == "results").metavar = "RESULTS"
next(one for one in calibrate.params if one.name == "title").help = "Save the group under this name, for -s NAME."


def show_plan(call: Call) -> None:
    """Print how many results of the printed game predict this setup, for groups of each level."""
    from houle.analysis.difficulty.difficulty import rules_beside
    from houle.analysis.strategy.results_needed import NUMBERS, enough, games_to_count, results_needed

    found = call.play(results_needed, call.setup)
    played = text.setup_title(rules_beside(call.setup) or call.setup)
    rows = [[name, *(f"{50 * (rate.high - rate.low):.0f}" for rate in by_number.values())]
            for name, by_number in found.items()]  # fmt: skip
    verdicts = []
    for name, by_number in found.items():
        number = enough(by_number)
        itself = f"or count about {games_to_count(by_number[NUMBERS[-1]].value):,} games of this variant itself"
        few = f"{number:,} results" if number else f"more than {NUMBERS[-1]:,} results, {itself}"
        verdicts.append(text.labelled("verdict", f"to 5 points for a group like {name}: {few}"))
    lines = [
        f"{text.setup_title(call.setup)}: how well results of {played} predict it",
        "",
        text.columns(["half-width in points", *(f"{number} results" for number in NUMBERS)], rows, right=range(1, 9)),
        *verdicts,
    ]
    data = {name: {str(number): rate.as_json() for number, rate in one.items()} for name, one in found.items()}
    call.print({"plan": data, "enough": {name: enough(one) for name, one in found.items()}}, lines)


def head(result: Calibration) -> list[str]:
    tables = len(result.played)
    where = (
        text.setup_title(result.played[0].setup) if tables == 1 else f"{result.setup.ruleset.title}: {tables} setups"
    )
    return [
        *text.differences(result.setup),
        f"{where}; {text.count_of(result.level.n, 'result')} of people{won(result)}",
    ]


def won(result: Calibration) -> str:
    """How many of the games the people won: `, 20% won`; empty if they counted points."""
    counted = [one.results for one in result.played if not one.results.scores]
    games = sum(one.won + one.lost for one in counted)
    return f", {100 * sum(one.won for one in counted) / games:.0f}% won" if games == result.level.n else ""


def page(result: Calibration, name: str | None = None, saved: Path | None = None) -> list[str]:
    """The answer, then how well each level fits the results, then how to use the group."""
    from houle.analysis.measures.goal import Goal
    from houle.analysis.players.named_players import line_words, strategy_of

    goal = Goal(result.played[0].setup)
    shown = len(result.played) == 1 and (goal.is_score or not result.played[0].results.scores)
    rows = []
    for place, level in enumerate(result.as_json()["levels"]):
        value = result.reached_of(place)
        rate = [f"{value:.2f}" if goal.is_score else f"{100 * value:.3g}%"] if shown else []
        rows.append([str(place), level["name"], *rate, f"{result.likelihood_of(place):.2g}"])
    heads = ["", "level", *([goal.head] if shown else []), "fit"]
    player = name or strategy_of(result.slips.value, result.thought.value)
    return [
        text.labelled("verdict", result.sentence),
        text.labelled("level", f"{result.level.text(2)} on the scale {line_words()}"),
        text.labelled("slips", f"{result.slips.text(0)} percent"),
        text.labelled("thought", f"{result.thought.text(1)} imagined deals where a move is unsure"),
        "",
        text.columns(heads, rows, right=(0, *range(2, len(heads)))),
        "fit: how likely these results are at this level; 1 is the best fit of all slips and thought",
        "",
        *([text.labelled("saved", f"{name} in {saved}")] if saved else []),
        text.labelled(
            "use", f"-s {player} plays like this group, as in: houle difficulty {result.setup.ruleset.name} -s {player}"
        ),
    ]
