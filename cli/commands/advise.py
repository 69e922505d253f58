"""`houle advise`: what to play at a position, every move ranked, and why."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import SEED
from houle.analysis.result import shown_side
from houle.cli.framework import options, text
from houle.cli.framework.exits import INTERRUPTED
from houle.cli.framework.files import check_files, write_figure, write_result
from houle.cli.framework.progress import GamesProgress, Interrupted
from houle.solver.errors import InputError

if TYPE_CHECKING:
    from houle import Advice
    from houle.analysis.advice.advise import AdvisedMove
    from houle.analysis.advice.reasons import Reason
    from houle.analysis.stats.intervals import Interval

MOST_WORLDS = 1_000_000
WORLDS = 400
LONGEST = 86_400  # seconds
MOST_ENDS = 4  # ways to end that are told


class Seconds(click.ParamType):  # type: ignore[type-arg]  # generic in recent versions of click only
    """A time above 0, in seconds."""

    name = "seconds"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            found = float(str(value))
        except ValueError:
            found = 0.0
        if not 0 < found <= LONGEST:
            raise click.UsageError(f"--seconds: {value!r} is not allowed; allowed: above 0, up to {LONGEST:,}", ctx)
        return found


@click.command()
@options.setup_options
@options.strategy_option_of("Who played so far, with --from; the thumb by default.")
@click.option("--position", "given", metavar="FILE|-|TEXT", help="What the seat knows (houle position writes one).")
@click.option("--from", "where", metavar="SEED/GAME/PLY", help="Of this game instead, after so many moves.")
@click.option(
    "--worlds", type=options.Whole(1, MOST_WORLDS), metavar="N", help=f"Worlds to imagine; {WORLDS} by default."
)
@click.option("--seconds", type=Seconds(), metavar="S", help="Imagine worlds for so long instead.")
@click.option("--certain", is_flag=True, help="Imagine worlds until the best is known, or the rest is within a point.")
@options.seed_option_of(SEED, "Names the worlds.")
@options.json_option
@options.out_option
@click.option("--figure", type=click.Path(), metavar="FILE", help="Also draw the position: a .png, .svg or .pdf file.")
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
    """Say what to play in GAME at a position, and why.

    Worlds are imagined that agree with what the seat knows, every move is made in each of them, and thumbs play on to
    the end. A move loses what it wins less often than the best one, in games of 100; intervals of losses hold for all
    pairs of moves together. Named players are asked what they would do, with the seat's own luck.

    \b
    Examples:
      houle advise wave --from 7/3/5
      houle advise wave --position here.txt --certain
      houle advise wave --position "seat: 1; top: white 3; ..." --worlds 2000
    """
    from houle.analysis.advice.positions import find_position

    check_files(out, figure)
    if (where is None) == (given is None):
        raise InputError("advise: give either --position FILE|-|TEXT or --from SEED/GAME/PLY")
    position = find_position(asked.table(), where, given, strategy or None)
    ctx = click.get_current_context()
    try:
        with GamesProgress(worlds or WORLDS, silent=as_json or quiet) as progress:
            found = houle.advise(
                position, worlds=worlds, seconds=seconds, certain=certain, seed=seed, progress=progress
            )
    except (Interrupted, KeyboardInterrupt):
        click.echo("houle: interrupted before there was an answer", err=True)
        ctx.exit(INTERRUPTED)
    if out:
        write_result(found, out)
    if figure:
        write_figure(found.plot, figure)
    if as_json:
        click.echo(json.dumps(found.as_json(), indent=2))
    else:
        click.echo("\n".join(page_lines(found)))


def page_lines(found: Advice) -> list[str]:
    """The table, the verdict, the reasons, and how to get the same again."""
    setup, seat = found.setup, found.position.seat
    lines = [
        *text.differences(setup),
        f"{text.setup_line(setup)}; seat {seat + 1} has to move",
        text.paragraph(
            f"{found.games:,} worlds that agree with what it knows, every move made in each, played on by thumbs; a "
            f"loss is in games of 100 against the best move, {_how_sure(found)}",
            0,
            4,
        ),
        "",
        move_table(found),
        "",
        *(text.paragraph(line, 0, 4) for line in verdict(found)),
        *reason_lines(found),
        *(text.paragraph(line, 0, 4) for line in foreseen(found)),
        "",
        *text.notes(setup.notes),
        f"repeat   {found.repeat()}",
    ]
    if found.unasked:
        lines.insert(-1, f"note     {found.unasked}")
    if found.position.luck is None:
        lines.insert(-1, "note     the position has no line `luck`: what named players leave to chance has a fixed key")
    return lines


def _how_sure(found: Advice) -> str:
    if found.certain:
        return "with 95% confidence sequences for all pairs of moves together"
    return "with 95% intervals for all pairs of moves together"


def move_table(found: Advice) -> str:
    competes = not found.setup.one_sided
    rows = []
    for rank, move in enumerate(found.moves, 1):
        loss = (
            ""
            if rank == 1
            else f"{100 * move.loss.value:.1f} ({100 * move.loss.low:.1f} to {100 * move.loss.high:.1f})"
        )
        score = [_number(move.points)] if competes else []
        rows.append([str(rank), shown_side(move.name), _percent(move.win), loss, *score, ", ".join(move.players)])
    head = ["", "move", "wins", "loses", *([found.setup.score.replace("_", " ")] if competes else []), "played by"]
    return text.columns(head, rows, right=(0,))


def _percent(chance: Interval) -> str:
    return f"{100 * chance.value:.1f}% ({100 * chance.low:.1f} to {100 * chance.high:.1f})"


def _number(mean: Interval) -> str:
    return f"{mean.value:.2f} ({mean.low:.2f} to {mean.high:.2f})"


def verdict(found: Advice) -> list[str]:
    """What to play, and how much hangs on it."""
    best = shown_side(found.best.name)
    if len(found.moves) == 1:
        return [f"It does not matter: {best} is the only move."]
    if not found.matters:
        worst = max(move.loss.high for move in found.moves[1:])
        return [f"It does not matter: no move loses more than {100 * worst:.1f} games of 100 against another ({best})."]
    alike = [shown_side(move.name) for move in found.not_told_apart]
    if not alike:
        return [f"Best: {best}. Every other move is worse."]
    most = f"it may lose {100 * found.most_lost:.1f} games of 100 against the best of them, not more"
    if found.decided:
        return [f"Best: {best}. It is the best, or within a point of it: {', '.join(alike)} may be as good ({most})."]
    more = "--certain" if not found.certain else "more worlds (--worlds)"
    return [f"Best: {best}. It cannot be told apart yet from {', '.join(alike)} ({most}); {more} would tell more."]


def reason_lines(found: Advice) -> list[str]:
    """The best move against the next, rule of thumb by rule of thumb."""
    if found.why is None or not found.matters:
        return []
    rival, margin = shown_side(found.moves[1].name), found.why.margin
    if margin > 0:
        head = f"Against {rival} the rules of thumb are for it, by {margin} points of their rating:"
    elif margin < 0:
        head = f"Against {rival} the rules of thumb are against it, by {-margin} points; the worlds count more:"
    else:
        head = f"The rules of thumb see no difference to {rival}."
    return [text.paragraph(head, 0, 4), *(reason_line(reason) for reason in found.why.reasons)]


def reason_line(reason: Reason) -> str:
    """One rule: for or against the move, by how much, in its sentence."""
    way = "for" if reason.points > 0 else "against"
    return text.paragraph(f"{reason.points:+d} {way}: {reason.sentence} ({reason.value} against {reason.other})", 2, 4)


def foreseen(found: Advice) -> list[str]:
    """How the imagined games end after the best move and after the next, where the game can say it; else who wins."""
    if not found.matters:
        return []
    return [f"after {shown_side(move.name)}: {_ends(found, move)}" for move in found.moves[:2] if _ends(found, move)]


def _ends(found: Advice, move: AdvisedMove) -> str:
    if move.ends:
        ends = list(move.ends.items())[:MOST_ENDS]
        return ", ".join(f"{shown_side(words)} {100 * often:.0f}%" for words, often in ends)
    names = [shown_side(name) for name, _ in found.setup.game.side_names(found.setup)]
    if len(names) < 2:
        return ""
    return ", ".join(f"{name} wins {100 * win.value:.0f}%" for name, win in zip(names, move.sides, strict=True))
