"""The survival figure: the chance to be alive at every card; where games die and what is left, as maps of the deck."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.difficulty.endings import CLOSE, Endings
from houle.analysis.sampling.grid import short_line_up
from houle.analysis.stats.intervals import Interval
from houle.reports.figures.style import make_figure, panel_rows, percent_axis, side_by_side
from houle.reports.names import table_title

IN_A_LINE = 10


def draw(result: Endings, path: Path | None = None) -> Figure:
    """Draws lives and deaths."""
    table = table_title(result.setup)
    caption = f"{table}; {short_line_up(result.strategies)}; {result.games:,} games, seed {result.seed}; 95% interval"

    def paint(figure: Any) -> None:
        curve, deadly, left = side_by_side(figure, 3, 3, (4, 4, 4))
        _curve(curve, result)
        _deck_map(deadly, result, result.deadly, "Game over on this card,\nof the times it is on top")
        _deck_map(left, result, result.left_close, f"Left over, of games that\nend with 1 to {CLOSE} cards")

    title = f"{table}: how long does it live?"
    return make_figure(title, caption, (8, 3.9), paint, path, [result.setup], rows=panel_rows(3, 3))


def _curve(ax: Any, result: Endings) -> None:
    places = range(len(result.alive))
    low, value, high = ([100 * getattr(alive, end) for alive in result.alive] for end in ("low", "value", "high"))
    ax.fill_between(places, low, high, color="C0", alpha=0.3, linewidth=0, step="post")
    ax.step(places, value, color="C0", where="post")
    ax.annotate(
        f"won: {value[-1]:.3g}%", (places[-1], value[-1]), (-4, 8), textcoords="offset points", ha="right", color="C0"
    )  # fmt: skip
    ax.set_ylim(0, 102)
    ax.set_xlabel("cards laid")
    percent_axis(ax.yaxis)
    ax.grid(True, axis="y")
    ax.set_title("Alive")


def _deck_map(ax: Any, result: Endings, rates: dict[str, Interval], title: str) -> None:
    """The deck as a grid: colours and numbers where cards have both, else in lines of ten."""
    rows, columns, places = _grid(list(rates))
    table = [[float("nan")] * len(columns) for _ in rows]
    most = max((rate.value for rate in rates.values()), default=0.0) or 1.0
    for name, rate in rates.items():
        y, x = places[name]
        table[y][x] = 100 * rate.value
        ink = "white" if rate.value < 0.55 * most else "black"
        ax.text(x, y, f"{100 * rate.value:.2g}", ha="center", va="center", fontsize=8, color=ink)
    ax.imshow(table, cmap="cividis", vmin=0, vmax=100 * most, aspect="auto")
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.grid(False)
    ax.set_title(f"{title}, %", fontsize=10)


def _grid(names: list[str]) -> tuple[list[str], list[str], dict[str, tuple[int, int]]]:
    """Rows, columns, and the place of every card by its name."""
    parts = {name: name.rpartition(" ")[::2] for name in names}
    if names and all(colour and number.isdigit() for colour, number in parts.values()):
        rows = list(dict.fromkeys(colour for colour, _ in parts.values()))
        columns = sorted({number for _, number in parts.values()}, key=int)
        return rows, columns, {name: (rows.index(one), columns.index(other)) for name, (one, other) in parts.items()}
    lines = -(-len(names) // IN_A_LINE)
    places = {name: divmod(i, IN_A_LINE) for i, name in enumerate(names)}
    return [names[IN_A_LINE * i] for i in range(lines)], [f"+{i}" for i in range(IN_A_LINE)], places
