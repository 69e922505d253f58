"""`houle try`: plays a game that is one class in plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from houle.analysis.result import shown_side
from houle.analysis.stats.intervals import WHOLE_WIN
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, command
from houle.cli.framework.exits import Interrupted

if TYPE_CHECKING:
    from houle.analysis.plain.plain_class import PlainClass
    from houle.analysis.plain.trial import Arm, Trial

USUAL_GAMES = 1_000
MOST_PLAYERS = 8


@command(name="try")
@click.argument("file", type=click.Path())
@options.whole_option("-p", "--players", least=1, most=MOST_PLAYERS,
                      help="Number of players (default: 3, or the first in PLAYERS of the class).")  # fmt: skip
@options.strategy_option_of("Who plays: random, thumb (your rules_of_thumb) or flat:N; repeat -s to compare.")
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE",
              help="Change an option of the class; KEY=A,B or KEY=LOW..HIGH compares values.")  # fmt: skip
@options.games_option(USUAL_GAMES)
@options.seed_option
@options.first_option
@click.option("--trace", is_flag=True, help="Print the first game move by move instead.")
@options.json_option
@options.out_option
@options.quiet_option
def try_(call: Call, file: str, players: int | None, settings: tuple[str, ...], trace: bool) -> None:
    """Play a game that you wrote as one Python class.

    FILE is the Python file with the class; FILE:CLASS chooses one of several. houle runs this file.

    The class needs to_move(), legal(), apply(move) and result(), and gets the number of players and a source of luck.
    With imagine(seat, luck), which returns the game with other hidden cards, the searching player flat:N plays fairly.
    With rules_of_thumb(), which returns a sensible move, there is a player thumb. Several players or values of --set
    play the same deals and are compared with the first.

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

    game = load_class(file)
    combinations = parse_options(game, settings)
    seats = players or usual_players(game)
    who = call.strategy or ("thumb" if game.has("rules_of_thumb") else "random",)
    if trace:
        click.echo("\n".join(trace_lines(game, seats, who, combinations[0], call.seed, call.first)))
        return
    with call.watch(call.games * len(who) * len(combinations)) as progress:
        result = try_games(
            game, seats, who, combinations, games=call.games, seed=call.seed, first=call.first, progress=progress
        )
    call.put(result, page(result))
    if result.interrupted:
        part = f"{result.games:,} of {result.asked:,} are counted"
        raise Interrupted(f": {part}; exactly this part again: {result.repeat()}")


def usual_players(game: PlainClass) -> int:
    """The default number of players: 3 if the class allows it, else its first."""
    allowed = list(getattr(game.made, "PLAYERS", (3,)))
    return 3 if 3 in allowed else int(allowed[0])


def page(result: Trial) -> list[str]:
    """One variant as `simulate` prints it; of several also the differences from the first."""
    arm = result.arms[0]
    several = len(result.arms) > 1
    who = f"{len(result.arms)} variants on the same deals" if several else text.deciders(arm.names)
    settings = "".join(f", {name}={value}" for name, value in arm.settings.items()) if not several else ""
    lines = [
        f"{result.game.title} in plain Python, {text.plural(result.players, 'player')}{settings}, {who}",
        f"{text.plural(result.games, 'game')}; {text.INTERVALS}",
        "",
        *(arms_table(result) if several else arm_table(result, arm)),
        "",
        f"time     {result.seconds:.2f} s, {result.games_per_second:,.0f} games per second",
        f"seed     {result.seed}; digest: result {result.digest}",
        *text.notes(result.notes),
        f"repeat   {result.repeat()}",
    ]
    return lines


def arm_table(result: Trial, arm: Arm) -> list[str]:
    """Wins, scores, and how long games are."""
    records = [
        {"side": name, "seats": seats, "win": result.wins(arm, side), "score": result.scores(arm, side).interval}
        for side, (name, seats) in enumerate(arm.sides)
    ]
    lines = [text.sides_table(records, result.score), ""]
    if result.draws(arm).value > 0:
        lines.append(f"no winner {result.draws(arm).text()}")
    return [*lines, text.lengths({name: result.mean(arm, name) for name in arm.tally.names})]


def arms_table(result: Trial) -> list[str]:
    """A table per measure, with the differences from the first variant on the same deals."""
    heads = {"win": "wins", "score": result.score, "length": "turns"}
    lines: list[str] = []
    for measure, head in heads.items():
        rows = [
            [arm.label, result.value(arm, measure).text(),
             "" if arm is result.arms[0] else result.difference(arm, measure).text()]
            for arm in result.arms
        ]  # fmt: skip
        lines += [text.columns(["variant", head, f"difference from {result.arms[0].label}"], rows), ""]
    whose = f"These are results of {shown_side(result.arms[0].sides[0][0])}." if len(result.arms[0].sides) > 1 else ""
    return [*lines, whose] if whose else lines[:-1]


def trace_lines(
    game: PlainClass, players: int, strategies: tuple[str, ...], settings: dict[str, Any], seed: int, number: int
) -> list[str]:
    """One game move by move: who, which move, what else was possible, and the position if the class shows it."""
    from houle.analysis.plain.players import seat_players
    from houle.analysis.plain.trial import play_one

    seated = seat_players(game, strategies[0], players)
    names = tuple(strategy.text for strategy in seated)
    lines = [
        f"{game.title} in plain Python, {text.plural(players, 'player')}; seed {seed}, game {number}, "
        f"{text.deciders(names)}"
    ]

    def show(match: Any, seat: int, legal: list[Any], move: Any) -> None:
        lines.extend(["", *shown_position(match)])
        lines.append(f"{match.moves + 1:>3}  seat {seat + 1}: {move}")
        others = [str(other) for other in legal if other != move]
        instead = f"instead of: {', '.join(others)}" if others else "(nothing else was possible)"
        lines.append(text.paragraph(instead, 5, 4))

    outcome, sides = play_one(game, players, seated, settings, seed, number, show)
    rows = [
        [shown_side(name), str(outcome.scores[side]),
         "no" if outcome.shares[side] == 0 else "yes" if outcome.shares[side] == WHOLE_WIN
         else f"shared ({outcome.shares[side] / WHOLE_WIN:.3f})"]
        for side, (name, _) in enumerate(sides)
    ]  # fmt: skip
    score = str(getattr(game.made, "SCORE", "score"))
    end = f"The game is over after {text.plural(outcome.moves, 'move')}"
    return [*lines, "", end, text.columns(["side", score, "won"], rows, right=(1,))]


def shown_position(match: Any) -> list[str]:
    """The position before a move, if the class can show it."""
    if match.game.has("show"):
        shown = str(match.game.guarded(match.played.show, match.at())).splitlines()
        return [text.paragraph(line, 5, 4) for line in shown]
    if match.game.has("snapshot"):
        snapshot = match.game.guarded(match.played.snapshot, match.at())
        return [text.paragraph(f"{name}: {value}", 5, 4) for name, value in dict(snapshot).items()]
    return []
