"""The figure of how games end: in every setup, the share of games in each result band of the rulebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib import colormaps
from matplotlib.figure import Figure

from houle.analysis.measures.measures import Band, band_shares, bands
from houle.analysis.stats.estimate import Estimate
from houle.analysis.tables.table import Table
from houle.reports.figures.style import make_figure, percent_axis

LEAST_WIDTH = 6  # percent; narrower bands show no number


def draw(difficulties: Sequence[Table], names: Sequence[str], strategy: str) -> Figure:
    """Draw the result bands of one kind of player in every setup."""
    rows = [
        (difficulty, level, name)
        for difficulty, name in zip(difficulties, names, strict=True)
        for level in difficulty.levels
        if level.strategy == strategy
    ]
    setup, games = rows[0][0].main, rows[0][1].value.n
    kinds = bands(setup)
    shares = [band_shares(difficulty.sample.tally(level.number), kinds) for difficulty, level, _ in rows]

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        _band_bars(ax, kinds, shares)
        ax.set_yticks(
            range(len(rows)), [f"{name}, {difficulty.setup.players}" for difficulty, _, name in rows], fontsize=9
        )
        ax.set_ylim(len(rows) - 0.5, -1.1)
        left = 0.0
        for band, share in zip(kinds, shares[0], strict=True):
            if 100 * share.value >= LEAST_WIDTH:
                ax.text(left + 50 * share.value, -0.7, band.label, ha="center", va="center", fontsize=9)
            left += 100 * share.value

    setups = [difficulty.setup for difficulty, _, _ in rows]
    caption = (
        f"{setup.score.replace('_', ' ')}, from {kinds[0].label} (left) to {kinds[-1].label} "
        f"(right); {setup.ruleset.title}, variant and number of players; {strategy} players; {games:,} "
        f"deals of each setup, seed {rows[0][0].seed}"
    )
    return make_figure(f"{setup.ruleset.title}: how games end", caption, (7.4, 1.7 + 0.3 * len(rows)), paint, setups)


def _band_bars(ax: Any, kinds: Sequence[Band], shares: Sequence[Sequence[Estimate]]) -> None:
    """Draw a bar for every kind of player, divided into its result bands, the best band brightest."""
    colours = [colormaps["cividis"](0.08 + 0.9 * (1 - i / max(1, len(kinds) - 1))) for i in range(len(kinds))]
    for y, row in enumerate(shares):
        left = 0.0
        for i, share in enumerate(row):
            width = 100 * share.value
            ax.barh(y, width, left=left, height=0.7, color=colours[i], label=kinds[i].label if y == 0 else None)
            if width >= LEAST_WIDTH:
                ink = "black" if i < len(kinds) / 2 else "white"
                words = share.parts(0)[0]
                ax.text(left + width / 2, y, words, ha="center", va="center", fontsize=8.5, color=ink)
            left += width
    ax.set_xlim(0, 100)
    ax.grid(False)
    percent_axis(ax.xaxis)
