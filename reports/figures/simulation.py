"""The figure of `houle simulate`: what every side wins, and the distribution of its scores."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from houle.analysis.result import setup_title
from houle.analysis.sampling.grid import short_line_up
from houle.analysis.sampling.simulation import Side, Simulation
from houle.reports.figures.style import interval_rows, make_figure, percent_axis, wins_axis
from houle.solver.language.seats import from_1
from houle.solver.texts import capital

ROW = 0.5  # inches per side
BARS = 45


def draw(result: Simulation) -> Figure:
    """Draw wins on the left, scores on the right, a line for every side."""
    sides, score = result.sides, result.setup.score

    def paint(figure: Any) -> None:
        wins, scores = figure.subplots(1, 2, gridspec_kw={"width_ratios": (2, 3)})
        interval_rows(wins, [(from_1(side.name), side.win, f"C{i}") for i, side in enumerate(sides)])
        wins_axis(wins, 0.3)
        for i, side in enumerate(sides):
            _histogram(scores, side, f"C{i}")
        percent_axis(scores.yaxis)
        scores.grid(axis="y")
        scores.set_title(f"{capital(score.replace('_', ' '))}, share of games")

    title = setup_title(result.setup)
    caption = f"{short_line_up(result.strategies)}; {result.games:,} games, seed {result.seed}; bars are 95% intervals"
    return make_figure(title, caption, (10.5, 2.6 + ROW * len(sides)), paint, [result.setup])


def _histogram(ax: Any, side: Side, colour: str) -> None:
    """Draw scores as steps, grouped if there are many different ones."""
    if not side.histogram:
        return
    low, high = min(side.histogram), max(side.histogram)
    width = max(1, round((high - low) / BARS))
    edges = [low + width * i - 0.5 for i in range((high - low) // width + 2)]
    counts = [0] * (len(edges) - 1)
    for score, number in side.histogram.items():
        counts[(score - low) // width] += number
    shares = [100 * count / sum(counts) for count in counts]
    ax.stairs(shares, edges, color=colour, linewidth=1.6)
