"""The figure of a table: a panel for each measure and a line for each row, with what it is compared with below it."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.measures.measures import is_percent, measure_title
from houle.analysis.players.named_players import players_of
from houle.analysis.result import setup_title
from houle.analysis.tables.strength import fair_share
from houle.analysis.tables.table import Row, Table
from houle.reports.figures.style import (
    QUIET,
    UNSURE,
    differences,
    equal_share_line,
    interval_bar,
    make_figure,
    panel_rows,
    percent_axis,
    side_by_side,
)
from houle.reports.figures.sweep import TARGET
from houle.reports.figures.sweep import draw as draw_sweep
from houle.solver.texts import range_of

COLOURS = {"more": "C0", "less": "C0", "same": "C2", "unknown": UNSURE}
MOST_ROWS = 24
ROW, BELOW = 0.5, 0.28  # inches per row; how far below a value stands what it is compared with


def draw(result: Table, rows: Sequence[Row] = (), measures: Sequence[str] = (), kind: str | None = None) -> Figure:
    """Draw a table, or some of its rows and measures; of a sweep over a grid lines or a map (`kind`)."""
    if result.command == "sweep" and result.grid is not None and result.grid.axes:
        return draw_sweep(result, kind)
    chosen, own = measures or result.measures, {row.setup.digest for row in result.levels}
    shown = [row for row in rows or result.rows if row.measure in chosen]
    if not result.by_change:  # what is beside stands below its row
        shown = [row for row in shown if row.setup.digest in own]
    numbers = list(dict.fromkeys(row.number for row in shown))[:MOST_ROWS]
    names = {row.number: _label(result, row) for row in reversed(shown)}

    def paint(figure: Any) -> None:
        panels = side_by_side(figure, len(chosen), same_rows=True)
        for ax, measure in zip(panels, chosen, strict=True):
            _panel(ax, result, {row.number: row for row in shown if row.measure == measure}, numbers, measure=measure)
        panels[0].set_yticks(range(len(numbers)), [names[number] for number in numbers])
        panels[0].set_ylim(len(numbers) - 0.4, -0.6)

    games = range_of(result.sample.deals(number) for number in numbers)
    more = f"; the first {MOST_ROWS}" if len(names) > MOST_ROWS else ""
    people = ", ".join(dict.fromkeys(players_of(row.strategy) for row in shown[:MOST_ROWS] if not row.arm.seatings))
    played = f"{games} games of each row, seed {result.seed}; bars are 95% intervals{more}"
    caption = f"{people}; {played}" if people else played
    compared = {row.against for row in shown if row.change is not None} if result.by_change else set()
    title = f"{setup_title(result.main)}: {result.question[:1].lower()}{result.question[1:]}"
    if len(compared) == 1:
        title = f"{result.main.ruleset.title}: difference from {compared.pop()}"
    size = (8.0, 1.6 + ROW * len(numbers))
    lines = differences(result.grid) if result.grid else []
    return make_figure(title, caption, size, paint, setups=[result.main], own=lines, rows=panel_rows(len(chosen)))


def _label(result: Table, row: Row) -> str:
    return f"{row.label} against {row.against}" if "against" in result.heads else row.label


def _panel(ax: Any, result: Table, rows: dict[int, Row], numbers: Sequence[int], measure: str) -> None:
    """Draw a measure: the differences of a comparison, else the values with what they are compared with."""
    setups = [row.setup for row in rows.values()]
    title = measure_title(measure, setups)
    if result.by_change:
        ax.axvline(0, color=QUIET, linewidth=1)
        title += ", points" if is_percent(measure) else ""
    for y, number in enumerate(numbers):
        if row := rows.get(number):
            (_change if result.by_change else _value)(ax, result, row, y)
    if not result.by_change:
        if measure == "win" and not result.main.one_sided:
            equal_share_line(ax, fair_share(result.main), -0.55)
        for target in result.targets:
            if target.measure == measure:
                scale = 100 if is_percent(measure) else 1
                ax.axvspan(scale * target.low, scale * target.high, color=TARGET, alpha=0.12, linewidth=0)
        if is_percent(measure):
            percent_axis(ax.xaxis)
            ax.set_xlim(left=max(ax.get_xlim()[0], -2))
    ax.set_title(fill(title, 30), fontsize=10)
    ax.margins(x=0.35)


def _change(ax: Any, result: Table, row: Row, y: int) -> None:
    if row.change is None:
        text = row.verdict.text if row.against else row.value.short()
        ax.annotate(text, (0, y), (6, 0), textcoords="offset points", color=QUIET, va="center", fontsize=8.5)
        return
    kind = row.verdict.kind or ("more" if row.change.differs else "unknown")
    text = row.verdict.text if row.verdict.kind in ("more", "less") else row.verdict.kind
    interval_bar(ax, row.change, y, COLOURS[kind], text=text)


def _value(ax: Any, result: Table, row: Row, y: int) -> None:
    interval_bar(ax, row.value, y, "C0", text=", ".join(filter(None, [row.value.short(), row.note])))
    if row.beside is not None and row.verdict.text:
        interval_bar(ax, row.beside, y + BELOW, UNSURE, text=row.against.removeprefix(f"{row.label}, "))
