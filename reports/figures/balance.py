"""The figure of `houle balance`: seats, scores, length and tension; below them what ends games and the deal.

A report has a figure of each part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from houle.analysis.explain.balance import Balance
from houle.analysis.result import setup_title
from houle.analysis.sampling.grid import short_line_up
from houle.reports.figures import endings, openings
from houle.reports.figures.dots import length_panel
from houle.reports.figures.style import (
    HEAD,
    QUIET,
    equal_share_line,
    interval_rows,
    is_in_report,
    make_figure,
    panel_rows,
    percent_axis,
    side_by_side,
)
from houle.solver.language.seats import from_1
from houle.solver.texts import capital

BARS = 45
HEIGHT = 3.4  # inches of the panels about seats, scores, length and tension, with headline and caption
RARE = 0.001
SHOWN = {
    "behind_25": "behind after a quarter",
    "behind_50": "behind at half-time",
    "behind_75": "behind after three quarters",
    "comebacks": "not in the lead at half-time",
    "decided": "leads for good after",
}


def draw(result: Balance) -> Figure:
    """Draw the panels that the game has data for."""
    course = [measure for measure in result.measures if measure.name in SHOWN]
    length = [] if is_in_report() else [length_panel]  # a report has a figure of it before this one
    panels = [*([_sides] * (result.fair is not None)), _scores, *length, *([_course] * bool(course))]

    def paint(figure: Any) -> None:
        axes = side_by_side(figure, len(panels))
        for panel, ax in zip(panels, axes, strict=True):
            panel(ax, result)

    # Every part: its panels, the inches of a row of them, and the rows.
    parts: list[tuple[Callable[[Any], None], float, int]] = [(paint, HEIGHT - HEAD, panel_rows(len(panels)))]
    if result.endings and not is_in_report():
        parts.append((partial(endings.paint, result.endings), endings.HEIGHT - HEAD, panel_rows(3, 3)))
    if result.openings and result.openings.tables and not is_in_report():
        inches = openings.height_of(result.openings) - HEAD
        parts.append((partial(openings.paint, result.openings), inches, panel_rows(2)))
    heights = [inches * rows for _, inches, rows in parts]

    def paint_all(figure: Any) -> None:
        below = figure.subfigures(len(parts), 1, height_ratios=heights, squeeze=False)
        for (paint_part, _, _), place in zip(parts, below.ravel(), strict=True):
            paint_part(place)

    setup = result.setup
    caption = f"{short_line_up(result.strategies)} players; {result.games:,} games, seed {result.seed}"
    caption += "; lines are 95% intervals, some narrower than the dots" if len(panels) > 2 or len(parts) > 1 else ""
    seats = "balance, " * (result.fair is not None)
    title = f"{seats}scores" if is_in_report() else "how games go"
    return make_figure(f"{setup_title(setup)}: {title}", caption, (8, HEAD + sum(heights)), paint_all, [setup])


def _sides(ax: Any, result: Balance) -> None:
    interval_rows(ax, [(from_1(name), win, "C0") for name, win in result.shown_sides])
    ax.set_ylim(len(result.sides) - 0.4, -0.8)
    if result.fair is not None:
        equal_share_line(ax, result.fair, -0.75)
    percent_axis(ax.xaxis)
    ax.margins(x=0.25)
    ax.set_title("Games won")


def _course(ax: Any, result: Balance) -> None:
    values = {measure.name: measure.value for measure in result.measures}
    rows = [
        (label, values[name], "C1" if name == "decided" else "C0") for name, label in SHOWN.items() if name in values
    ]
    interval_rows(ax, rows)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlim(0, 100)
    percent_axis(ax.xaxis)
    ax.set_title("The winner ...")


def _scores(ax: Any, result: Balance) -> None:
    """Draw all but the one in a thousand that lies farthest out on each side."""
    total, passed, shown = sum(number for _, number in result.scores), 0, []
    for score, number in result.scores:
        if passed + number > RARE * total and passed < (1 - RARE) * total:
            shown.append((score, number))
        passed += number
    _bars(ax, shown, result.scores, f"{capital(result.setup.score.replace('_', ' '))}, share of scores", "outside")


def _bars(ax: Any, shown: Sequence[tuple[int, int]], every: Sequence[tuple[int, int]], title: str, rest: str) -> None:
    """Draw a histogram; a line of text counts what is not shown."""
    total = max(1, sum(number for _, number in every))
    first = shown[0][0] if shown else 0
    width = max(1, round((shown[-1][0] - first) / BARS)) if shown else 1
    bars: dict[int, int] = {}
    for value, number in shown:
        bars[(value - first) // width] = bars.get((value - first) // width, 0) + number
    share = {first + width * i: 100 * number / total for i, number in bars.items()}
    ax.bar([x + (width - 1) / 2 for x in share], list(share.values()), width=width, color="C0", linewidth=0)
    beyond = 100 * (1 - sum(number for _, number in shown) / total)
    if beyond > 1e-9:
        ax.annotate(f"{beyond:.2g}% are {rest}", (1, 0.9), xycoords="axes fraction", ha="right", fontsize=8.5,
                    color=QUIET)  # fmt: skip
    percent_axis(ax.yaxis)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="y")
    ax.set_title(title + (f", {width} to a bar" if width > 1 else ""))
