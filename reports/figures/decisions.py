"""The figure of decisions: what a decision is worth from start to end of a game, and how often it matters."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from houle.analysis.explain.decisions import Decisions
from houle.analysis.result import setup_title
from houle.reports.figures.style import interval_rows, make_figure, panel_rows, side_by_side

PANELS = {"random": "Best move over a random one (0 to 1)", "matters": "Choices that matter, at least"}


def draw(result: Decisions) -> Figure:
    """Draw a row for each part of the game."""
    ends = [100 * part // len(result.phases) for part in range(len(result.phases) + 1)]
    named = list(zip(ends, ends[1:], result.phases, strict=False))

    def paint(figure: Any) -> None:
        for ax, (name, title) in zip(side_by_side(figure, len(PANELS)), PANELS.items(), strict=True):
            rows = [(f"{begin} to {end}%", part.estimates[name], "C0") for begin, end, part in named]
            interval_rows(ax, [row for row in rows if row[1].n])  # a part of a game may have no choices
            ax.margins(x=0.3)
            ax.set_title(title)

    caption = (
        f"rows: how far the game is; players follow the rules of thumb, {result.search.text} judges; "
        f"{result.games:,} games, {result.whole.decisions:,} decisions, seed {result.seed}; bars are 95% intervals"
    )
    title = f"{setup_title(result.setup)}: which decisions matter"
    return make_figure(title, caption, (8, 3.4), paint, [result.setup], rows=panel_rows(len(PANELS)))
