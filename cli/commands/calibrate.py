"""`houle calibrate`: at which level people play, from results or from the moves of their games."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import LEVEL_GAMES
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, analysis_command
from houle.solver.errors import InputError
from houle.solver.rules import game_names

if TYPE_CHECKING:
    from pathlib import Path

    from houle import Calibration

LEAST_GAMES = 20


@analysis_command(
    games=LEVEL_GAMES, least=LEAST_GAMES, strategies=None, counted="How many games to simulate per kind of player."
)
@click.argument("results", type=options.FileName(), nargs=-1)
@click.option("--seats", metavar="SEATS", help="The seats of your group in recorded games, as in 1+2 (default: all).")
@click.option("--plan", is_flag=True, help="Say how many results are needed to predict GAME with these rules.")
def calibrate(call: Call, results: tuple[str, ...], seats: str | None, plan: bool) -> None:
    """Find how well your own group plays, from results or recorded games.

    RESULTS is a CSV file with one game per row. The column `result` holds win, loss or the score. The columns `game`,
    `players`, `variant` and `rules` (a rules file) say what was played; GAME and its options say it for rows that do
    not. Where players compete, give the score of one of them, or wins against other players: `seats` are the seats of
    your group, as in 1+2, and `others` who plays the other seats. `houle play --results` writes such a file.

    Files with recorded games (from `houle play` or `houle trace --record`) count by their moves, which say more than
    results: moves can tell slips from thought. Give several, and at most one CSV file. A recorded game needs no row.

    With --name the group is saved. Its name is then a player in every command, as in -s my-group.

    \b
    Examples:
      houle calibrate results.csv --name my-group
      houle calibrate wave results.csv -p 3
      houle calibrate game1.txt game2.txt --seats 1
      houle calibrate wave -p 3 -v virage --plan
      houle calibrate land-unter results.csv -p 4 --figure level.png
    """
    from houle.analysis.players.groups import check_group_name
    from houle.analysis.strategy.recorded_moves import is_record
    from houle.analysis.strategy.results_file import game_of
    from houle.solver.matches.record.setup_head import game_of as game_of_record
    from houle.solver.rules.files import read_text

    name = call.asked.name
    if name is not None:
        check_group_name(name)
    if plan:
        show_plan(call)
        return
    if not results and call.asked.game in game_names():
        raise click.UsageError("Missing argument 'RESULTS'", call.ctx)
    game, files = call.asked.game or "", results
    if game not in game_names():  # left out: the first word is a file
        game, files = "", (game, *results)
    records = [file for file in files if is_record(file)]
    tables = [file for file in files if file not in records]
    if len(tables) > 1:
        raise InputError(f"{tables[1]}: a second table of results; allowed: one CSV file, and recorded games")
    game = game or (game_of(tables[0]) if tables else game_of_record(read_text(records[0]), records[0]))
    call = replace(call, asked=replace(call.asked, game=game, name=None))
    own = read_seats(seats) if seats else ()
    result = call.play(houle.calibrate, call.setup, results=tables[0] if tables else None, records=records, seats=own)
    saved = result.save(name) if name else None
    call.show(result, page(result, name, saved), head(result))


def read_seats(text: str) -> tuple[int, ...]:
    """Seats as typed, from 0."""
    words = [word.strip() for word in text.split("+")]
    if not all(re.fullmatch(r"[1-9]\d?", word, re.ASCII) for word in words):
        raise InputError(f"--seats: {text[:40]!r} is not allowed; allowed: seats from 1, as in 1+2")
    return tuple(int(word) - 1 for word in words)


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
    played = {one.digest: one for one in result.setups}
    title = f"{result.setup.ruleset.title}: {len(played)} setups"
    where = text.setup_title(next(iter(played.values()))) if len(played) == 1 else title
    return [*text.differences(result.setup), f"{where}; {result.evidence} of people{won(result)}"]


def won(result: Calibration) -> str:
    """How many of the games the people won: `, 20% won`; empty if they counted points."""
    counted = [one.results for one in result.played if not one.results.scores]
    games = sum(one.won + one.lost for one in counted)
    whole = games > 0 and games == sum(one.results.number for one in result.played)
    return f", {100 * sum(one.won for one in counted) / games:.0f}% won" if whole else ""


def page(result: Calibration, name: str | None = None, saved: Path | None = None) -> list[str]:
    """The answer, then how well each level fits the results, then how to use the group."""
    from houle.analysis.measures.goal import Goal
    from houle.analysis.players.named_players import line_words, strategy_of

    goal = Goal(result.setups[0])
    shown = len(result.played) == 1 and (goal.is_score or not result.played[0].results.scores)
    rows = []
    for place, level in enumerate(result.as_json()["levels"]):
        value = result.reached_of(place) if shown else 0.0
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
        "fit: how likely these games are at this level; 1 is the best fit of all slips and thought",
        "",
        *([text.labelled("saved", f"{name} in {saved}")] if saved else []),
        text.labelled(
            "use", f"-s {player} plays like this group, as in: houle difficulty {result.setup.ruleset.name} -s {player}"
        ),
    ]
