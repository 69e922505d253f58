"""The figure of `houle design`: the proposed settings and the targets.

There is one panel for each target: its range as a band, new games as a bar, the games of the search as a hollow dot.
"""

from __future__ import annotations

import math
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.designing.design import Design
from houle.analysis.designing.wishes import Wish
from houle.analysis.measures.measures import is_percent, measure_title
from houle.analysis.result import setup_title
from houle.analysis.stats.estimate import Estimate
from houle.reports.figures.style import QUIET, interval_bar, make_figure, panel_rows, percent_axis, side_by_side

BAND = {"color": "C2", "alpha": 0.18, "linewidth": 0}


def draw(result: Design) -> Figure:
    """Draw the proposals, a row each."""

    def fill(figure: Any) -> None:
        for panel, wish in zip(side_by_side(figure, number, same_rows=True), result.wishes, strict=True):
            _draw_wish(panel, result, wish)

    number, wanted = len(result.wishes), " and ".join(result.asked_for)
    missed = "impossible with these changes" if result.impossible else "not found"
    headline = f"Target: {wanted}" + ("" if result.found else f"; {missed}")
    caption = (
        f"{setup_title(result.setup)}; {result.tried:,} settings and {result.games:,} games, seed {result.seed}. "
        "Bars: new games, 95% intervals; hollow dots: games of the search. Shaded: the target."
    )
    height = 2.2 + 0.45 * (len(result.proposals) + 1)
    return make_figure(headline, caption, (8.0, height), fill, setups=[result.setup], rows=panel_rows(number))


def _scale(wish: Wish) -> int:
    return 100 if is_percent(wish.target.measure) else 1


def _band(wish: Wish) -> tuple[float, float]:
    """The ends of a target; an open end is drawn as far as the other end is from 0."""
    low, high = (_scale(wish) * end for end in (wish.target.low, wish.target.high))
    return (0.0 if math.isinf(low) else low), (2 * low if math.isinf(high) else high)


def _title(result: Design, wish: Wish) -> str:
    return f"{measure_title(wish.measure, [result.setup])}, {wish.who}"


def _draw_wish(ax: Any, result: Design, wish: Wish) -> None:
    scale = _scale(wish)
    ax.axvspan(*_band(wish), **BAND)
    rows: list[tuple[str, Estimate | None, Estimate | None]] = [("as it is", None, result.now.get(wish.key))]
    rows += [
        (proposal.label, proposal.fresh.get(wish.key), proposal.chosen.get(wish.key)) for proposal in result.proposals
    ]
    for row, (_, fresh, chosen) in enumerate(rows):
        if fresh is not None:
            interval_bar(ax, fresh, row, "C0")
        if chosen is not None:
            ax.plot(scale * chosen.value, row, "o", mfc="none", mec=QUIET)
    ax.set_yticks(range(len(rows)), [label for label, _, _ in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_title(_title(result, wish))
    if scale == 100:
        percent_axis(ax.xaxis)
