"""The figure of `houle advise`: what every move wins."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from houle.analysis.play.advise import Advice
from houle.analysis.result import setup_title
from houle.reports.figures.style import interval_rows, make_figure, wins_axis
from houle.solver.language.seats import from_1

MOST_MOVES = 12  # the best ones


def draw(result: Advice) -> Figure:
    """Draw a row for each move, the best on top."""
    moves = result.moves[:MOST_MOVES]

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        interval_rows(
            ax, [(from_1(move.name), result.reached(move), f"C{int(row > 0)}") for row, move in enumerate(moves)]
        )
        if result.goal.is_score:
            ax.set_xlabel(result.goal.title, loc="left")
        else:
            wins_axis(ax, 0.3)

    caption = (
        f"{setup_title(result.setup)}; seat {result.position.seat + 1} to move. {result.games:,} imagined deals that "
        f"fit what it knows, played on by rules of thumb, seed {result.seed}; 95% intervals"
    )
    word = "Ahead so far" if result.contenders else "Best"
    title = f"{word}: {from_1(moves[0].name)}"
    return make_figure(title, caption, (8.0, 1.6 + 0.35 * len(moves)), paint, setups=[result.setup])
