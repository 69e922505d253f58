"""The bracket figure: how every kind of player ends, in the rulebook's bands, and how often it wins."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.analysis.stats.intervals import Interval
from houle.reports.figures.style import bar, percent_axis, picture, table_title

if TYPE_CHECKING:
    from houle.analysis.difficulty.bracket import Bracket, Level

ROW = 0.62  # inches per strategy


def draw(result: Bracket, path: Path) -> None:
    """Draws a bracket into a picture file."""
    setup, levels = result.setup, result.levels
    table = table_title(setup)
    numbers = sorted({level.tally.games for level in levels}, reverse=True)
    caption = f"{table}; {' and '.join(f'{number:,}' for number in numbers)} deals, seed {result.seed}; 95% intervals"

    def paint(figure: Any) -> None:
        own = levels[0].bands
        panels = (
            figure.subplots(1, 2, sharey=True, gridspec_kw={"width_ratios": (2, 3)}) if own else [figure.subplots()]
        )
        for y, level in enumerate(levels):
            found = level.win
            text = f"{100 * found.value:.3g}%" + (f", {level.word}" if level.word else ", the bound")
            bar(panels[0], (100 * found.low, 100 * found.value, 100 * found.high), y, "C0", text)
        panels[0].set_xlim(-2, 150)
        panels[0].set_xticks([0, 25, 50, 75, 100])
        percent_axis(panels[0].xaxis)
        panels[0].set_title("Games won")
        panels[0].set_yticks(range(len(levels)), [f"{level.strategy}\n{level.role}" for level in levels], fontsize=8.5)
        panels[0].set_ylim(len(levels) - 0.5, -0.5)
        if own:
            _bands(panels[1], levels, setup.score)

    picture(path, f"{table}: how hard is it?", caption, (11, 1.9 + ROW * len(levels)), paint)


def _bands(ax: Any, levels: list[Level], score: str) -> None:
    from matplotlib import colormaps

    own = levels[0].bands
    colours = [colormaps["cividis"](1 - i / max(1, len(own) - 1)) for i in range(len(own))]
    for y, level in enumerate(levels):
        left = 0.0
        for i, found in enumerate(level.shares):
            width = 100 * found.value
            ax.barh(y, width, left=left, height=0.6, color=colours[i], label=own[i].label if y == 0 else None)
            if width > 7:
                _inside(ax, left + width / 2, y, found, i < len(own) / 2)
            left += width
    ax.set_xlim(0, 100)
    percent_axis(ax.xaxis)
    ax.grid(False)
    ax.set_title(f"{score.replace('_', ' ').capitalize()}, in the rulebook's bands", pad=24)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=len(own), fontsize=8.5, borderaxespad=0.1)


def _inside(ax: Any, x: float, y: float, found: Interval, bright: bool) -> None:
    text = f"{100 * found.value:.0f}%"
    ax.text(x, y, text, ha="center", va="center", fontsize=8, color="black" if bright else "white")
