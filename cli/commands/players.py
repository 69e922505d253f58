"""`houle players`: who can play a game, what each of them is, how it was made and what it is not; which of them people
are like."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import LEARNING_GAMES, LEVEL_GAMES
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.solver.errors import InputError

if TYPE_CHECKING:
    from houle import Calibration, LearningCurve
    from houle.analysis.sampling.players import SeatedPlayer
    from houle.solver.ruleset import Setup

LEAST_GAMES = 20


@analysis_command(
    games=LEVEL_GAMES, least=LEAST_GAMES, strategies=None,
    counted="With --fit {unit} of every level and of nine between them, at every table of the file; with --learning "
    f"deals of every step, {LEARNING_GAMES} unless given.",
)  # fmt: skip
@click.option(
    "--fit", metavar="FILE", help="Place the results of people (CSV: players, result, variant) on the line of levels."
)
@click.option("--learning", is_flag=True, help="What is won by who knows the first k rules of thumb.")
def players(call: Call, fit: str | None, learning: bool) -> None:
    """Who plays GAME: every named player, and what it is not.

    A name stands for the same player in every command and at every effort of a report. -s takes the names, and any
    strategy of one's own: a kind, a number where it searches, and options in brackets.

    Levels of people (first-game, family, regular, expert) are thumbs with fewer and fewer lapses, uncalibrated. --fit
    reads what people reached, one game a row: result (win, loss, or the score; where players compete, the score of one
    of them) and, if they differ, players and variant (base, or names with +). It says at which level they play.
    --learning tells what is won once the first k rules of thumb are known, in the order of their worth.

    \b
    Examples:
      houle players wave
      houle players wave -p 3 --fit results.csv
      houle players wave -p 3 --learning
      houle players wave -p 4 -v nazare
      houle simulate wave -s searcher -n 100
    """
    from houle.analysis.sampling.players import calibration_note, options_explained, players_at

    setup = call.setup
    if fit is not None and learning:
        raise InputError("--fit: not possible together with --learning")
    if learning:
        deals = call.games if call.given("games") else LEARNING_GAMES
        curve = call.play(houle.learning_curve, setup, games=deals)
        call.tell(curve, learning_page(curve), learning_head(curve))
        return
    if fit is not None:
        found = call.play(houle.calibrate, setup, results=fit)
        call.tell(found, fit_page(found), fit_head(found))
        return
    if call.out or call.figure:
        option = "-o" if call.out else "--figure"
        raise InputError(f"{option}: without --fit or --learning there is nothing to write; --json prints every player")
    seated = players_at(setup)
    if call.as_json:
        data = {"game": setup.ruleset.name, "players": setup.players, "calibration": calibration_note()}
        named = [player.as_json() for player in seated]
        click.echo(json.dumps({**data, "named": named, "options": options_explained()}, indent=2))
        return
    click.echo("\n".join(page(setup, seated)))


def page(setup: Setup, seated: list[SeatedPlayer]) -> list[str]:
    """Every player in a paragraph, then the options, then what no player is calibrated to."""
    from houle.analysis.sampling.players import calibration_note, options_explained

    lines = [*text.differences(setup), f"{text.table_line(setup)}: who can play"]
    for one in seated:
        lines += ["", click.style(heading(one), bold=True)]
        facts = {"is": one.player.what, "made": one.player.made, "is not": one.player.is_not, "here": here(one)}
        lines += [text.paragraph(f"{what:<8} {fact}", 2, 9) for what, fact in facts.items() if fact]
    lines += ["", click.style("Options", bold=True) + ', in brackets: -s "thumb[temperature=300,never=swap]"']
    for name, about in options_explained().items():
        kinds = [one.player.name for one in seated if name in one.options]
        lines.append(text.paragraph(f"{name}  {about} For {', '.join(kinds)}." if kinds else f"{name}  {about}", 2, 6))
    budgets = "A search of another size is another player: flat:N imagines N deals a move, ismcts:N follows N lines."
    return [*lines, "", text.paragraph(budgets), text.paragraph(calibration_note())]


def heading(one: SeatedPlayer) -> str:
    """`searcher = flat:50`."""
    player = one.player
    return player.name if player.name == player.strategy else f"{player.name} = {player.strategy}"


def here(one: SeatedPlayer) -> str:
    """What is to be said of a player at this table alone."""
    if one.missing:
        return f"cannot play: {one.missing}"
    return f"reached {one.reach}" if one.reach else ""


def fit_head(result: Calibration) -> list[str]:
    tables = len(result.tables)
    where = text.table_line(result.tables[0].setup) if tables == 1 else f"{result.setup.ruleset.title}: {tables} tables"
    return [*text.differences(result.setup), f"{where}; {result.level.n:,} results of people, seed {result.seed}"]


def fit_page(result: Calibration) -> list[str]:
    """How likely each level is, then where the table plays."""
    from houle.analysis.sampling.levels import line_words
    from houle.analysis.sampling.players import calibration_note

    wins = len(result.tables) == 1 and not result.tables[0].results.scores
    rows = []
    for place, level in enumerate(result.as_json()["levels"]):
        rate = [f"{100 * result.wins_of(place):.3g}%"] if wins else []
        rows.append([str(place), level["name"], *rate, f"{result.likelihood_of(place):.2g}"])
    heads = ["place", "level", *(["wins"] if wins else []), "likelihood"]
    shown = f"{result.level.value:.2f}, from {result.level.low:.2f} to {result.level.high:.2f}"
    return [
        text.columns(heads, rows, right=(0, *range(2, len(heads)))),
        "likelihood: beside 1 for the likeliest place of the line, levels and all between them",
        "",
        text.paragraph(f"verdict  {result.sentence}", 0, 9),
        text.paragraph(f"level    {shown} (95%) on the line {line_words()}", 0, 9),
        text.paragraph(f"players  {calibration_note()}", 0, 9),
    ]  # fmt: skip


def learning_head(result: LearningCurve) -> list[str]:
    counted = f"{result.games:,} deals, seed {result.seed}, 95% intervals"
    return [*text.differences(result.setup), f"{text.table_line(result.setup)}; {counted}"]


def learning_page(result: LearningCurve) -> list[str]:
    """Wins rule by rule, then how much of it is soon learned, then what several tries come to."""
    rows = []
    for known, step in enumerate(result.steps):
        gain = "" if step.gain is None else text.shown(step.gain, True).replace("%", "", 1)
        rows.append([str(known), text.shown(step.win, True), gain, step.sentence or "No rule: play at random."])
    lines = [text.columns(["known", "wins", "points more", "the rule"], rows, flexible=(3,), right=(0,)), ""]
    lines.append(text.paragraph(f"verdict  {result.sentence}", 0, 9))
    if result.tries is None:
        whom = "one learns, all others follow every rule of thumb; several tries are for tables that are won together"
        lines.append(text.paragraph(f"players  {whom}", 0, 9))
    else:
        tries = result.tries
        told = f"{tries.player} (uncalibrated) wins {text.shown(tries.win, True)} of single tries and "
        told += f"{text.shown(tries.once, True)} of the deals at least once in {tries.tries}"
        lines.append(text.paragraph(f"tries    {told}", 0, 9))
    order = f"found on {result.order_deals:,} other deals, by what the ends of their games are worth"
    lines.append(text.paragraph(f"order    {order}", 0, 9))
    if result.without_effect:
        lines.append(text.paragraph(f"no game changed with {', '.join(result.without_effect)}", 0, 9))
    return lines
