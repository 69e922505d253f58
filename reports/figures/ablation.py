"""The figure of `houle ablate`: what it costs never to make a kind of move, or to ignore a rule of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from houle.analysis.result import setup_title
from houle.analysis.stats.estimate import Estimate
from houle.analysis.strategy.ablation import Ablation
from houle.reports.figures.style import QUIET, UNSURE, interval_rows, make_figure

ROW = 0.34  # inches
PANELS = (("never", "Never makes this move", "C0"), ("without", "Ignores this rule of thumb", "C1"))
COST = "games won, points lost"


def draw(result: Ablation) -> Figure:
    """Draw what each omission costs, the largest certain cost on top."""
    panels = []
    for option, title, colour in PANELS:
        restrictions = [restriction for restriction in result.rows if restriction.option == option]
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
        lost = f"{result.goal.title}, {result.goal.score} lost" if result.goal.is_score else COST
        axes[-1].set_xlabel(lost, loc="left")

    setup = result.setup
    who = "all players do so" if result.one_sided else "one side does so, from every seat in turn"
    caption = f"{who}; {cost_caption(result)}"
    size = (8.5, 1.4 + 0.5 * len(heights) + ROW * sum(heights))
    return make_figure(
        f"{setup_title(setup)}: what {result.strategy.text} loses without a rule",
        caption,
        size,
        paint,
        [setup],
    )


def cost_rows(ax: Any, rows: Sequence[tuple[str, Estimate, bool]], colour: str) -> None:
    """Draw costs in percentage points, grey if they may be 0."""
    ax.axvline(0, color=QUIET, linewidth=1)
    interval_rows(ax, [(label, cost, colour if stands else UNSURE) for label, cost, stands in rows])


def cost_caption(result: Ablation) -> str:
    """How much was played, and how to read the bars."""
    played = f"{result.games:,} deals, seed {result.seed}"
    return f"{played};\nbars are 95% intervals; grey: may be 0, tested together"
