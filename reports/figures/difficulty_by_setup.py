"""The figure of difficulty in a report: how often each kind of player wins in every setup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.tables.table import Table
from houle.reports.figures.style import make_figure, panel_rows, percent_axis, scaled, side_by_side
from houle.solver.texts import count_of, range_of

MOST_PANELS = 4  # in a row
SIZE = (7.4, 0.42)  # inches: width, and height of a variant
# Colour, mark, and the mark as a letter for the legend.
STYLES = {
    "random": ("#7a7a7a", "o", "●"),
    "first-game": ("#b5b5b5", "v", "▼"),
    "family": ("C4", "^", "▲"),
    "regular": ("C1", ">", "▶"),
    "seasoned": ("C0", "s", "■"),
    "clairvoyant": ("C3", "|", "|"),
}
SEARCH = ("C2", "D", "◆")  # every other player


def draw(difficulties: Sequence[Table], names: Sequence[str]) -> Figure:
    """Draw a panel per number of players, a row per variant, a mark per kind of player."""
    counts = list(dict.fromkeys(difficulty.setup.players for difficulty in difficulties))
    variants = list(dict.fromkeys(names))

    def paint(figure: Any) -> None:
        panels = side_by_side(figure, len(counts), MOST_PANELS, same_rows=True)
        for ax, players in zip(panels, counts, strict=True):
            for difficulty, name in zip(difficulties, names, strict=True):
                if difficulty.setup.players == players:
                    _row(ax, difficulty, variants.index(name))
            ax.set_title(count_of(players, "player"))
            if not difficulties[0].goal.is_score:
                ax.set_xlim(-3, 103)
                ax.set_xticks([0, 25, 50, 75, 100])
                percent_axis(ax.xaxis)
            ax.tick_params(axis="x", labelsize=8)
        panels[0].set_yticks(range(len(variants)), variants)
        panels[0].set_ylim(len(variants) - 0.4, -0.6)

    title = f"{difficulties[0].setup.ruleset.title}: {difficulties[0].goal.title}"
    setups = [difficulty.setup for difficulty in difficulties]
    rows = panel_rows(len(counts), MOST_PANELS)
    size = (SIZE[0], 1.9 + SIZE[1] * len(variants))
    return make_figure(title, _caption(difficulties), size, paint, setups, rows=rows)


def _style(strategy: str) -> tuple[str, str, str]:
    return STYLES.get(strategy, SEARCH)


def _row(ax: Any, difficulty: Table, y: int) -> None:
    values = [scaled(level.value)[1] for level in difficulty.levels]
    ax.plot([min(values), max(values)], [y, y], color="#d9d9d9", linewidth=3, solid_capstyle="round", zorder=1)
    for level in difficulty.levels:
        colour, mark, _ = _style(level.strategy)
        low, value, high = scaled(level.value)
        edge = 2 if mark == "|" else 0
        ax.plot([low, high], [y, y], color=colour, linewidth=1.2, solid_capstyle="butt", zorder=2)
        ax.plot([value], [y], mark, color=colour, markersize=6, markeredgewidth=edge, zorder=3)


def _caption(difficulties: Sequence[Table]) -> str:
    """The legend, and how much was played."""
    first = difficulties[0]
    games = {level.value.n for difficulty in difficulties for level in difficulty.levels}
    strategies = list(dict.fromkeys(level.strategy for difficulty in difficulties for level in difficulty.levels))
    return (
        f"{'   '.join(f'{_style(one)[2]} {one}' for one in strategies)}\n"
        f"{first.setup.ruleset.title}; {range_of(games)} deals of each setup, seed {first.seed}; bars are 95% "
        "intervals, most of them narrower than the marks"
    )
