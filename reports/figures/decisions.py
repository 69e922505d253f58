"""The figure of decisions: what a decision is worth from start to end of a game, and how often it matters."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from houle.analysis.explain.decisions import DecisionGroup, Decisions
from houle.analysis.result import setup_title
from houle.reports.figures.style import QUIET, UNSURE, make_figure, panel_rows, percent_axis, side_by_side

STAKES = (
    ("random", "best move over a random one", "C0"),
    ("second", "over the second best", "C1"),
)
SHARES = (("matters", "matters, at least (of all choices)", "C0"), ("forced", "no choice (of all decisions)", UNSURE))
ROOM = 0.13  # of a panel's height, for the name of each line
SHIFT = 0.12  # phases between the bars of two lines


def draw(result: Decisions) -> Figure:
    """Draw the phases of the game."""
    phases = result.phases

    def paint(figure: Any) -> None:
        stakes, matters = side_by_side(figure, 2)
        _panel(stakes, phases, STAKES, 1)
        stakes.set_title("Value of the best move (0 to 1)")
        _panel(matters, phases, SHARES, 100)
        matters.set_title("How often it matters")
        percent_axis(matters.yaxis)

    setup = result.setup
    caption = (
        f"players follow the rules of thumb, {result.search.text} judges; {result.games:,} games, "
        f"{result.whole.decisions:,} decisions, seed {result.seed}; bars are 95% intervals"
    )
    title = f"{setup_title(setup)}: which decisions matter"
    return make_figure(title, caption, (8, 3.9), paint, [setup], rows=panel_rows(2))


def _panel(ax: Any, phases: list[DecisionGroup], lines: tuple[tuple[str, str, str], ...], scale: float) -> None:
    last = len(phases) - 1
    ax.grid(False)
    ax.grid(True, axis="y")
    ax.plot([-0.5, last + 0.5], [0, 0], color=QUIET, linewidth=1, zorder=1)
    for number, (name, label, colour) in enumerate(lines):
        points = [(i, group.estimates[name]) for i, group in enumerate(phases) if group.estimates[name].n]
        if not points:
            continue
        shift = SHIFT * (number - (len(lines) - 1) / 2)
        heights = [scale * at.value for _, at in points]
        ax.plot([i + shift for i, _ in points], heights, "o-", color=colour, markersize=4, label=label)
        for i, at in points:
            ends_of_bar = [scale * at.low, scale * at.high]
            ax.plot([i + shift] * 2, ends_of_bar, color=colour, linewidth=1, solid_capstyle="butt")
    ax.set_xticks(range(len(phases)), [f"{(2 * i + 1) * 50 // len(phases)}%" for i in range(len(phases))])
    ax.set_xlim(-0.5, last + 0.5)
    ax.set_xlabel("how far the game is", loc="left")
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + ROOM * len(lines) * (high - low))
    if ax.get_legend_handles_labels()[0]:  # a game without choices has no lines
        ax.legend(loc="upper left", borderaxespad=0, labelcolor="linecolor", handlelength=1.2)
