"""The figure of `houle strength`: what every kind of player wins compared with the one before."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from houle.analysis.result import setup_title
from houle.analysis.strategy.strength import Strength
from houle.reports.figures.style import Row, equal_share_line, interval_rows, make_figure, percent_axis
from houle.solver.texts import range_of

ROW = 0.36  # inches per player


def draw(result: Strength) -> Figure:
    """Draw the players, the weakest on top."""
    rows, setup = strength_rows(result), result.setup

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        interval_rows(ax, rows)
        ax.set_ylim(len(rows) - 0.5, -0.8)
        if result.fair is not None:
            equal_share_line(ax, result.fair, -0.75)
        if result.goal.is_score:
            return
        ax.set_xlim(-2, 112)
        ax.set_xticks(range(0, 101, 20))
        percent_axis(ax.xaxis)

    deals = range_of(interval.n for _, interval, _ in rows)
    caption = f"{deals} deals, seed {result.seed};\nbars are 95% intervals, some narrower than the dots"
    size = (8.5, 1.6 + ROW * len(rows))
    return make_figure(f"{setup_title(setup)}: {result.goal.title}", caption, size, paint, [setup])


def strength_rows(strength: Strength) -> list[Row]:
    """A line per matchup; where players compete, it names the opponents."""
    rows: list[Row] = []
    for matchup in strength.matchups:
        if reached := strength.reached(matchup)[0]:
            against = f" against {matchup.below}" if strength.fair is not None else ""
            rows.append((matchup.strategy + against, reached, "C0"))
    return rows
