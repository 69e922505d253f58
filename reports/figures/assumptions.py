"""The figure of the assumption check: what every turned rule changes, the most consequential first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.comparison.assumptions import Assumptions, Turned
from houle.reports.figures.compare import ROW, draw_measures
from houle.reports.figures.style import make_figure, panel_rows
from houle.reports.names import table_title


def draw(result: Assumptions, path: Path | None = None, turns: Sequence[Turned] = ()) -> Figure:
    """Draws the ranked turns, or some of them."""
    first, ranked = result.comparisons[0], turns or result.ranked
    setup = first.arms[0].setup
    caption = (
        f"{first.arms[0].strategies[0]}; "
        f"{first.played.asked:,} games of each, seed {first.played.seed}; paired, 95% intervals"
    )

    def paint(figure: Any) -> None:
        rows = [row for turned in ranked for row in turned.rows]
        draw_measures(figure, result.measures, rows, [turned.turn.label for turned in ranked])

    title = f"{table_title(setup)}: what our reading of the rules changes"
    size = (3.6 * len(result.measures) + 2.2, 1.6 + ROW * len(ranked))
    return make_figure(title, caption, size, paint, path, [setup], rows=panel_rows(len(result.measures)))
