"""The figure of `houle assumptions`: what other readings of open rules change, the largest change first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.comparison.assumptions import Assumptions, Turned
from houle.analysis.result import setup_title
from houle.analysis.sampling.grid import short_line_up
from houle.reports.figures.compare import ROW, draw_measures
from houle.reports.figures.style import make_figure, panel_rows


def draw(result: Assumptions, turns: Sequence[Turned] = ()) -> Figure:
    """Draw all readings, or some of them."""
    first, ranked = result.comparisons[0], turns or result.ranked
    setup = first.arms[0].setup
    caption = (
        f"{short_line_up(first.arms[0].strategies)} players; {first.played.asked:,} games of each, the same deals, "
        f"seed {first.played.seed}; 95% intervals"
    )

    def paint(figure: Any) -> None:
        rows = [row for turned in ranked for row in turned.rows]
        draw_measures(figure, result.measures, rows, [turned.turn.label for turned in ranked])

    title = f"{setup_title(setup)}: rules we had to interpret"
    size = (3.6 * len(result.measures) + 2.2, 1.6 + ROW * len(ranked))
    return make_figure(title, caption, size, paint, [setup], rows=panel_rows(len(result.measures)))
