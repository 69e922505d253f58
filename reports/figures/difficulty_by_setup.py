"""The figure of difficulty: at every table of a report, how often each kind of player wins."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.difficulty.difficulty import Difficulty
from houle.reports.figures.style import make_figure, panel_rows, percent_axis, scaled, side_by_side
from houle.reports.names import count_of

MOST_PANELS = 4  # in a row
SIZE = (7.4, 0.42)  # inches: width, and height of a variant
COLOURS = {"random": "#7a7a7a", "greedy": "C5", "novice": "C4", "thumb": "C0", "flat": "C2", "ismcts": "C2",
           "clairvoyant": "C3"}  # fmt: skip
MARKS = {"random": "o", "greedy": "^", "novice": "^", "thumb": "s", "flat": "D", "ismcts": "D", "clairvoyant": "|"}
SIGNS = {"o": "●", "^": "▲", "s": "■", "D": "◆", "|": "|"}  # the marks, as letters


def draw(difficulties: Sequence[Difficulty], names: Sequence[str], path: Path | None = None) -> Figure:
    """A panel per number of players, a row per variant (by the names of the tables), a mark per kind of player."""
    counts = list(dict.fromkeys(difficulty.setup.players for difficulty in difficulties))
    variants = list(dict.fromkeys(names))

    def paint(figure: Any) -> None:
        panels = side_by_side(figure, len(counts), MOST_PANELS, same_rows=True)
        for ax, players in zip(panels, counts, strict=True):
            for difficulty, name in zip(difficulties, names, strict=True):
                if difficulty.setup.players == players:
                    _row(ax, difficulty, variants.index(name))
            ax.set_title(count_of(players, "player"))
            ax.set_xlim(-3, 103)
            ax.set_xticks([0, 25, 50, 75, 100])
            percent_axis(ax.xaxis)
            ax.tick_params(axis="x", labelsize=8)
        panels[0].set_yticks(range(len(variants)), variants)
        panels[0].set_ylim(len(variants) - 0.4, -0.6)

    title = f"{difficulties[0].setup.ruleset.title}: games won"
    tables = [difficulty.setup for difficulty in difficulties]
    rows = panel_rows(len(counts), MOST_PANELS)
    size = (SIZE[0], 1.9 + SIZE[1] * len(variants))
    return make_figure(title, _caption(difficulties), size, paint, path, tables, rows=rows)


def kind_of(strategy: str) -> str:
    return strategy.partition(":")[0].partition("[")[0]


def _row(ax: Any, difficulty: Difficulty, y: int) -> None:
    values = [100 * level.win.value for level in difficulty.levels]
    ax.plot([min(values), max(values)], [y, y], color="#d9d9d9", linewidth=3, solid_capstyle="round", zorder=1)
    for level in difficulty.levels:
        name = kind_of(level.strategy)
        low, value, high = scaled(level.win)
        edge = 2 if name == "clairvoyant" else 0
        ax.plot([low, high], [y, y], color=COLOURS[name], linewidth=1.2, solid_capstyle="butt", zorder=2)
        ax.plot([value], [y], MARKS[name], color=COLOURS[name], markersize=6, markeredgewidth=edge, zorder=3)


def _caption(difficulties: Sequence[Difficulty]) -> str:
    """What was played, for everything that these tables show together."""
    first = difficulties[0]
    games = sorted({level.tally.games for difficulty in difficulties for level in difficulty.levels}, reverse=True)
    strategies = list(dict.fromkeys(level.strategy for difficulty in difficulties for level in difficulty.levels))
    number = " or ".join(f"{count:,}" for count in games)
    return (
        f"{'   '.join(f'{SIGNS[MARKS[kind_of(name)]]} {name}' for name in strategies)}\n"
        f"{first.setup.ruleset.title}; {number} deals of a table, seed {first.seed}; bars are 95% intervals, most of "
        "them narrower than the marks"
    )
