"""What ends games, as a figure: games still running at every card; which cards end games or are left, as deck maps."""

from __future__ import annotations

from functools import partial
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.explain.endings import CLOSE, Endings
from houle.analysis.result import setup_title
from houle.analysis.sampling.grid import short_line_up
from houle.analysis.stats.estimate import Estimate
from houle.reports.figures.style import make_figure, panel_rows, percent_axis, scaled, side_by_side

CARDS_IN_ROW = 10
HEIGHT = 3.9  # inches, with headline and caption


def draw(result: Endings) -> Figure:
    """Draw how long games last and which cards end them."""
    title = setup_title(result.setup)
    caption = f"{title}; {short_line_up(result.strategies)}; {result.games:,} games, seed {result.seed}; 95% interval"
    return make_figure(
        f"{title}: how games end",
        caption,
        (8, HEIGHT),
        partial(paint, result),
        setups=[result.setup],
        rows=panel_rows(3, 3),
    )


def paint(result: Endings, figure: Any) -> None:
    """Draw the panels."""
    curve, deadly, left = side_by_side(figure, 3, 3, (4, 4, 4))
    _curve(curve, result)
    _deck_map(deadly, result.deadly, "Game ends on this card,\nof the times it is on top")
    _deck_map(left, result.left_close, f"Left over, of games lost\nwith 1 to {CLOSE} cards left")


def _curve(ax: Any, result: Endings) -> None:
    places = range(len(result.alive))
    low, value, high = zip(*map(scaled, result.alive), strict=True)
    ax.fill_between(places, low, high, color="C0", alpha=0.3, linewidth=0, step="post")
    ax.step(places, value, color="C0", where="post")
    won, end = f"won: {result.alive[-1].short()}", (places[-1], value[-1])
    ax.annotate(won, end, (-4, 8), textcoords="offset points", ha="right", color="C0")
    ax.set_ylim(0, 102)
    ax.set_xlabel("cards played")
    percent_axis(ax.yaxis)
    ax.grid(True, axis="y")
    ax.set_title("Games still running")


def _deck_map(ax: Any, rates: dict[str, Estimate], title: str) -> None:
    """Draw the deck as a grid: by colour and number if cards have both, else in rows of ten."""
    rows, columns, places = _grid(list(rates))
    shares = [[float("nan")] * len(columns) for _ in rows]
    most = max((rate.value for rate in rates.values()), default=0.0) or 1.0
    for name, rate in rates.items():
        y, x = places[name]
        shares[y][x] = 100 * rate.value
        ink = "white" if rate.value < 0.55 * most else "black"
        words = rate.parts(min(1, rate.digits))[0] if rate.n else ""
        ax.text(x, y, words, ha="center", va="center", fontsize=8, color=ink)
    ax.imshow(shares, cmap="cividis", vmin=0, vmax=100 * most, aspect="auto")
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.grid(False)
    ax.set_title(f"{title}, %", fontsize=10)


def _grid(names: list[str]) -> tuple[list[str], list[str], dict[str, tuple[int, int]]]:
    """Rows, columns, and the cell of every card by its name."""
    parts = {name: name.rpartition(" ")[::2] for name in names}
    if names and all(colour and number.isdigit() for colour, number in parts.values()):
        rows = list(dict.fromkeys(colour for colour, _ in parts.values()))
        columns = sorted({number for _, number in parts.values()}, key=int)
        return rows, columns, {name: (rows.index(one), columns.index(other)) for name, (one, other) in parts.items()}
    lines = -(-len(names) // CARDS_IN_ROW)
    places = {name: divmod(i, CARDS_IN_ROW) for i, name in enumerate(names)}
    return [names[CARDS_IN_ROW * i] for i in range(lines)], [f"+{i}" for i in range(CARDS_IN_ROW)], places
