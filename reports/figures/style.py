"""What all figures share: the house style, a headline, a caption that says what was played, intervals as bars."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

if TYPE_CHECKING:
    from houle.solver.ruleset import Setup

STYLE = Path(__file__).parent / "house.mplstyle"
QUIET = "#555555"


def picture(path: Path, title: str, caption: str, size: tuple[float, float], paint: Callable[[Any], None]) -> None:
    """Lets `paint` fill a figure, adds headline and caption, and saves it as its ending says."""
    with plt.style.context(str(STYLE)):
        figure = plt.figure(figsize=size, layout="constrained")
        paint(figure)
        figure.suptitle(title, x=0.01, ha="left", fontweight="bold", fontsize=13)
        figure.supxlabel(caption, x=0.01, ha="left", fontsize=8, color=QUIET)
        figure.savefig(path)
        plt.close(figure)


def table_title(setup: Setup) -> str:
    """What is played, in a few words."""
    players = f"{setup.players} player" + ("" if setup.players == 1 else "s")
    return f"{setup.ruleset.title}, {players}, {' + '.join(setup.variants) or 'base game'}"


def bar(ax: Any, x: tuple[float, float, float], y: float, colour: str, text: str = "") -> None:
    """An estimate (low, value, high) as a dot on a line, with its number beside it."""
    low, value, high = x
    ax.plot([low, high], [y, y], color=colour, solid_capstyle="butt")
    ax.plot([value], [y], "o", color=colour)
    if text:
        ax.annotate(text, (high, y), (6, 0), textcoords="offset points", color=colour, va="center", fontsize=8.5)


def percent_axis(axis: Any) -> None:
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}%"))
