"""What all figures share: the house style, headline and caption, intervals as bars, axes in percent.

Figures are made without pyplot, so that drawing one changes nothing in the notebook or program that asked for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib.style
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from houle.analysis.sampling.grid import Grid
from houle.analysis.stats.intervals import Interval
from houle.solver.ruleset import Setup, differences_line

STYLE = Path(__file__).parent / "house.mplstyle"
QUIET = "#555555"  # captions and lines that only guide the eye
UNSURE = "#888888"  # what may be nothing

HEADLINE_LETTERS, CAPTION_LETTERS = 9, 15  # to an inch
LINE = 0.14  # inches of a line of the caption

Row = tuple[str, Interval, str]  # label, estimate, colour


def make_figure(
    title: str,
    caption: str,
    size: tuple[float, float],
    paint: Callable[[Any], None],
    path: Path | None = None,
    tables: Iterable[Setup] = (),
    own: Iterable[str] = (),
) -> Figure:
    """Lets `paint` fill a figure, adds headline and caption, and saves it as the ending of the path says.

    What differs from print stands above the caption: of those of the tables that are users' own, or as it is said.
    """
    width, height = size
    headline = fill(title, int(HEADLINE_LETTERS * width))
    lines = dict.fromkeys([*own, *map(differences_line, tables)])
    told = [fill(line, int(CAPTION_LETTERS * width)) for line in lines if line]
    more = sum(text.count("\n") + 1 for text in told) * LINE + headline.count("\n") * 2 * LINE
    with matplotlib.style.context(str(STYLE)):
        figure = Figure(figsize=(width, height + more), layout="constrained")
        paint(figure)
        figure.suptitle(headline, x=0.01, ha="left", fontweight="bold", fontsize=13)
        figure.supxlabel("\n".join([*told, caption]), x=0.01, ha="left", fontsize=8, color=QUIET)
        if path is not None:
            figure.savefig(path)
    return figure


def differences(grid: Grid) -> list[str]:
    """How the variants of a comparison or sweep that are users' own differ from print."""
    found = grid.differences().items()
    return [f"{name}: {'; '.join(words) or 'no rule differs from print'}" for name, words in found]


def interval_bar(ax: Any, interval: Interval, y: float, colour: str, text: str = "", scale: float = 100) -> None:
    """An estimate as a dot on a line, with its number beside it; shares in percent."""
    low, value, high = scaled(interval, scale)
    ax.plot([low, high], [y, y], color=colour, solid_capstyle="butt")
    ax.plot([value], [y], "o", color=colour)
    if text:
        ax.annotate(text, (high, y), (6, 0), textcoords="offset points", color=colour, va="center", fontsize=8.5)


def interval_rows(ax: Any, rows: Sequence[Row], shown: Callable[[Interval], str]) -> None:
    """A labelled line for every share, the first on top."""
    for y, (_, interval, colour) in enumerate(rows):
        interval_bar(ax, interval, y, colour, shown(interval))
    ax.set_yticks(range(len(rows)), [label for label, _, _ in rows])
    ax.set_ylim(len(rows) - 0.5, -0.5)


def scaled(interval: Interval, scale: float = 100) -> tuple[float, float, float]:
    """Low end, value and high end."""
    return scale * interval.low, scale * interval.value, scale * interval.high


def percent(interval: Interval) -> str:
    """`29.0%`."""
    return f"{100 * interval.value:.1f}%"


def short_percent(interval: Interval) -> str:
    """Three figures: `29%`, `0.34%`."""
    return f"{100 * interval.value:.3g}%"


def holds_nothing(interval: Interval) -> bool:
    """Whether a difference may be nothing."""
    return interval.low <= 0 <= interval.high


def percent_axis(axis: Any) -> None:
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}%"))


def wins_axis(ax: Any, margin: float) -> None:
    """A panel of wins, filled: in percent, with room for the numbers, and nothing far below 0."""
    ax.margins(x=margin)
    ax.set_xlim(left=max(ax.get_xlim()[0], -2))
    percent_axis(ax.xaxis)
    ax.set_title("Games won")


def equal_share_line(ax: Any, share: float, y: float) -> None:
    """What everybody would win if all were equal, with a word at height `y`."""
    ax.axvline(100 * share, color=QUIET, linewidth=1, linestyle="--", zorder=1)
    ax.annotate("equal", (100 * share, y), (3, 0), textcoords="offset points", fontsize=8, color=QUIET, va="top")
