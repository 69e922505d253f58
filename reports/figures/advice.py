"""The figure of `houle advise`: the position as the player sees it, and what every move wins."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from houle.analysis.play.advise import Advice
from houle.analysis.result import setup_title
from houle.reports.cards import RINGS, SEA, paint, position_rows
from houle.reports.figures.style import interval_bar, make_figure, wins_axis
from houle.solver.language.seats import from_1
from houle.solver.matches.views import Face, Row

WIDE, TALL, STEP = 0.8, 1.1, 1.5  # size of a card, and distance between rows
MOST_MOVES = 12  # the best ones
LABEL = 3.4  # width of the names of rows, in cards


def draw(result: Advice) -> Figure:
    """Draw the position and the moves; the best move has a solid ring, the second best a dashed one."""
    moves = result.moves[:MOST_MOVES]
    match = result.position.match()
    rows = position_rows(match, *(move.action for move in moves[:2]))

    def fill(figure: Any) -> None:
        board, wins = figure.subplots(2, 1, height_ratios=(len(rows) * 0.5, 0.6 + 0.35 * len(moves)))
        _draw_board(board, rows)
        for row, move in enumerate(moves):
            reached = result.reached(move)
            interval_bar(wins, reached, row, "C0" if row == 0 else "C1", reached.short())
        if result.goal.is_score:
            wins.set_xlabel(result.goal.title, loc="left")
        else:
            wins_axis(wins, 0.3)
        wins.set_yticks(range(len(moves)), [from_1(move.name) for move in moves])
        wins.set_ylim(len(moves) - 0.4, -0.6)

    seat = result.position.seat + 1
    caption = (
        f"{setup_title(result.setup)}; seat {seat} to move. {result.games:,} imagined deals that fit what it knows, "
        f"played on by rules of thumb, seed {result.seed}; 95% intervals. It cannot see the face-down cards."
    )
    height = 1.6 + 0.55 * len(rows) + 0.35 * len(moves)
    word = "Ahead so far" if result.contenders else "Best"
    return make_figure(f"{word}: {from_1(moves[0].name)}", caption, (8.0, height), fill, [result.setup])


def _draw_board(ax: Any, rows: list[Row]) -> None:
    """Draw rows of cards from the top down, with labels on the left."""
    widest = max((len(row["cards"]) for row in rows), default=1)
    for number, row in enumerate(rows):
        y = -number * STEP
        ax.text(0, y + TALL / 2, row["label"], va="center", fontsize=9)
        for i, card in enumerate(row["cards"]):
            _draw_card(ax, card, LABEL + i, y)
        if row.get("text"):
            ax.text(LABEL, y + TALL / 2, row["text"], va="center", fontsize=9)
    ax.set_xlim(-0.1, LABEL + max(widest, 8) + 0.2)
    ax.set_ylim(-(len(rows) - 1) * STEP - 0.2, TALL + 0.2)
    ax.set_axis_off()


def _draw_card(ax: Any, card: Face, x: float, y: float) -> None:
    colour, ink = (SEA, "#ffffff") if card.get("hidden") else paint(card.get("paint", "paper"))
    ring = card.get("ring", "")
    ax.add_patch(
        FancyBboxPatch(
            (x + 0.05, y), WIDE, TALL, boxstyle="round,pad=0,rounding_size=0.08", facecolor=colour,
            edgecolor=RINGS.get(ring, "#8a97a3"), linewidth=2.5 if ring else 0.8,
            linestyle="--" if ring == "other" else "-",
        )
    )  # fmt: skip
    middle = x + 0.05 + WIDE / 2
    top, name = str(card.get("top", "")), str(card.get("name", ""))
    if card.get("hidden"):
        ax.text(middle, y + TALL / 2, "?", ha="center", va="center", color=ink, fontsize=11)
        return
    if top:
        ax.text(middle, y + 0.68, top, ha="center", va="center", color=ink, fontsize=12, fontweight="bold")
    words = "\n".join(name.split()[:4])
    ax.text(middle, y + (0.25 if top else TALL / 2), words, ha="center", va="center", color=ink, fontsize=6)
