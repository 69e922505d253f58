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
ABOVE, SOFT = 0.2, 0.2  # of a row: how far above the marks a number stands, and half the height of a band
COLOURS, MARKS = ("C0", "C1", "C4", "C5", "C6", QUIET), "osv^P"


@dataclass(frozen=True)
class Placed:
    """What one variant gives one level."""

    name: str
    win: Estimate
    own: bool  # whether it is the variant that the report is about


@lru_cache
def references() -> Mapping[str, Any]:
    """A public statement about wanted win rates, with its source."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def reference_words() -> str:
    """The band in one sentence."""
    band = references()["band"]
    return f"Band: {band['words']}, {band['low']} to {band['high']}% ({band['source']})."


def draw(rows: Mapping[str, Sequence[Placed]], title: str, setups: Sequence[Setup]) -> Figure:
    """Draw a row per level: soft bands are intervals, a diamond is your own variant."""
    names = list(dict.fromkeys(placed.name for row in rows.values() for placed in row))

    def paint(figure: Any) -> None:
        ax, band = figure.subplots(), references()["band"]
        ax.axvspan(band["low"], band["high"], color="C2", alpha=0.12, linewidth=0, zorder=0)
        ax.text((band["low"] + band["high"]) / 2, -0.95, band["words"], ha="center", va="bottom", fontsize=8.5)
        for y, row in enumerate(rows.values()):
            ax.plot([0, 100], [y, y], color="#e4e4e4", linewidth=1, zorder=1)
            for placed in row:
                low, value, high = scaled(placed.win)
                colour, mark = _look(placed, names)
                ax.fill_between([low, high], y - SOFT, y + SOFT, color=colour, alpha=0.25, linewidth=0, zorder=2)
                ax.plot(
                    [value], [y], marker=mark, color=colour, markersize=8 if placed.own else 6, zorder=3 + placed.own
                )
            shown = next((placed for placed in row if placed.own), row[0])
            ax.text(scaled(shown.win)[1], y - ABOVE, shown.win.short(), ha="center", va="bottom", fontsize=9)
        for placed in {placed.name: placed for row in rows.values() for placed in row}.values():
            colour, mark = _look(placed, names)
            ax.plot([], [], marker=mark, color=colour, linestyle="", label=placed.name)
        ax.legend(loc="upper right", fontsize=8.5, frameon=False)
        ax.set_yticks(range(len(rows)), list(rows))
        ax.set_ylim(len(rows) - 0.5, -1.1)
        ax.set_xlim(-2, 102)
        ax.set_xticks([0, 25, 50, 75, 100], ["impossible", "25%", "50%", "75%", "a gift"])

    return make_figure(
        title, "Games won; soft bands are 95% intervals.", (8, 1.9 + ROW * len(rows)), paint, setups=setups
    )


def _look(placed: Placed, names: Sequence[str]) -> tuple[str, str]:
    """Colour and mark of a variant."""
    if placed.own:
        return "C3", "D"
    number = names.index(placed.name)
    return COLOURS[number % len(COLOURS)], MARKS[number % len(MARKS)]
