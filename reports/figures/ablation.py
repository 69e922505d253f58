"""The figure of restricted play: what it costs never to make a sort of move, or to ignore a rule of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from houle.analysis.stats.intervals import Interval
from houle.analysis.strategy.ablation import Ablation
from houle.reports.figures.style import QUIET, UNSURE, interval_rows, make_figure
from houle.reports.names import table_title

ROW = 0.34  # inches per restriction
PANELS = (("never", "May never make this move", "C0"), ("without", "Ignores this rule of thumb", "C1"))
COST = "points of the win rate lost"


def draw(result: Ablation, path: Path | None = None) -> Figure:
    """Draws what each restriction costs, what certainly costs most on top."""
    panels = []
    for option, title, colour in PANELS:
        restrictions = [restriction for restriction in result.restrictions if restriction.option == option]
        rows = [(one.name.replace("_", " "), one.cost, one.stands) for one in restrictions]
        if costs := [(label, cost, stands) for label, cost, stands in rows if cost]:
            panels.append((title, colour, costs))
    heights = [len(rows) for _, _, rows in panels] or [1]

    def paint(figure: Any) -> None:
        axes = figure.subplots(
            len(heights), 1, gridspec_kw={"height_ratios": heights}, sharex=True, squeeze=False
        )[:, 0]  # fmt: skip
        for ax, (title, colour, rows) in zip(axes, panels, strict=False):
            cost_rows(ax, rows, colour)
            ax.set_title(title)
            ax.margins(x=0.12)
        axes[-1].xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes[-1].set_xlabel(COST, loc="left")

    setup = result.setup
    who = "all players are restricted" if result.one_sided else "one side is restricted, from every seat in turn"
    caption = f"{who}; {cost_caption(result)}"
    size = (8.5, 1.4 + 0.5 * len(heights) + ROW * sum(heights))
    return make_figure(
        f"{table_title(setup)}: what {result.strategy.text} would lose", caption, size, paint, path, [setup]
    )


def cost_rows(ax: Any, rows: Sequence[tuple[str, Interval, bool]], colour: str) -> None:
    """Costs in percentage points, grey where they may be nothing, all of them looked at together."""
    ax.axvline(0, color=QUIET, linewidth=1)
    interval_rows(ax, [(label, cost, colour if stands else UNSURE) for label, cost, stands in rows], _points)


def cost_caption(result: Ablation) -> str:
    """How much was played, and how the bars are read."""
    played = f"{result.games:,} deals, seed {result.seed}"
    return f"{played};\nbars are 95% intervals clustered by deal; grey ones may be nothing (Holm)"


def _points(cost: Interval) -> str:
    return f"{100 * cost.value:.1f}".replace("-0.0", "0.0")
