"""The figure of the assumption check: what every turned rule changes, the most consequential first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.reports.figures.compare import ROW, panel
from houle.reports.figures.style import picture, table_title

if TYPE_CHECKING:
    from houle.analysis.comparison.assumptions import Assumptions


def draw(result: Assumptions, path: Path) -> None:
    """Draws the ranked turns into a picture file."""
    first, ranked = result.comparisons[0], result.ranked
    setup = first.arms[0].setup
    caption = (
        f"{table_title(setup)}; {first.arms[0].strategies[0]}; "
        f"{first.played.asked:,} games of each, seed {first.played.seed}; paired, 95% intervals"
    )

    def paint(figure: Any) -> None:
        panels = figure.subplots(1, len(result.measures), sharey=True, squeeze=False)[0]
        for ax, measure in zip(panels, result.measures, strict=True):
            panel(ax, [row for one in ranked for row in one.rows if row.measure == measure], measure)
        panels[0].set_yticks(range(len(ranked)), [one.turn.label for one in ranked])
        panels[0].set_ylim(len(ranked) - 0.5, -0.5)

    size = (3.6 * len(result.measures) + 2.2, 1.6 + ROW * len(ranked))
    picture(path, f"{setup.ruleset.title}: what our reading of the rules changes", caption, size, paint)
