"""`houle review`: how good each decision of a recorded game was, from what the player knew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.result import shown_side
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, command
from houle.cli.framework.files import write_figure
from houle.solver.errors import InputError
from houle.solver.rules.files import read_text

if TYPE_CHECKING:
    from houle.analysis.play.review import Review

WORLDS = 400
MOST_WORLDS = 100_000


@command()
@click.argument("record", type=options.FileName())
@options.whole_option(
    "--side",
    least=1,
    most=99,
    default=1,
    help="Whose choices and luck to add up: a seat, from 1 (in team games its team).",
)
@options.worlds_option(WORLDS, 2, MOST_WORLDS)
@options.worlds_seed_option
@options.json_option
@options.out_folder_option(", as a web page")
@options.figure_option
@options.quiet_option
def review(call: Call, record: str, side: int, worlds: int) -> None:
    """Judge every decision of a recorded game.

    RECORD is a file that `houle play` or `houle trace --record` wrote. At each decision houle imagines the hidden cards
    many times, from what the player knew, and compares all moves. For one side it then adds up what its own choices
    lost and what luck and the others did.

    \b
    Examples:
      houle review game.txt
      houle review game.txt --side 2 -o out/review
      houle review game.txt --worlds 2000 --json
    """
    given = read_text(record)
    with call.watch(max(1, given.count("\nmove "))) as progress:
        judged = houle.review(given, worlds=worlds, seed=call.seed, file=record, progress=progress)
    if side > judged.setup.players:
        raise InputError(f"--side: {side} is not allowed; allowed: a seat from 1 to {judged.setup.players}")
    chosen = int(judged.setup.rules[0].side[side - 1])
    lines = page_lines(judged, chosen)
    if call.figure:
        draw_chances(judged, chosen, call.figure)
    if call.out:
        write_page(judged, chosen, Path(call.out))
        lines.append(f"wrote {Path(call.out) / 'index.html'}")
    call.print(judged.as_json() if call.as_json else None, lines)


def draw_chances(judged: Review, side: int, file: str) -> None:
    from houle.reports.figures.review import draw

    write_figure(lambda path: draw(judged, path, side), file)


def write_page(judged: Review, side: int, folder: Path) -> None:
    from houle.reports.html.write import write
    from houle.reports.review import make_review_report

    write(make_review_report(judged, side), folder)


def page_lines(judged: Review, side: int) -> list[str]:
    """All decisions, what choices and luck add up to, and what decided the game."""
    setup, account = judged.setup, judged.account(side)
    name = shown_side(setup.game.side_names(setup)[side][0])
    own = -100 * account.lost
    lines = [
        *text.differences(setup),
        text.setup_line(setup),
        text.paragraph(
            f"chances to win of the player who moves, from what that player knew; hidden cards imagined "
            f"{judged.worlds:,} times at each decision; losses are games in 100",
            0,
            4,
        ),
        "",
        decision_table(judged),
        "",
        *(text.paragraph(shown_side(line), 0, 4) for line in judged.ending),
        f"{name}, in games of 100",
        text.columns(
            ["", ""],
            [
                ["chance at the start", f"{100 * account.first:.1f}"],
                ["own choices", f"{own:+.1f}"],
                ["luck and the choices of others", f"{100 * account.rest:+.1f}"],
                ["result", f"{100 * account.result:.1f}"],
            ],
            right=(1,),
        ),
        "",
        *[text.paragraph(line, 0, 4) for line in deciding_lines(judged, side)],
        "",
        *text.notes(setup.notes),
        f"repeat   {judged.repeat()}",
    ]
    return lines


def decision_table(judged: Review) -> str:
    picks: text.Picks = [
        ("", "number"),
        ("seat", lambda one: one.seat + 1),
        ("move", lambda one: shown_side(one.made)),
        ("before", lambda one: one.before.short()),
        ("after", lambda one: one.after.short()),
        ("lost", lambda one: None if one.is_best else one.loss),
        ("better", lambda one: "" if one.is_best else shown_side(one.best)),
    ]
    return text.table(judged.decisions, picks)


def deciding_lines(judged: Review, side: int) -> list[str]:
    """The moves and changes of luck that decided the game."""
    lines = [
        f"move {one.number}, seat {one.seat + 1}: {shown_side(one.made)} instead of {shown_side(one.best)} lost "
        f"{one.loss.text()}"
        for one in judged.deciding(side)
    ] or ["No choice of this side clearly lost anything."]
    swings = [f"after move {number} luck or the others changed the chance by {100 * change:+.1f}"
              for number, change in judged.account(side).swings]  # fmt: skip
    return ["What decided it:", *lines, *swings]
