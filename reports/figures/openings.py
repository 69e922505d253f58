"""What the deal decides, as a figure: how the chances depend on what the deal shows, with intervals."""

from __future__ import annotations

from functools import partial
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.explain.openings import FactTable, Openings
from houle.analysis.result import setup_title
from houle.analysis.sampling.grid import short_line_up
from houle.analysis.stats.estimate import Estimate
from houle.reports.figures.style import (
    make_figure,
    panel_rows,
    percent_axis,
    scaled,
    side_by_side,
    wrapped_label,
)
from houle.solver.language.seats import from_1
from houle.solver.texts import capital

ROW = 0.24  # inches per value
LOUD, EVEN = "C0", "#999999"  # an interval without 0, or with it
ZERO = {"color": "#444444", "linewidth": 0.9, "zorder": 1}


def draw(result: Openings) -> Figure:
    """Draw the strongest facts: wins on the left, scores on the right, both compared with all deals."""
    setup = result.setup
    caption = (
        f"{short_line_up(result.strategies)} players; {result.games:,} games, seed {result.seed}; bars are 95% "
        "intervals, grey: may be 0"
    ) + (f"\n{result.remark}" if result.remark else "")
    title = f"{setup_title(setup)}: what the deal tells you"
    return make_figure(
        title, caption, (8, height_of(result)), partial(paint, result), setups=[setup], rows=panel_rows(2)
    )


def height_of(result: Openings) -> float:
    """Inches for the panels, with headline and caption."""
    return 1.6 + ROW * sum(len(table.levels) + 1.3 for table in result.shown)


def paint(result: Openings, figure: Any) -> None:
    """Draw the panels."""
    wins, scores = side_by_side(figure, 2, same_rows=True)
    _facts(wins, scores, result.shown)
    percent_axis(wins.xaxis)
    wins.set_title("Games won, compared with all deals")
    scores.set_title(f"{capital(result.played.score.replace('_', ' '))}, compared with all deals")


def _colour(more: Estimate) -> str:
    return LOUD if more.differs else EVEN


def _facts(wins: Any, scores: Any, tables: list[FactTable]) -> None:
    y, ticks, names = 0.0, [], []
    for table in tables:
        wins.annotate(
            wrapped_label(from_1(table.about)),
            (0, y),
            (0, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            fontsize=8.5,
            fontweight="bold",
            va="center",
            zorder=5,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
        )
        y += 1
        for level in table.levels:
            ticks.append(y)
            names.append(from_1(level.level))
            for ax, more in ((wins, level.win_more), (scores, level.score_more)):
                low, value, high = scaled(more)
                ax.plot([low, high], [y, y], color=_colour(more), solid_capstyle="butt")
                ax.plot([value], [y], "o", color=_colour(more), markersize=4.5)
            y += 1
        y += 0.3
    for ax in (wins, scores):
        ax.axvline(0, **ZERO)
    wins.set_yticks(ticks, names, fontsize=8.5)
    wins.set_ylim(y - 0.3, -0.7)
