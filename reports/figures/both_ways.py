"""The figure of a hundred deals, played with both rules: grouped by who wins them, with the counts beside them."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from houle.analysis.players.named_players import players_of
from houle.analysis.tables.both_ways import DEALS, BothWays
from houle.reports.figures.style import make_figure, panel_rows

ACROSS = 20  # deals in a row; half of them in a narrow figure, where squares would be tiny
NARROW = 6.0  # inches
SIDE = 0.82  # of a square, in its cell
COLOURS = ("C0", "C1", "C2", "#dddddd")
RIGHT = 7  # squares before the labels on the right
SQUARES, LINE = 2.7, 0.6  # inches without labels, and for each line of them


def draw(result: BothWays, title: str) -> Figure:
    """Draw a square for every deal, those of a kind together."""
    labels = (
        "won with both rules",
        f"won only with {result.first}",
        f"won only with {result.now}",
        "won in neither game",
    )
    lines = panel_rows(len(labels))
    kinds = [kind for kind, count in enumerate(result.counts) for _ in range(count)]

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        across = ACROSS if figure.get_figwidth() > NARROW else ACROSS // 2
        for deal, kind in enumerate(kinds):
            corner = (deal % across, deal // across)
            ax.add_patch(Rectangle(corner, SIDE, SIDE, facecolor=COLOURS[kind], linewidth=0))
        rows = DEALS // across
        for kind, (count, label) in enumerate(zip(result.counts, labels, strict=True)):
            # The names of rules may be long, so they are on the right, where there are two labels in a line.
            x = RIGHT if kind in (1, 2) and lines < len(labels) else 0
            y = rows + 0.7 + kind * lines // len(labels)
            ax.add_patch(Rectangle((x, y), SIDE, SIDE, facecolor=COLOURS[kind], linewidth=0))
            ax.text(x + 1.3, y + SIDE / 2, f"{count}  {label}", va="center", ha="left", fontsize=10)
        ax.set_xlim(0, across)
        ax.set_ylim(rows + 0.7 + lines, -0.2)
        ax.set_aspect("equal")
        ax.axis("off")

    caption = f"{players_of(result.player)}; shares of {result.both.n:,} deals, rounded to {DEALS}"
    return make_figure(title, caption, (8, SQUARES + LINE * lines), paint)
