"""The figure of `houle compare`: for every measure, how much each variant differs from the first."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.comparison.compare import ComparedRow, Comparison
from houle.analysis.measures.measures import is_percent, measure_title
from houle.analysis.sampling.grid import short_line_up
from houle.reports.figures.style import QUIET, UNSURE, differences, interval_bar, make_figure, panel_rows, side_by_side
from houle.solver.rules import names_beside

COLOURS = {"more": "C0", "less": "C0", "same": "C2", "unknown": UNSURE}
ROW = 0.55  # inches per variant


def draw(result: Comparison) -> Figure:
    """Draw a comparison."""
    first = result.arms[0]
    players = sorted({short_line_up(arm.strategies) for arm in result.arms})
    counts = sorted({arm.setup.players for arm in result.arms})
    variants = list(dict.fromkeys(names_beside(arm.setup for arm in result.arms)))
    caption = (
        f"{first.setup.ruleset.title}, {' and '.join(map(str, counts))} players, {', '.join(variants)}; "
        f"{', '.join(players)}; {'up to ' * result.played.uneven}{result.games:,} games of each variant, "
        f"seed {result.played.seed}; bars are 95% intervals" + ("; some on other deals" if result.unpaired else "")
    )

    def paint(figure: Any) -> None:
        draw_measures(figure, result.measures, result.rows, [arm.label for arm in result.arms])

    title = f"{first.setup.ruleset.title}: difference from {first.label}"
    size = (4.2 * len(result.measures) + 1.6, 1.6 + ROW * len(result.arms))
    rows = panel_rows(len(result.measures))
    return make_figure(title, caption, size, paint, own=differences(result.grid), rows=rows)


def draw_measures(figure: Any, measures: Sequence[str], rows: Sequence[ComparedRow], labels: Sequence[str]) -> None:
    """Draw a panel for every measure with a line for every label."""
    panels = side_by_side(figure, len(measures), same_rows=True)
    for ax, measure in zip(panels, measures, strict=True):
        _panel(ax, [row for row in rows if row.measure == measure], measure)
    panels[0].set_yticks(range(len(labels)), labels)
    panels[0].set_ylim(len(labels) - 0.5, -0.5)


def _panel(ax: Any, rows: Sequence[ComparedRow], measure: str) -> None:
    """Draw one measure with a line for every variant."""
    ax.axvline(0, color=QUIET, linewidth=1)
    for y, row in enumerate(rows):
        if row.difference is None:
            text = row.value.short() if row.number == 0 else "another score"
            ax.annotate(text, (0, y), (6, 0), textcoords="offset points", color=QUIET, va="center", fontsize=8.5)
            continue
        kind = row.verdict.kind if row.verdict else "unknown"
        text = row.verdict.text if row.verdict and kind in ("more", "less") else kind
        interval_bar(ax, row.difference.interval, y, COLOURS[kind], text)
    title = measure_title(measure, [row.arm.setup for row in rows])
    ax.set_title(fill(title + (", points" if is_percent(measure) else ""), 30), fontsize=10)
    ax.margins(x=0.35)
