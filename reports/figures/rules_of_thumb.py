"""The figure of the report's rules of thumb: their sentences, with what forgetting each of them costs."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.strategy.ablation import Ablation
from houle.reports.figures.ablation import COST, cost_caption, cost_rows
from houle.reports.figures.style import make_figure
from houle.reports.names import table_title

SIZE = (7.4, 0.42)  # inches: width, and height of a rule
LETTERS = 46  # of a sentence in a line


def draw(result: Ablation, path: Path | None = None) -> Figure:
    """Draws the rules of thumb that a table has, the dearest on top."""
    rows = [(fill(rule.text, LETTERS), rule.cost) for rule in result.restrictions if rule.cost]

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        cost_rows(ax, rows, "C0")
        ax.tick_params(axis="y", labelsize=8.5)
        ax.margins(x=0.15)
        ax.set_xlabel(COST, loc="left", fontsize=9)

    caption = f"{table_title(result.setup)}; {result.strategy.text}; {cost_caption(result)}"
    size = (SIZE[0], 1.5 + SIZE[1] * len(rows))
    return make_figure("What forgetting a rule costs", caption, size, paint, path, [result.setup])
