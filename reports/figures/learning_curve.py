"""The figure of the learning curve: games won with one more rule of thumb in every line."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from houle.analysis.measures.goal import Goal
from houle.analysis.result import setup_title
from houle.analysis.strategy.learning_curve import LearningCurve
from houle.reports.figures.style import Row, interval_rows, make_figure, percent_axis, scaled

ROW = 0.36  # inches per rule
ROOM = 1.35  # times the widest interval, for the numbers


def draw(result: LearningCurve) -> Figure:
    """Draw the steps, the start on top."""
    goal = Goal(result.setup)
    rows: list[Row] = [(_label(known, step.feature), step.win, "C0") for known, step in enumerate(result.steps)]
    widest = max(scaled(step.win)[2] for step in result.steps)

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        interval_rows(ax, rows)
        ax.set_ylim(len(rows) - 0.5, -0.5)
        ax.set_xlim(-0.02 * widest, ROOM * widest)
        if not goal.is_score:
            percent_axis(ax.xaxis)

    caption = f"{result.games:,} deals, seed {result.seed}; bars are 95% intervals"
    title = f"{setup_title(result.setup)}: {goal.title}, one more rule of thumb in every line"
    return make_figure(title, caption, (8.5, 1.6 + ROW * len(rows)), paint, [result.setup])


def _label(known: int, feature: str) -> str:
    """`3 awkward`."""
    if not feature:
        return "no rule"
    return f"{known} all others" if "+" in feature else f"{known} {feature}"
