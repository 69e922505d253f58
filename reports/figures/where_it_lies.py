"""The figure of where a variant lies: printed variants and yours from impossible to a gift, for each level."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.stats.estimate import Estimate
from houle.reports.figures.style import QUIET, make_figure, scaled
from houle.solver.rules import Setup

FILE = Path(__file__).parents[1] / "references.toml"
ROW = 0.68  # inches per level
ABOVE, APART = 0.17, 0.17  # of a row: the first line of numbers above the dots, and the next ones
NEAR = 3.5  # points: a nearer number stands in the next line


@dataclass(frozen=True)
class Placed:
    """What one variant gives one level."""

    name: str
    win: Estimate
    own: bool  # whether it is the variant that the report is about


@lru_cache
def references() -> Mapping[str, Any]:
    """Public statements about wanted win rates, with their sources."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def reference_words() -> str:
    """The band and the other statements in one sentence each."""
    band = references()["band"]
    wanted = "; ".join(f"{one['source']}, first games that designers want won: {one['words']}" for one in
                       references()["wanted"])  # fmt: skip
    return f"Band: {band['words']}, {band['low']} to {band['high']}% ({band['source']}). {wanted}."


def draw(rows: Mapping[str, Sequence[Placed]], title: str, setups: Sequence[Setup]) -> Figure:
    """Draw a row per level; printed variants are dots with a number, a diamond is yours."""
    names = list(dict.fromkeys(placed.name for row in rows.values() for placed in row if not placed.own))
    own = next((placed.name for row in rows.values() for placed in row if placed.own), "")

    def paint(figure: Any) -> None:
        ax, band = figure.subplots(), references()["band"]
        ax.axvspan(band["low"], band["high"], color="C2", alpha=0.15, linewidth=0, zorder=0)
        ax.text((band["low"] + band["high"]) / 2, -0.95, band["words"], ha="center", va="bottom", fontsize=8.5)
        for y, row in enumerate(rows.values()):
            ax.plot([0, 100], [y, y], color="#d9d9d9", linewidth=2, zorder=1)
            others = [placed for placed in row if not placed.own]
            for placed, line in zip(others, number_lines(others), strict=True):
                _mark(ax, placed, y)
                number = names.index(placed.name) + 1
                ax.text(
                    scaled(placed.win)[1], y - ABOVE - APART * line, str(number), ha="center", va="center", fontsize=8
                )
            for placed in row:
                if placed.own:
                    _mark(ax, placed, y)
        ax.set_yticks(range(len(rows)), list(rows))
        ax.set_ylim(len(rows) - 0.6, -1.1)
        ax.set_xlim(-2, 102)
        ax.set_xticks([0, 25, 50, 75, 100], ["impossible", "25%", "50%", "75%", "a gift"])

    legend = "   ".join([*([f"◆ {own}"] if own else []), *(f"{i} {name}" for i, name in enumerate(names, 1))])
    caption = f"{legend}\nGames won; bars are 95% intervals."
    return make_figure(title, caption, (8, 1.9 + ROW * len(rows)), paint, setups)


def number_lines(row: Sequence[Placed]) -> list[int]:
    """In which line above the dots each number stands, so that none covers another."""
    lines, last = [0] * len(row), list[float]()
    for i in sorted(range(len(row)), key=lambda i: row[i].win.value):
        value = scaled(row[i].win)[1]
        free = next((line for line, end in enumerate(last) if value - end >= NEAR), len(last))
        last[free : free + 1] = [value]
        lines[i] = free
    return lines


def _mark(ax: Any, placed: Placed, y: float) -> None:
    low, value, high = scaled(placed.win)
    colour, mark, size = ("C3", "D", 8) if placed.own else (QUIET, "o", 4.5)
    ax.plot([low, high], [y, y], color=colour, linewidth=1.2, solid_capstyle="butt", zorder=2)
    ax.plot([value], [y], marker=mark, color=colour, markersize=size, zorder=3 + placed.own)
