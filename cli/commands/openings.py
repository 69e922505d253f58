"""`houle openings`: how the start changes the chances, and what a start that you choose does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.blocks import bullets
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command
from houle.cli.framework.options import confirm_option
from houle.solver.language.seats import from_1

if TYPE_CHECKING:
    from houle import CustomOpening, Openings
    from houle.analysis.fairness.means_by_fact import FactLevel
    from houle.analysis.fairness.openings import FactTable
    from houle.analysis.stats.estimate import Estimate

SHOWN = 8  # facts that are shown without --all


@analysis_command(least=2)
@click.option(
    "--deal",
    "opening",
    metavar="TEXT|FILE",
    help='Choose some cards of the deal, as in "top: white 3; seat 1: red 1"; the rest is random. Seats count from 1.',
)
@click.option(
    "--all", "every", is_flag=True, help=f"Show all facts about the start, not only the {SHOWN} most important."
)
@confirm_option
def openings(call: Call, opening: str | None, every: bool, confirm: bool) -> None:
    """Show how the start changes the chances.

    Which facts about the deal matter most, such as the first card or the cards in a hand, and what each means for wins
    and scores. With --deal you choose some cards yourself, and houle compares the chances with a random deal. A file
    for --deal holds the same text, one place per line. If a game deals again in each round, one round is played.

    \b
    Examples:
      houle openings wave -p 3
      houle openings land-unter -p 4 --figure packs.png
      houle openings wave --deal "top: white 3; seat 1: navy 4, red 1"
      houle openings sea-change -p 3 --deal "seat 1: yellow 9, blue 9"
    """
    result = call.play(houle.openings, call.setup, opening=opening, confirm=confirm)
    again = result.repeat(call.asked.words(call.setup)) + (" --all" if every else "")
    call.show(result, page(result, every) if opening is None else page_beside_free_deal(result), repeat=again)


def page(result: Openings, every: bool = False) -> list[str]:
    """Facts about the start, the most important first; then the value of cards if hands rotate."""
    lines = [text.paragraph(result.remark)] if result.remark else []
    goal = result.goal
    heading = f"What changes the chances most, as seen right after the deal; {goal.title}, compared with all deals:"
    lines += [heading, *text.said([bullets(result.sentences())])] if result.tables else ["All starts were alike."]
    shown = result.tables if every else result.tables[:SHOWN]
    for table in shown:
        lines += ["", _fact(table, result)] if lines else [_fact(table, result)]
    rest = [table.name for table in result.tables[len(shown) :]]
    lines.append("")
    if rest:
        lines.append(text.paragraph(f"Less important facts: {', '.join(rest)} (--all shows them)", 0, 2))
    lines += _rotating_hands(result)
    if check := result.confirmed:
        what = f"{check.fact}, {from_1(check.level)}, {check.measure}"
        lines.append(text.confirmed_line(what, check.again, check.fresh, check.picked))
    return [*lines, text.labelled("*", f"certainly different, also when all are judged together; {text.INTERVALS}")]


def _fact(table: FactTable, result: Openings) -> str:
    def marked(level: FactLevel, more: Estimate, measure: str) -> str:
        return more.text() + (" *" if (table.name, level.level, measure) in result.standing else "")

    wins: text.Picks = [("wins", "win"), ("more", lambda level: marked(level, level.win_more, "win"))]
    picks: text.Picks = [
        (table.name, lambda level: from_1(level.level)),
        ("cases", "n"),
        *([] if result.goal.is_score else wins),
        (result.played.score, "score"),
        ("more", lambda level: marked(level, level.score_more, "score")),
    ]
    return f"{table.about}\n{text.table(table.levels, picks)}"


def _rotating_hands(result: Openings) -> list[str]:
    """Worth of the cards in hands that rotate, seats and shares of the variance; nothing where hands stay."""
    hands = result.rotating_hands
    if hands is None:
        return []
    utilities = sorted(hands.card_values, key=lambda utility: -utility[1].value)
    cells = [f"{card:>3} {utility.text()}" for card, utility in utilities]
    wide = max(map(len, cells), default=0)
    across = max(1, (text.window() + 3) // (wide + 3))
    down = -(-len(cells) // across)
    score = result.played.score
    lines = [f"worth of each weather card: {score} a round more than an average card, with equal seats"]
    lines += ["   ".join(cell.ljust(wide) for cell in cells[row::down]).rstrip() for row in range(down)]
    seats = ", ".join(f"seat {seat + 1} {utility.text()}" for seat, utility in hands.seats)
    lines += ["", text.labelled("seats", f"{score} a round with equal packs: {seats}")]
    if hands.parts:
        parts = ", ".join(f"{name} {part.text()}" for name, part in hands.parts)
        lines.append(text.paragraph(f"variance of {score} within a round: {parts}", 0, 9))
    else:
        lines.append("variance unknown: packs and seats can be separated only with as many rounds as players")
    return lines


def page_beside_free_deal(result: CustomOpening) -> list[str]:
    """Wins and scores with the chosen deal, with a random deal, and the difference."""
    played = "the rest is random; each game is also played with a random deal"
    lines = [text.labelled("deal", f"{result.opening}; {played}")]
    if result.remark:
        lines.append(text.paragraph(result.remark))
    for what, name in (("wins", "win"), (result.setup.score, "score")):
        picks: text.Picks = [
            (what, lambda side: from_1(side.name)),
            ("this deal", name),
            ("random deal", f"free_{name}"),
            ("more", f"{name}_more"),
        ]
        lines += ["", text.table(result.sides, picks)]
    return lines
