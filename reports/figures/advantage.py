"""The figure of what a better player gains: games won against every weaker level, beside an equal share."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from houle.analysis.result import setup_title
from houle.analysis.strategy.advantage import Advantages
from houle.reports.figures.style import equal_share_line, interval_rows, make_figure, percent_axis

ROW = 0.32  # inches per pair


def draw(result: Advantages) -> Figure:
    """Draw a line for every pair of levels."""
    pairs = sorted(result.pairs, key=lambda pair: -pair.win.value)
    colours = {name: f"C{i}" for i, name in enumerate(dict.fromkeys(pair.better for pair in result.pairs))}

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        interval_rows(ax, [(f"{one.better} against {one.others}", one.win, colours[one.better]) for one in pairs])
        ax.set_ylim(len(pairs) - 0.4, -0.9)
        equal_share_line(ax, result.fair, -0.85)
        ax.margins(x=0.15)
        ax.set_xlim(left=max(0, ax.get_xlim()[0]))
        percent_axis(ax.xaxis)

    caption = f"{result.deals:,} deals, fewer with players that search; seed {result.seed}; lines are 95% intervals"
    title = f"{setup_title(result.setup)}: what a better player wins"
    return make_figure(title, caption, (8, 1.6 + ROW * len(pairs)), paint, [result.setup])
