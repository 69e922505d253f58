"""`houle advise`: all moves in a position from best to worst, and why the best is best."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.result import shown_side
from houle.cli.framework import options, text
from houle.cli.framework.exits import INTERRUPTED
from houle.cli.framework.files import check_files, write_figure, write_result
from houle.cli.framework.progress import GamesProgress, Interrupted
from houle.solver.errors import PositionError

if TYPE_CHECKING:
    from houle import Advice
    from houle.analysis.advice.advise import AdvisedMove
    from houle.analysis.advice.reasons import Reason
    from houle.analysis.stats.estimate import Estimate

MOST_WORLDS = 1_000_000
WORLDS = 400
LONGEST = 86_400  # seconds
MOST_ENDS = 4  # ways to end that are shown


class Seconds(click.ParamType):  # type: ignore[type-arg]  # generic in recent versions of click only
    """A time above 0, in seconds."""

    name = "seconds"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            seconds = float(str(value))
        except ValueError:
            seconds = 0.0
        if not 0 < seconds <= LONGEST:
            raise click.UsageError(f"--seconds: {value!r} is not allowed; allowed: above 0, up to {LONGEST:,}", ctx)
        return seconds


@click.command()
@options.setup_options
@options.strategy_option_of("With --from: who played so far (default: thumb).")
@click.option("--position", "given", metavar="FILE|-|TEXT", help="The position, as `houle position` writes it.")
@click.option("--from", "where", metavar="SEED/GAME/PLY", help="Instead: the position in this game after PLY moves.")
@options.worlds_option(None, 1, MOST_WORLDS, f" (default: {WORLDS})")
@click.option("--seconds", type=Seconds(), metavar="S", help="Instead: imagine for S seconds.")
@click.option(
    "--certain",
    is_flag=True,
    help="Instead: imagine until the best move is certain, or at most one point behind another.",
)
@options.worlds_seed_option
@options.json_option
@options.out_option
@options.figure_option
@options.quiet_option
def advise(
    asked: options.Asked,
    strategy: tuple[str, ...],
    given: str | None,
    where: str | None,
    worlds: int | None,
    seconds: float | None,
    certain: bool,
    seed: int,
    as_json: bool,
    out: str | None,
    figure: str | None,
    quiet: bool,
) -> None:
    """Find the best move in a position, and say why.

    houle imagines the hidden cards many times, always in agreement with what the player to move knows. Each time it
    tries every move and lets players that follow the rules of thumb finish the game. The table shows how often each
    move wins, how many games in 100 it loses compared with the best move, and which players would choose it.

    \b
    Examples:
      houle advise wave --from 7/3/5
      houle advise wave --position here.txt --certain
      houle advise wave --position "seat: 1; top: white 3; ..." --worlds 2000
    """
    from houle.analysis.advice.positions import find_position

    check_files(out, figure)
    if (where is None) == (given is None):
        raise PositionError(
            "advise: the position is missing; give either --position FILE|-|TEXT or --from SEED/GAME/PLY"
        )
    position = find_position(asked.setup_or_game(), where, given, strategy or None)
    ctx = click.get_current_context()
    try:
        with GamesProgress(worlds or WORLDS, silent=as_json or quiet) as progress:
            advice = houle.advise(
                position, worlds=worlds, seconds=seconds, certain=certain, seed=seed, progress=progress
            )
    except (Interrupted, KeyboardInterrupt):
        click.echo("houle: interrupted before there was a result", err=True)
        ctx.exit(INTERRUPTED)
    if out:
        write_result(advice, out)
    if figure:
        write_figure(advice.plot, figure)
    if as_json:
        click.echo(json.dumps(advice.as_json(), indent=2))
    else:
        click.echo("\n".join(page_lines(advice)))


def page_lines(advice: Advice) -> list[str]:
    """The verdict, the moves, the reasons, and the command that repeats it."""
    setup, seat = advice.setup, advice.position.seat
    lines = [
        *text.differences(setup),
        f"{text.setup_line(setup)}; seat {seat + 1} is to move",
        "",
        *(text.paragraph(line, 0, 4) for line in verdict(advice)),
        "",
        move_table(advice),
        text.paragraph(
            f"loses: games in 100 compared with the best move. Hidden cards imagined {advice.games:,} times; "
            f"{text.INTERVALS}, for losses valid for all pairs of moves together",
        ),
        "",
        *reason_lines(advice),
        *(text.paragraph(line, 0, 4) for line in foreseen(advice)),
        "",
        *text.notes(setup.notes),
        f"repeat   {advice.repeat()}",
    ]
    if advice.unasked:
        lines.insert(-1, f"note     {advice.unasked}")
    if advice.position.luck is None:
        lines.insert(
            -1, "note     without a line `luck` in the position, players that choose at random use a fixed seed"
        )
    return lines


def move_table(advice: Advice) -> str:
    competes = not advice.setup.one_sided
    rows = []
    for rank, move in enumerate(advice.moves, 1):
        loss = (
            ""
            if rank == 1
            else f"{100 * move.loss.value:.1f} ({100 * move.loss.low:.1f} to {100 * move.loss.high:.1f})"
        )
        score = [_number(move.points)] if competes else []
        rows.append([str(rank), shown_side(move.name), _percent(move.win), loss, *score, ", ".join(move.players)])
    head = ["", "move", "wins", "loses", *([advice.setup.score.replace("_", " ")] if competes else []), "chosen by"]
    return text.columns(head, rows, right=(0,))


def _percent(chance: Estimate) -> str:
    return f"{100 * chance.value:.1f}% ({100 * chance.low:.1f} to {100 * chance.high:.1f})"


def _number(mean: Estimate) -> str:
    return f"{mean.value:.2f} ({mean.low:.2f} to {mean.high:.2f})"


def verdict(advice: Advice, more: bool = True) -> list[str]:
    """What to play, and how much it matters; with `more` also which option would make it certain."""
    best = shown_side(advice.best.name)
    if len(advice.moves) == 1:
        return [f"It does not matter: {best} is the only move."]
    if not advice.matters:
        worst = max(move.loss.high for move in advice.moves[1:])
        return [
            f"It does not matter: {best} is as good as any. No move loses more than {100 * worst:.1f} games in 100."
        ]
    alike = [shown_side(move.name) for move in advice.contenders]
    if not alike:
        return [f"Best: {best}. Every other move is worse."]
    most = f"it is at most {100 * advice.most_lost:.1f} games in 100 worse than the best of them"
    if advice.decided:
        return [f"Best: {best}, or at most one point behind: {', '.join(alike)} may be as good ({most})."]
    option = "--certain" if not advice.certain else "a larger --worlds"
    hint = f"; {option} would tell" if more else ""
    return [f"Best so far: {best}. {', '.join(alike)} may be better ({most}{hint})."]


def reason_lines(advice: Advice) -> list[str]:
    """The best move compared with the next, one rule of thumb per line."""
    if advice.why is None or not advice.matters:
        return []
    rival, margin = shown_side(advice.moves[1].name), advice.why.margin
    if margin > 0:
        head = f"The rules of thumb prefer it to {rival}, by {margin} points:"
    elif margin < 0:
        head = f"The rules of thumb prefer {rival}, by {-margin} points, but looking ahead shows otherwise:"
    else:
        head = f"The rules of thumb rate {rival} the same."
    return [text.paragraph(head, 0, 4), *(reason_line(reason) for reason in advice.why.reasons)]


def reason_line(reason: Reason) -> str:
    """One rule of thumb: how much it speaks for or against the move."""
    way = "for" if reason.points > 0 else "against"
    return text.paragraph(f"{reason.points:+d} {way}: {reason.sentence} ({reason.value} against {reason.other})", 2, 4)


def foreseen(advice: Advice) -> list[str]:
    """How the imagined games end after the best two moves, or who wins them."""
    if not advice.matters:
        return []
    return [f"after {shown_side(move.name)}: {_ends(advice, move)}" for move in advice.moves[:2] if _ends(advice, move)]


def _ends(advice: Advice, move: AdvisedMove) -> str:
    if move.ends:
        ends = list(move.ends.items())[:MOST_ENDS]
        return ", ".join(f"{shown_side(words)} {100 * often:.0f}%" for words, often in ends)
    names = [shown_side(name) for name, _ in advice.setup.game.side_names(advice.setup)]
    if len(names) < 2:
        return ""
    return ", ".join(f"{name} wins {100 * win.value:.0f}%" for name, win in zip(names, move.sides, strict=True))
