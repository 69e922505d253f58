"""The figure of `houle design --cards`: what a change of each card does to every measure."""

from __future__ import annotations

from textwrap import fill
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.designing.cards import CardEffects
from houle.analysis.measures.measures import is_percent, measure_title
from houle.analysis.result import setup_title
from houle.reports.figures.style import QUIET, UNSURE, interval_bar, make_figure, panel_rows, side_by_side

MOST_CARDS = 24  # rows
ROW = 0.24  # inches


def draw(result: CardEffects) -> Figure:
    """Draw the cards whose changes matter most."""
    rows = result.rows[:MOST_CARDS]
    titles = {
        measure: measure_title(measure, [result.setup]) + (", points" if is_percent(measure) else "")
        for measure in result.measures
    }
    titles |= {"owner": "wins of its owner, points"} if any(row.owner for row in rows) else {}

    def paint(figure: Any) -> None:
        panels = side_by_side(figure, len(titles), same_rows=True)
        for ax, (measure, title) in zip(panels, titles.items(), strict=True):
            ax.axvline(0, color=QUIET, linewidth=1)
            for y, row in enumerate(rows):
                effect = row.effects.get(measure, row.owner)
                if effect is not None:
                    interval_bar(ax, effect, y, "C0" if effect.differs else UNSURE)
            ax.set_title(fill(title, 30), fontsize=10)
        panels[0].set_yticks(range(len(rows)), [f"{row.card} {row.what}" for row in rows])
        panels[0].set_ylim(len(rows) - 0.5, -0.5)

    more = f"; the {len(rows)} of {len(result.rows)} that matter most" if len(rows) < len(result.rows) else ""
    players = ", ".join(dict.fromkeys(result.strategies))
    caption = (
        f"{setup_title(result.setup)}, {players}; {result.each:,} games of each change, seed "
        f"{result.seed}; bars are 95% intervals on the same deals, grey if they hold 0{more}"
    )
    title = f"{result.setup.ruleset.title}: what each card does"
    height = 1.6 + ROW * len(rows)
    return make_figure(title, caption, (8.0, height), paint, [result.setup], rows=panel_rows(len(titles)))
