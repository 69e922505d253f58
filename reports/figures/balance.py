"""How games go, as figures: what sides win, their scores, length and tension; below them what ends games and the deal.

`houle simulate` draws the first two of these panels. A report has a figure of each part. Lengths are drawn as twenty
games, which people can count.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from houle.analysis.explain.balance import LIMIT, Balance
from houle.analysis.result import setup_title
from houle.analysis.sampling.grid import short_line_up
from houle.analysis.sampling.simulate import Simulation
from houle.analysis.stats.estimate import Estimate
from houle.reports.figures import endings, openings
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
    wins_axis,
)
from houle.solver.language.seats import from_1
from houle.solver.texts import capital

BARS = 45
DOTS = 20
COLUMNS = 10  # of dots at most
NINE_TENTHS = 0.9  # of the games, as in the sentence on their length
HEIGHT = 3.4  # inches of the panels about seats, scores, length and tension, with headline and caption
RARE = 0.001
SHOWN = {
    "behind_25": "behind after a quarter",
    "behind_50": "behind at half-time",
    "behind_75": "behind after three quarters",
    "comebacks": "not in the lead at half-time",
    "decided": "leads for good after",
}


def draw(result: Balance | Simulation) -> Figure:
    """Draw the panels that the game has data for."""
    return _simulation(result) if isinstance(result, Simulation) else _balance(result)


def _simulation(result: Simulation) -> Figure:
    """Draw what sides win, and all their scores."""
    counts = sum((Counter(side.histogram) for side in result.sides), Counter[int]())

    def paint(figure: Any) -> None:
        wins, scores = side_by_side(figure, 2)
        _sides(wins, [(side.name, side.win) for side in result.sides])
        _scores(scores, sorted(counts.items()), result.setup.score)

    caption = f"{short_line_up(result.strategies)}; {result.games:,} games, seed {result.seed}; bars are 95% intervals"
    return make_figure(
        setup_title(result.setup), caption, (8, HEIGHT), paint, setups=[result.setup], rows=panel_rows(2)
    )


def _balance(result: Balance) -> Figure:
    course = [measure for measure in result.measures if measure.name in SHOWN]
    panels: list[Callable[[Any], None]] = []
    if result.fair is not None:
        panels.append(partial(_sides, rows=result.shown_sides, fair=result.fair))
    panels.append(partial(_scores, counts=result.scores, score=result.setup.score))
    panels += [partial(length_panel, result=result)] * (not is_in_report())  # a report has a figure of it before
    panels += [partial(_course, result=result)] * bool(course)

    def paint(figure: Any) -> None:
        axes = side_by_side(figure, len(panels))
        for panel, ax in zip(panels, axes, strict=True):
            panel(ax)

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
    return make_figure(f"{setup_title(setup)}: {title}", caption, (8, HEAD + sum(heights)), paint_all, setups=[setup])


def _sides(ax: Any, rows: Sequence[tuple[str, Estimate]], fair: float | None = None) -> None:
    interval_rows(ax, [(from_1(name), win, "C0") for name, win in rows])
    ax.set_ylim(len(rows) - 0.4, -0.8)
    if fair is not None:
        equal_share_line(ax, fair, -0.75)
    wins_axis(ax, 0.25)


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


def _scores(ax: Any, counts: Sequence[tuple[int, int]], score: str) -> None:
    """Draw a histogram without the one in a thousand that lies farthest out on each side; a line says how many."""
    total, passed, shown = sum(number for _, number in counts), 0, []
    for value, number in counts:
        if passed + number > RARE * total and passed < (1 - RARE) * total:
            shown.append((value, number))
        passed += number
    first = shown[0][0] if shown else 0
    width = max(1, round((shown[-1][0] - first) / BARS)) if shown else 1
    bars: dict[int, int] = {}
    for value, number in shown:
        bars[(value - first) // width] = bars.get((value - first) // width, 0) + number
    share = {first + width * i: 100 * number / total for i, number in bars.items()}
    ax.bar([x + (width - 1) / 2 for x in share], list(share.values()), width=width, color="C0", linewidth=0)
    beyond = 100 * (1 - sum(number for _, number in shown) / max(1, total))
    if shown and beyond > 1e-9:
        ax.annotate(
            f"{beyond:.2g}% are outside", (1, 0.9), xycoords="axes fraction", ha="right", fontsize=8.5, color=QUIET
        )
    percent_axis(ax.yaxis)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="y")
    title = f"{capital(score.replace('_', ' '))}, share of scores"
    ax.set_title(title + (f", {width} to a bar" if width > 1 else ""))


def twenty(counts: Sequence[tuple[int, int]]) -> list[int]:
    """Twenty values that stand for all: as many dots lie up to a value as twentieths of the games."""
    total = sum(number for _, number in counts)
    values: list[int] = []
    passed = 0
    for value, number in counts:
        passed += number
        while len(values) < DOTS and total and (len(values) + 1) * total <= passed * DOTS:
            values.append(value)
    return values


def draw_length(result: Balance, seconds_per_decision: float | None = None) -> Figure:
    """Draw how long games last, as twenty of them; games that we had to stop are said below."""
    turns, limit, values = result.setup.ruleset.turns, result.setup.options.get(LIMIT), twenty(result.lengths)
    ended, decisions = _ended(result), result.measure("decisions")
    caption = f"{result.who}; each dot stands for a twentieth of {result.games:,} games"
    if seconds_per_decision and decisions:
        caption += f"; about {decisions.value * seconds_per_decision / 60:.0f} minutes on average"
    if len(ended) < len(values):
        caption += f"; {len(values) - len(ended)} of {len(values)} do not end within {limit} {turns}"

    def paint(figure: Any) -> None:
        length_panel(figure.subplots(), result)

    return make_figure(f"How long games of {result.who} last", caption, (8, 2.6), paint, setups=[result.setup])


def _ended(result: Balance) -> list[int]:
    """The lengths of twenty games without those that we had to stop."""
    limit = result.setup.options.get(LIMIT)
    return [value for value in twenty(result.lengths) if limit is None or value < limit]


def length_panel(ax: Any, result: Balance) -> None:
    """Draw the lengths of games as dots."""
    dots(ax, _ended(result), result.setup.ruleset.turns)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def dots(ax: Any, values: Sequence[int], unit: str) -> None:
    """Draw the values as stacked dots, and say how long most games last; a column stands at its first value."""
    span = max(values) - min(values) if values else 0
    width = max(1, math.ceil((span + 1) / COLUMNS))
    heights: dict[int, int] = {}
    for value in values:
        column = (value - min(values)) // width
        heights[column] = heights.get(column, 0) + 1
        x = min(value for value in values if (value - min(values)) // width == column)
        ax.plot([x], [heights[column] - 0.5], marker="o", color="C0", markersize=9, clip_on=False)
    ax.set_ylim(0, max(heights.values(), default=1) + 0.5)
    ax.set_yticks([])
    ax.margins(x=0.08)
    ax.set_title(f"{below(values)} {unit}")


def below(values: Sequence[int]) -> str:
    """`18 of 20 games end within 45`, nine in ten."""
    if not values:
        return ""
    limit = sorted(values)[math.ceil(NINE_TENTHS * len(values)) - 1]
    return f"{sum(value <= limit for value in values)} of {len(values)} games end within {limit}"
