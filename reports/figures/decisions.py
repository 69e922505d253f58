"""The decisions figure: how much hangs on a decision from the first to the last, and how often it matters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

if TYPE_CHECKING:
    from houle.analysis.strategy.decisions import Decisions, Group

STYLE = Path(__file__).parent / "house.mplstyle"
QUIET = "#555555"
STAKES = (
    ("random", "best against random", "C0"),
    ("second", "against second best", "C1"),
    ("thumb", "against the thumb's own", "C2"),
)
SHARES = (("matters", "matters (of all choices)", "C0"), ("forced", "no choice (of all decisions)", "#888888"))
APART = 0.12  # phases between the bars of two lines
LINE = 0.07  # of the height, for a line of text


def draw(result: Decisions, path: Path) -> None:
    """Draws the phases of the game into a picture file."""
    phases = [group for group in result.groups if group.part == "phase"]
    title = f"{result.setup.ruleset.title}, {result.setup.players} players: what hangs on a decision"
    with plt.style.context([str(STYLE), {"axes.grid.axis": "y"}]):
        figure, (stakes, matters) = plt.subplots(1, 2, figsize=(10.5, 4.4), layout="constrained")
        _panel(stakes, phases, STAKES, 1)
        stakes.set_title("Stakes (measure of the end, 0 to 1)")
        _panel(matters, phases, SHARES, 100)
        matters.set_title("How often it matters")
        matters.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}%"))
        figure.suptitle(title, x=0.01, ha="left", fontweight="bold", fontsize=13)
        figure.supxlabel(_caption(result), x=0.01, ha="left", fontsize=8, color=QUIET)
        figure.savefig(path)
        plt.close(figure)


def _panel(ax: Any, phases: list[Group], lines: tuple[tuple[str, str, str], ...], scale: float) -> None:
    last = len(phases) - 1
    ax.plot([-0.5, last + 0.5], [0, 0], color=QUIET, linewidth=1, zorder=1)
    ends = []
    for number, (name, label, colour) in enumerate(lines):
        found = [(i, group.estimates[name]) for i, group in enumerate(phases) if group.estimates[name].n]
        if not found:
            continue
        shift = APART * (number - (len(lines) - 1) / 2)
        ax.plot(
            [i + shift for i, _ in found], [scale * one.value for _, one in found], "o-", color=colour, markersize=4
        )
        for i, one in found:
            ends_of_bar = [scale * one.low, scale * one.high]
            ax.plot([i + shift] * 2, ends_of_bar, color=colour, linewidth=1, solid_capstyle="butt")
        ends.append((scale * found[-1][1].value, label, colour))
    ax.set_xticks(range(len(phases)), [f"{(2 * i + 1) * 50 // len(phases)}%" for i in range(len(phases))])
    ax.set_xlim(-0.5, last + 5)  # room for the names of the lines
    ax.set_xlabel("how far the game is", loc="left")
    low, high = ax.get_ylim()
    _names(ax, ends, last + 0.6, LINE * (high - low))


def _names(ax: Any, ends: list[tuple[float, str, str]], x: float, least: float) -> None:
    """The name of every line beside its end, none upon another."""
    before = -float("inf")
    for y, label, colour in sorted(ends):
        before = max(y, before + least)
        ax.text(x, before, label, color=colour, va="center", fontsize=8.5)


def _caption(result: Decisions) -> str:
    variants = "+".join(result.setup.variants) or "base game"
    return (
        f"{result.setup.ruleset.name}, {variants}, {result.strategy} in every seat; {result.games:,} games of seed "
        f"{result.seed}, {result.whole.decisions:,} decisions; bars are 95% intervals clustered by game"
    )
