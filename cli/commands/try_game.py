"""`houle try`: a game that is one class in plain Python, played at once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from houle.analysis.limits import MOST_GAMES
from houle.analysis.result import shown_seats, shown_side
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.cli.framework import options, text
from houle.cli.framework.command import NOTHING_COUNTED
from houle.cli.framework.exits import INTERRUPTED
from houle.cli.framework.files import check_files, write_result
from houle.cli.framework.progress import GamesProgress, Interrupted

if TYPE_CHECKING:
    from houle.analysis.plain.plain_class import PlainClass
    from houle.analysis.plain.trial import Arm, Trial

USUAL_GAMES = 1_000
MOST_PLAYERS = 8


@click.command(name="try")
@click.argument("file", type=click.Path())
@click.option("-p", "--players", type=options.Whole(1, MOST_PLAYERS), metavar="N",
              help="Players at the table; what PLAYERS of the class begins with, else 3.")  # fmt: skip
@click.option("-s", "--strategy", multiple=True, metavar="NAME[,NAME...]",
              help="Who decides: random, thumb (its rules_of_thumb), flat:N; every -s is compared.")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE",
              help="An option of the class; KEY=A,B, KEY=LOW..HIGH or another --set KEY compares.")  # fmt: skip
@click.option("-n", "--games", type=options.Whole(1, MOST_GAMES, ", as 1e4"), default=USUAL_GAMES, show_default=True,
              metavar="N", help="How many games.")  # fmt: skip
@options.seed_option
@options.first_option
@click.option("--trace", is_flag=True, help="Print one game, the first, move by move.")
@options.json_option
@options.out_option
@options.quiet_option
def try_(
    file: str,
    players: int | None,
    strategy: tuple[str, ...],
    settings: tuple[str, ...],
    games: int,
    seed: int,
    first: int,
    trace: bool,
    as_json: bool,
    out: str | None,
    quiet: bool,
) -> None:
    """Play a game of your own that is one class in plain Python.

    FILE is the file with the class, FILE:CLASS names one of several.

    The class has to_move(), legal(), apply(move) and result(); it is handed players and luck. That is enough for the
    table of `simulate`, at Python's speed. With imagine(seat, luck), a game as it may be for all that the seat knows,
    flat:N is a fair player; with rules_of_thumb(), a sensible move, there is a thumb, and flat's playouts follow it.
    Several -s or values of --set play the same games and are compared with the first. Ctrl-C shows what is done so
    far. The file is run as the Python that it is.

    \b
    Examples:
      houle try my_game.py -p 3 --trace
      houle try my_game.py -p 3 -s flat:20 -n 100
      houle try my_game.py -p 3 -s random -s thumb
      houle try my_game.py -p 3 -s thumb --set hand=6,7
    """
    from houle.analysis.plain.plain_class import load_class
    from houle.analysis.plain.settings import parse_options
    from houle.analysis.plain.trial import try_games

    check_files(out)
    game = load_class(file)
    combinations = parse_options(game, settings)
    seats = players or usual_players(game)
    who = strategy or ("thumb" if game.has("rules_of_thumb") else "random",)
    if trace:
        click.echo("\n".join(trace_lines(game, seats, who, combinations[0], seed, first)))
        return
    ctx = click.get_current_context()
    try:
        with GamesProgress(games * len(who) * len(combinations), silent=as_json or quiet) as progress:
            result = try_games(game, seats, who, combinations, games, seed, first, progress)
    except (Interrupted, KeyboardInterrupt):
        click.echo(f"houle: {NOTHING_COUNTED}", err=True)
        ctx.exit(INTERRUPTED)
    if out:
        write_result(result, out)
    if as_json:
        click.echo(json.dumps(result.as_json(), indent=2))
    else:
        click.echo("\n".join(page(result)))
    if result.interrupted:
        part = f"{result.games:,} of {result.asked:,} are counted"
        click.echo(f"houle: interrupted: {part}; exactly this part again: {result.repeat()}", err=True)
        ctx.exit(INTERRUPTED)


def usual_players(game: PlainClass) -> int:
    """What the class says, three among several."""
    allowed = list(getattr(game.made, "PLAYERS", (3,)))
    return 3 if 3 in allowed else int(allowed[0])


def page(result: Trial) -> list[str]:
    """One arm as `simulate` prints it; of several the differences to the first behind it."""
    last = result.first + result.games - 1
    arm = result.arms[0]
    several = len(result.arms) > 1
    who = f"{len(result.arms)} arms on the same games" if several else text.deciders(arm.names)
    settings = "".join(f", {name}={value}" for name, value in arm.settings.items()) if not several else ""
    lines = [
        f"{result.game.title} in plain Python, {text.plural(result.players, 'player')}{settings}, {who}",
        f"{text.plural(result.games, 'game')} of seed {result.seed}, numbers {result.first:,} to {last:,}, "
        "95% intervals",
        "",
        *(arms_table(result) if several else arm_table(result, arm)),
        "",
        f"time     {result.seconds:.2f} s, {result.games_per_second:,.0f} games a second",
        f"digest   result {result.digest}",
        *text.notes(result.notes),
        f"repeat   {result.repeat()}",
    ]
    return lines


def arm_table(result: Trial, arm: Arm) -> list[str]:
    """Who won how often, the scores, and what a game is like."""
    rows = [
        [shown_side(name), text.span(shown_seats(seats)), text.shown(result.wins(arm, side), percent=True),
         text.shown(result.scores(arm, side).interval)]
        for side, (name, seats) in enumerate(arm.sides)
    ]  # fmt: skip
    lines = [text.columns(["side", "seats", "wins", result.score], rows), ""]
    if result.draws(arm).value > 0:
        lines.append(f"no winner {text.shown(result.draws(arm), percent=True)}")
    means = {name: result.mean(arm, name) for name in arm.tally.names}
    told = {name: mean for name, mean in means.items() if not (name == "rounds" and mean == 1)}
    if told["moves"] == told["turns"]:
        told = {"moves or turns": told.pop("moves")} | {name: mean for name, mean in told.items() if name != "turns"}
    return [*lines, "a game   " + ", ".join(f"{mean:.2f} {name.replace('_', ' ')}" for name, mean in told.items())]


def arms_table(result: Trial) -> list[str]:
    """A row an arm and measure, with the difference to the first arm on the same games."""
    heads = {"win": "wins", "score": result.score, "length": "turns"}
    lines: list[str] = []
    for measure, head in heads.items():
        percent = measure == "win"
        rows = [
            [arm.label, text.shown(result.value(arm, measure), percent),
             "" if arm is result.arms[0] else text.shown(result.difference(arm, measure), percent)]
            for arm in result.arms
        ]  # fmt: skip
        lines += [text.columns(["arm", head, f"beside {result.arms[0].label}"], rows), ""]
    whose = f"{shown_side(result.arms[0].sides[0][0])} alone is compared; " if len(result.arms[0].sides) > 1 else ""
    return [*lines, f"{whose}differences are paired by game"]


def trace_lines(
    game: PlainClass, players: int, strategies: tuple[str, ...], settings: dict[str, Any], seed: int, number: int
) -> list[str]:
    """One game, move by move: who, what, what else was possible, and the table where the class shows it."""
    from houle.analysis.plain.players import seat_players
    from houle.analysis.plain.trial import play_one

    seated = seat_players(game, strategies[0], players)
    names = tuple(strategy.text for strategy in seated)
    lines = [
        f"{game.title} in plain Python, {text.plural(players, 'player')}; seed {seed}, game {number}, "
        f"{text.deciders(names)}"
    ]

    def told(table: Any, seat: int, legal: list[Any], move: Any) -> None:
        lines.extend(["", *shown_table(table)])
        lines.append(f"{table.moves + 1:>3}  seat {seat + 1}: {move}")
        others = [str(other) for other in legal if other != move]
        instead = f"instead of: {', '.join(others)}" if others else "(nothing else was possible)"
        lines.append(text.paragraph(instead, 5, 4))

    outcome, sides = play_one(game, players, seated, settings, seed, number, told)
    rows = [
        [shown_side(name), str(outcome.scores[side]),
         "no" if outcome.shares[side] == 0 else "yes" if outcome.shares[side] == WHOLE_WIN
         else f"{outcome.shares[side] / WHOLE_WIN:.3f} of it"]
        for side, (name, _) in enumerate(sides)
    ]  # fmt: skip
    score = str(getattr(game.made, "SCORE", "score"))
    end = f"over after {text.plural(outcome.moves, 'move')}"
    return [*lines, "", end, text.columns(["side", score, "won"], rows, right=(1,))]


def shown_table(table: Any) -> list[str]:
    """The table before a move, as far as the class can show it."""
    if table.game.has("show"):
        shown = str(table.game.guarded(table.played.show, table.at())).splitlines()
        return [text.paragraph(line, 5, 4) for line in shown]
    if table.game.has("snapshot"):
        found = table.game.guarded(table.played.snapshot, table.at())
        return [text.paragraph(f"{name}: {value}", 5, 4) for name, value in dict(found).items()]
    return []
