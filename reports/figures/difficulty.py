"""The figure of difficulty: at every table of a report, how often each kind of player wins."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.difficulty.bracket import Bracket, Level
from houle.reports.figures.style import make_figure, percent_axis, scaled
from houle.reports.names import count_of, variant_name

SIZE = (7.4, 0.42)  # inches: width, and height of a variant
COLOURS = {"random": "#7a7a7a", "greedy": "C5", "novice": "C4", "thumb": "C0", "flat": "C2", "ismcts": "C2",
           "clairvoyant": "C3"}  # fmt: skip
MARKS = {"random": "o", "greedy": "^", "novice": "^", "thumb": "s", "flat": "D", "ismcts": "D", "clairvoyant": "|"}


def draw(brackets: Sequence[Bracket], path: Path | None = None) -> Figure:
    """A panel per number of players, a row per variant, a mark per kind of player."""
    counts = list(dict.fromkeys(bracket.setup.players for bracket in brackets))
    variants = list(dict.fromkeys(variant_name(bracket.setup) for bracket in brackets))
    kinds = list(dict.fromkeys(_kind(level) for bracket in brackets for level in bracket.levels))

    def paint(figure: Any) -> None:
        panels = figure.subplots(1, len(counts), sharey=True, sharex=True, squeeze=False)[0]
        for ax, players in zip(panels, counts, strict=True):
            for bracket in brackets:
                if bracket.setup.players == players:
                    _row(ax, bracket, variants.index(variant_name(bracket.setup)))
            ax.set_title(count_of(players, "player"))
            ax.set_xlim(-3, 103)
            ax.set_xticks([0, 25, 50, 75, 100])
            percent_axis(ax.xaxis)
            ax.tick_params(axis="x", labelsize=8)
        panels[0].set_yticks(range(len(variants)), variants)
        panels[0].set_ylim(len(variants) - 0.4, -0.6)
        handles = [
            panels[0].plot([], [], MARKS[name], color=COLOURS[name], label=name, markeredgewidth=2)[0] for name in kinds
        ]
        figure.legend(handles=handles, loc="outside upper right", ncols=len(kinds), fontsize=9, handletextpad=0.2)

    tables = [bracket.setup for bracket in brackets]
    title = f"{brackets[0].setup.ruleset.title}: games won"
    return make_figure(title, _caption(brackets), (SIZE[0], 1.9 + SIZE[1] * len(variants)), paint, path, tables)


def _kind(level: Level) -> str:
    return level.strategy.partition(":")[0].partition("[")[0]


def _row(ax: Any, bracket: Bracket, y: int) -> None:
    values = [100 * level.win.value for level in bracket.levels]
    ax.plot([min(values), max(values)], [y, y], color="#d9d9d9", linewidth=3, solid_capstyle="round", zorder=1)
    for level in bracket.levels:
        name = _kind(level)
        low, value, high = scaled(level.win)
        edge = 2 if name == "clairvoyant" else 0
        ax.plot([low, high], [y, y], color=COLOURS[name], linewidth=1.2, solid_capstyle="butt", zorder=2)
        ax.plot([value], [y], MARKS[name], color=COLOURS[name], markersize=6, markeredgewidth=edge, zorder=3)


def _caption(brackets: Sequence[Bracket]) -> str:
    """What was played, for everything that these tables show together."""
    first = brackets[0]
    games = sorted({level.tally.games for bracket in brackets for level in bracket.levels}, reverse=True)
    strategies = list(dict.fromkeys(level.strategy for bracket in brackets for level in bracket.levels))
    number = " or ".join(f"{count:,}" for count in games)
    return (
        f"{first.setup.ruleset.title}; strategies {', '.join(strategies)}; {number} deals of a table, "
        f"seed {first.seed};\nbars are 95% intervals, most of them narrower than the marks"
    )
