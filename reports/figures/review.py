"""The figure of `houle review`: the chance of a side over the game, moved by its choices and by all the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.play.review import Review, side_words
from houle.reports.figures.style import make_figure
from houle.reports.names import table_title

OWN, REST = "#c2410c", "#0b5a8a"
MOST_NAMED = 3  # costly moves that are named in the figure


def draw(result: Review, path: Path | None = None, side: int = 0) -> Figure:
    """Before and after every decision of the side; own losses are thick, what happened between them is thin."""
    decisions, account = result.of_side(side), result.account(side)
    costly = {one.number for one in result.deciding(side)[:MOST_NAMED] if one.loss.low > 0}

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        for one, then in zip(decisions, [*decisions[1:], None], strict=True):
            before, after = 100 * one.before.value, 100 * one.after.value
            ax.fill_between(
                [one.number - 0.3, one.number + 0.3], 100 * one.after.low, 100 * one.after.high, color=REST, alpha=0.15,
                linewidth=0,
            )  # fmt: skip
            ax.plot([one.number, one.number], [before, after], color=OWN, linewidth=3.5, solid_capstyle="butt")
            end = (result.moves + 1, 100 * account.result) if then is None else (then.number, 100 * then.before.value)
            ax.plot([one.number, end[0]], [after, end[1]], color=REST, linewidth=1.2)
            if one.number in costly:
                ax.annotate(
                    f"{one.number}: -{before - after:.0f}", (one.number, after), xytext=(0, -11),
                    textcoords="offset points", ha="center", color=OWN, fontsize=9,
                )  # fmt: skip
        ax.plot(result.moves + 1, 100 * account.result, "o", color=REST)
        ax.set_ylim(-8, 104)
        ax.set_ylabel("chance to win, %")
        ax.set_xlabel("move")

    caption = (
        f"Thick: what a choice of {side_words(result.setup, side)} lost, with its move's number where it is certain; "
        f"thin: all the rest (draws, other hands, other players' choices).\nEvery chance from {result.worlds // 2:,} "
        f"imagined worlds on what the seat to move knew, played on by thumbs; shades are 95% intervals; seed "
        f"{result.seed}"
    )
    title = f"{table_title(result.setup)}: the chance over the game"
    return make_figure(title, caption, (10.5, 4.2), paint, path, [result.setup])
