"""`houle openings`: chances given the start, and a start of one's own beside the free deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

import houle
from houle.analysis.result import shown_side
from houle.cli.framework import text
from houle.cli.framework.command import Call, analysis_command

if TYPE_CHECKING:
    from houle import CustomOpening, Openings
    from houle.analysis.fairness.openings import FactTable
    from houle.analysis.fairness.strata import Level
    from houle.analysis.stats.intervals import Interval

SHOWN = 8  # facts on the page, without --all


@analysis_command(least=2)
@click.option(
    "--setup",
    "opening",
    metavar="TEXT|FILE",
    help='Cards that lie where you say: "top: white 3; seat 1: red 1". Seats count from 1; a wrong place or card is '
    "answered with those there are. Without it every fact of the start is shown.",
)
@click.option("--all", "every", is_flag=True, help=f"Show every fact, not only the {SHOWN} that tell most.")
@click.option(
    "--confirm/--no-confirm", default=True, show_default=True,
    help="Play what differs most again, on as many fresh games.",
)  # fmt: skip
def setups(call: Call, opening: str | None, every: bool, confirm: bool) -> None:
    """Show the chances of GAME given the start.

    Every fact of the start with its levels, the fact that tells most first; 95% intervals, clustered by game, and the
    difference from all starts. With --setup the cards you name lie where you say, the rest is dealt at random, and the
    result stands beside the free deal. A file holds the same text, one place a line. Of games that deal anew
    every round one round is played, with and without --setup. The thumb plays unless -s says otherwise.

    \b
    Examples:
      houle openings wave -p 3
      houle openings land-unter -p 4 --figure packs.png
      houle openings wave --setup "top: white 3; seat 1: navy 4, red 1"
      houle openings sea-change -p 3 --setup "seat 1: yellow 9, blue 9"
    """
    total = call.games * (1 + (confirm and opening is None))
    result = call.play(houle.openings, call.setup, opening=opening, confirm=confirm, total=total)
    if opening is not None:
        call.tell(result, page_beside_free_deal(result))
        return
    again = result.repeat(call.asked.words(call.setup)) + (" --all" if every else "")
    call.tell(result, page(result, every), repeat=again)


def page(result: Openings, every: bool = False) -> list[str]:
    """Every fact with its levels, strongest first; then hands that rotate apart from the seats."""
    lines = ["n counts hands or tables", *([text.paragraph(result.remark)] if result.remark else [])]
    if not result.tables:
        lines.append("Every start was alike: no fact has two levels.")
    shown = result.tables if every else result.tables[:SHOWN]
    for table in shown:
        lines += ["", _fact(table, result)]
    rest = [table.name for table in result.tables[len(shown) :]]
    lines.append("")
    if rest:
        lines.append(text.paragraph(f"weaker   {', '.join(rest)} (--all shows them)", 0, 9))
    lines += _rotating_hands(result)
    found = result.confirmed
    if found is not None:
        word, percent = "confirmed" if found.again else "not confirmed", found.measure == "win"
        told = (
            f"{_more(found.picked, percent)} on the games that picked it, {_more(found.fresh, percent)} on fresh ones"
        )
        lines.append(text.paragraph(f"{word} {found.fact}, {shown_side(found.level)}, {found.measure}: {told}", 0, 9))
    read = "read     of many intervals one in twenty leaves out the truth; * certainly differs beside all others (Holm)"
    return [*lines, text.paragraph(read, 0, 9)]


def _fact(table: FactTable, result: Openings) -> str:
    def mark(level: Level, measure: str) -> str:
        return " *" if (table.name, level.level, measure) in result.standing else ""

    rows = [
        [
            shown_side(level.level),
            f"{level.n:,}",
            text.shown(level.win, percent=True),
            _more(level.win_more, percent=True) + mark(level, "win"),
            text.shown(level.score),
            _more(level.score_more) + mark(level, "score"),
        ]
        for level in table.levels
    ]
    heads = [table.name, "n", "wins", "points more than all", result.played.score, "more than all"]
    return f"{table.about}\n{text.columns(heads, rows, right=(1,))}"


def _more(interval: Interval, percent: bool = False) -> str:
    """A difference with its sign, and half of its interval's width; of rates in points."""
    scale = 100 if percent else 1
    return f"{scale * interval.value:+.2f} ± {scale * interval.half:.2f}"


def _rotating_hands(result: Openings) -> list[str]:
    """Worth of the cards in hands that rotate, seats and shares of the variance; nothing where hands stay."""
    hands = result.rotating_hands
    if hands is None:
        return []
    utilities = sorted(hands.utilities, key=lambda utility: -utility[1].value)
    cells = [f"{card:>3} {utility.value:+.2f} ± {utility.half:.2f}" for card, utility in utilities]
    across = max(1, (text.window() + 3) // (len(max(cells, key=len, default="")) + 3))
    down = -(-len(cells) // across)
    score = result.played.score
    lines = [f"worth of each weather card: {score} a round more than an average card, with equal seats"]
    lines += ["   ".join(cells[row::down]).rstrip() for row in range(down)]
    seats = ", ".join(f"seat {seat + 1} {_more(utility)}" for seat, utility in hands.seats)
    lines += ["", text.paragraph(f"seats    {score} a round with equal packs: {seats}", 0, 9)]
    if hands.parts:
        parts = ", ".join(f"{name} {text.shown(part, percent=True)}" for name, part in hands.parts)
        lines.append(text.paragraph(f"variance of {score} within a round: {parts}", 0, 9))
    else:
        lines.append("variance packs and seats cannot be told apart unless a game has as many rounds as players")
    return lines


def page_beside_free_deal(result: CustomOpening) -> list[str]:
    """Every side with the opening, with the free deal, and the difference on the same games."""
    played = "the rest is dealt at random; every game is played with the free deal too, with the same luck"
    lines = [text.paragraph(f"setup    {result.opening}; {played}", 0, 9)]
    if result.remark:
        lines.append(text.paragraph(result.remark))
    wins, scores = [], []
    for side in result.sides:
        name = shown_side(side.name)
        wins.append([name, text.shown(side.win, True), text.shown(side.free_win, True), _more(side.win_more, True)])
        scores.append([name, text.shown(side.score), text.shown(side.free_score), _more(side.score_more)])
    for what, rows in (("wins", wins), (result.setup.score, scores)):
        lines += [
            "",
            text.columns([what, "this setup", "free deal", "points more" if what == "wins" else "more"], rows),
        ]
    return lines
