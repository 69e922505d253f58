"""`houle review`: how good each decision of a recorded game was, from what the player knew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

import houle
from houle.cli.framework import options, text
from houle.cli.framework.command import Call, command
from houle.solver.errors import InputError
from houle.solver.language.seats import from_1
from houle.solver.rules.files import read_text
from houle.solver.texts import capital

if TYPE_CHECKING:
    from houle.analysis.play.review import Judged, Review

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
@options.language_option
@options.json_option
@options.drawn_option
@options.quiet_option
def review(call: Call, record: str, side: int, worlds: int, language: str) -> None:
    """Judge every decision of a recorded game.

    RECORD is a file that `houle play` or `houle trace --record` wrote. At each decision houle imagines the hidden cards
    many times, from what the player knew, and compares all moves. For one side it then adds up what its own mistakes,
    those of the others, and luck changed. To see the game with its cards, open the record with `houle play`: its review
    can be saved as a page.

    \b
    Examples:
      houle review game.txt
      houle review game.txt --side 2 -o game.svg
      houle review game.txt --worlds 2000 --json
      houle review game.txt --language fr
    """
    given = read_text(record)
    with call.watch(max(1, given.count("\nmove "))) as progress:
        judged = houle.review(given, worlds=worlds, seed=call.seed, file=record, progress=progress)
    if side > judged.setup.players:
        raise InputError(f"--side: {side} is not allowed; allowed: a seat from 1 to {judged.setup.players}")
    chosen = int(judged.setup.rules[0].side[side - 1])
    with text.speaking(language, judged.setup):
        lines = [text.say(line) for line in page_lines(judged, chosen)]
    again = judged.repeat() + (f" --side {side}" if call.given("side") else "")

    def draw_side(path: Path) -> None:
        from houle.reports.figures import draw

        draw(judged, path, side=chosen)

    call.put(judged, [*lines, text.repeated(again, language)], draw_side)


def page_lines(judged: Review, side: int) -> list[str]:
    """What choices and luck add up to, what decided the game, and all decisions."""
    from houle.analysis.play import review_words as words

    setup, account, worlds, goal = judged.setup, judged.account(side), judged.worlds, judged.goal
    what = goal.pick("chances to win", f"{goal.score} at the end, to expect")
    name = from_1(setup.game.side_names(setup)[side][0])
    return [
        *text.differences(setup),
        text.setup_title(setup),
        text.paragraph(
            f"{what} of the player who moves, from what that player knew; hidden cards imagined "
            f"{worlds:,} times at each decision; a better move is named only if it is certainly better",
            0,
            4,
        ),
        "",
        *(text.paragraph(from_1(line), 0, 4) for line in judged.ending),
        text.paragraph(words.in_short(account, goal, capital(name), over=True, worlds=worlds), 0, 4),
        "",
        *[text.paragraph(line, 0, 4) for line in deciding_lines(judged, side)],
        "",
        decision_table(judged),
        "",
        *text.notes(setup.notes),
    ]


def decision_table(judged: Review) -> str:
    digits = judged.digits
    picks: text.Picks = [
        ("", "number"),
        ("seat", lambda one: one.seat + 1),
        ("move", lambda one: from_1(one.made)),
        ("before", lambda one: one.before.short(digits)),
        ("after", lambda one: one.after.short(digits)),
        ("lost", lambda one: _lost(one, digits) if one.is_mistake else ""),
        ("better", lambda one: from_1(one.best) if one.is_mistake else ""),
    ]
    return text.table(judged.decisions, picks)


def _lost(one: Judged, digits: int) -> str:
    value, interval = (part.replace("+", "") for part in one.loss.parts(digits))
    return f"{value} ({interval})" if interval else value


def deciding_lines(judged: Review, side: int) -> list[str]:
    """The mistakes and the luck that decided the game."""
    from houle.analysis.play import review_words as words

    wrong = [words.mistake(one, judged.worlds) for one in judged.deciding(side)]
    luck = [words.swing(one, judged.goal, judged.worlds) for one in judged.account(side).swings]
    return [
        "Mistakes:" if wrong else "No choice of this side certainly lost anything.",
        *wrong,
        *(["Luck:" if judged.account(side).others is not None else "Luck and the others:", *luck] if luck else []),
    ]
