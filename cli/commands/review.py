"""`houle review`: every decision of a game judged on what its seat knew, and what own choices and all the rest did."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.limits import SEED
from houle.analysis.result import shown_side
from houle.cli.framework import options, text
from houle.cli.framework.exits import INTERRUPTED
from houle.cli.framework.files import check_file, write_figure
from houle.cli.framework.progress import GamesProgress, Interrupted
from houle.solver.errors import InputError
from houle.solver.ruleset.files import read_text

if TYPE_CHECKING:
    from houle.analysis.play.review import Judged, Review

WORLDS = 400
MOST_WORLDS = 100_000
PICTURES = (".png", ".svg", ".pdf")


@click.command()
@click.argument("record", type=click.Path())
@click.option(
    "--side",
    type=options.Whole(1, 99),
    default=1,
    show_default=True,
    metavar="N",
    help="For whom the account is made: a seat, from 1; in a game of teams its team.",
)
@click.option(
    "--worlds",
    type=options.Whole(2, MOST_WORLDS),
    default=WORLDS,
    show_default=True,
    metavar="N",
    help="Worlds to imagine at every decision.",
)
@options.seed_option_of(SEED, "Names the worlds.")
@options.json_option
@click.option("-o", "--out", type=click.Path(), metavar="FOLDER", help="Also write the page there, like a report.")
@click.option("--figure", type=click.Path(), metavar="FILE", help="Also draw the chance: a .png, .svg or .pdf file.")
@options.quiet_option
def review(
    record: str, side: int, worlds: int, seed: int, as_json: bool, out: str | None, figure: str | None, quiet: bool
) -> None:
    """Judge every decision of the game in the file RECORD.

    At every decision all moves are made in imagined worlds that agree with what the seat knew, and thumbs play on to
    the end. The best move is chosen in one half of the worlds and scored in the other. For one side, what its own
    choices lost and what all the rest brought add up to the result minus the first chance.

    \b
    Examples:
      houle review game.txt
      houle review game.txt --side 2 -o out/review
      houle review game.txt --worlds 2000 --json
    """
    check_file("--figure", figure, PICTURES)
    given = read_text(record)
    total = max(1, given.count("\nmove "))
    try:
        with GamesProgress(total, silent=as_json or quiet) as progress:
            found = houle.review(given, worlds=worlds, seed=seed, file=record, progress=progress)
    except (Interrupted, KeyboardInterrupt):
        click.echo("houle: interrupted before there was an answer", err=True)
        click.get_current_context().exit(INTERRUPTED)
    if side > found.setup.players:
        raise InputError(f"--side: {side} is not allowed; allowed: a seat from 1 to {found.setup.players}")
    chosen = int(found.setup.rules[0].side[side - 1])
    if figure:
        from houle.reports.figures.review import draw

        write_figure(lambda path: draw(found, path, chosen), figure)
    if out:
        from houle.reports.html.write import write
        from houle.reports.review import make_review_report

        write(make_review_report(found, chosen), Path(out))
    if as_json:
        click.echo(json.dumps(found.as_json(), indent=2))
    else:
        click.echo("\n".join(page_lines(found, chosen)))
        if out:
            click.echo(f"saved {Path(out) / 'index.html'}")


def page_lines(found: Review, side: int) -> list[str]:
    """Every decision, the account, what decided it."""
    setup, account = found.setup, found.account(side)
    name = shown_side(setup.game.side_names(setup)[side][0])
    own = -100 * account.lost
    lines = [
        *text.differences(setup),
        text.setup_line(setup),
        text.paragraph(
            f"{found.worlds:,} worlds at every decision, on what that seat knew, played on by thumbs: one half chooses "
            "the best move, the other scores; chances are those of the side of who moved, losses in games of 100",
            0,
            4,
        ),
        "",
        decision_table(found),
        "",
        *(text.paragraph(shown_side(line), 0, 4) for line in found.ending),
        f"the account of {name}, in games of 100",
        text.columns(
            ["", ""],
            [
                ["first chance", f"{100 * account.first:.1f}"],
                ["own choices", f"{own:+.1f}"],
                ["all the rest: draws, other hands, others' choices", f"{100 * account.rest:+.1f}"],
                ["result", f"{100 * account.result:.1f}"],
            ],
            right=(1,),
        ),
        "",
        *[text.paragraph(line, 0, 4) for line in deciding_lines(found, side)],
        "",
        *text.notes(setup.notes),
        f"repeat   {found.repeat()}",
    ]
    return lines


def decision_table(found: Review) -> str:
    rows = [
        [str(one.number), str(one.seat + 1), shown_side(one.made), f"{100 * one.before.value:.1f}%",
         f"{100 * one.after.value:.1f}%", _loss(one), "" if one.is_best else shown_side(one.best)]
        for one in found.decisions
    ]  # fmt: skip
    return text.columns(["", "seat", "made", "before", "after", "lost", "better"], rows, right=(0, 1, 3, 4))


def _loss(one: Judged) -> str:
    if one.is_best:
        return ""
    return f"{100 * one.loss.value:.1f} ({100 * one.loss.low:.1f} to {100 * one.loss.high:.1f})"


def deciding_lines(found: Review, side: int) -> list[str]:
    """The few moves and swings that decided it."""
    lines = [
        f"move {one.number}, seat {one.seat + 1}: {shown_side(one.made)} instead of {shown_side(one.best)} lost "
        f"{_loss(one)}"
        for one in found.deciding(side)
    ] or ["no choice of this side is seen to have cost anything"]
    swings = [f"after move {number} all the rest changed the chance by {100 * change:+.1f}"
              for number, change in found.account(side).swings]  # fmt: skip
    return ["What decided it:", *lines, *swings]
