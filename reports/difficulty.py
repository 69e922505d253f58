"""The difficulty figure: how often each variant is won and what it scores, with intervals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

if TYPE_CHECKING:
    import pandas as pd

STYLE = Path(__file__).parent / "house.mplstyle"
ROW = 0.95  # inches per variant
LANE = 0.26  # rows between two numbers of players


def draw(frame: pd.DataFrame, title: str, path: Path) -> None:
    """Draws the first side's rows of analysis.difficulty.difficulty into a picture file."""
    frame = frame[frame["side"] == frame["side"].iloc[0]]
    variants = list(dict.fromkeys(frame["variants"]))
    players = sorted(set(frame["players"]))
    with plt.style.context(str(STYLE)):
        figure, (wins, scores) = plt.subplots(
            1, 2, sharey=True, figsize=(10.5, 1.5 + ROW * len(variants)), gridspec_kw={"width_ratios": (3, 2)}
        )
        lanes = _lanes(players)
        for row, variant in enumerate(variants):
            _stripe(row, wins, scores)
            for number in players:
                cell = frame[(frame["variants"] == variant) & (frame["players"] == number)]
                if len(cell):
                    colour = f"C{players.index(number)}"
                    name = f"{number} players  " if row == 0 else ""
                    _win(wins, cell.iloc[0], row + lanes[number], colour, name)
                    _score(scores, cell.iloc[0], frame["score_name"].iloc[0], row + lanes[number], colour, name)
        _axes(wins, scores, frame, variants)
        figure.suptitle(title, x=0.01, ha="left", fontweight="bold", fontsize=13)
        figure.text(0.01, 0.005, _caption(frame), fontsize=8, color="#555555", va="bottom")
        figure.tight_layout(rect=(0, 0.03, 1, 1))
        figure.savefig(path)
        plt.close(figure)


def _lanes(players: list[int]) -> dict[int, float]:
    middle = (len(players) - 1) / 2
    return {number: LANE * (i - middle) for i, number in enumerate(players)}


def _stripe(row: int, *axes: Any) -> None:
    for ax in axes:
        if row % 2 == 0:
            ax.axhspan(row - 0.5, row + 0.5, color="#f5f5f5", zorder=0, linewidth=0)


def _win(ax: Any, cell: Any, y: float, colour: str, name: str) -> None:
    low, value, high = (100 * cell[key] for key in ("win_low", "win", "win_high"))
    if value > 0:
        ax.plot([low, high], [y, y], color=colour, solid_capstyle="butt")
        ax.plot([value], [y], "o", color=colour)
        text = f"{value:.3g}%"
    else:
        # A log axis has no zero: the interval's upper end, open to the left.
        ax.plot([high], [y], marker="<", color=colour, markerfacecolor="white")
        text = f"none in {cell['games']:,}"
    _label(ax, high, y, name + text, colour)


def _score(ax: Any, cell: Any, score_name: str, y: float, colour: str, name: str) -> None:
    if cell["score_name"] != score_name:
        # Another unit: it would lie if it stood on the same axis.
        text = f"{cell['score']:.2f} {cell['score_name']} (another score)"
        ax.text(0.02, y, text, transform=ax.get_yaxis_transform(), color=colour, va="center", fontsize=8.5)
        return
    ax.plot([cell["score_low"], cell["score_high"]], [y, y], color=colour, solid_capstyle="butt")
    ax.plot([cell["score"]], [y], "o", color=colour)
    _label(ax, cell["score_high"], y, f"{name}{cell['score']:.2f}", colour)


def _label(ax: Any, x: float, y: float, text: str, colour: str) -> None:
    ax.annotate(text, (x, y), (7, 0), textcoords="offset points", color=colour, va="center", fontsize=8.5)


def _axes(wins: Any, scores: Any, frame: pd.DataFrame, variants: list[str]) -> None:
    wins.set_xscale("log")
    low, high = 100 * frame["win_high"].min(), 100 * frame["win_high"].max()
    above_zero = frame.loc[frame["win"] > 0, "win_low"]
    if len(above_zero):
        low = min(low, 100 * above_zero.min())
    wins.set_xlim(low / 1.6, high * 8)  # room for the labels on the right
    wins.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}%"))
    wins.xaxis.set_minor_formatter(FuncFormatter(lambda value, _: ""))
    wins.set_title("Games won (log scale)")
    wins.set_yticks(range(len(variants)), variants, fontsize=11)
    wins.set_ylim(len(variants) - 0.5, -0.5)
    score = frame["score_name"].iloc[0]
    shown = frame[frame["score_name"] == score]["score"]
    room = max(1.0, float(shown.max() - shown.min()))
    scores.set_xlim(shown.min() - 0.2 * room, shown.max() + 0.9 * room)
    scores.set_title(f"Mean {score.replace('_', ' ')}")


def _caption(frame: pd.DataFrame) -> str:
    one = frame.iloc[0]
    strategies = sorted({name for names in frame["strategies"] for name in names.split(",")})
    return (
        f"{one['game']}; everyone plays {', '.join(strategies)}; {one['games']:,} games a point, "
        f"seed {one['seed']}; bars are 95% intervals, some narrower than the dots"
    )
