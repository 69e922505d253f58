"""The figure of `houle review`: the chance of a side to win, changed by its choices and by everything else."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from houle.analysis.play.review import Review, side_words
from houle.analysis.result import setup_title
from houle.reports.figures.style import make_figure

OWN, REST = "#c2410c", "#0b5a8a"
MOST_NAMED = 3  # costly moves that are named in the figure


def draw(result: Review, side: int = 0) -> Figure:
    """Draw the chance before and after every decision; thick: lost by choices, thin: everything else."""
    decisions, account = result.of_side(side), result.account(side)
    goal = result.goal
    what, percent = goal.pick("chance to win", f"{goal.score} to expect"), goal.pick(100, 1)
    low = goal.pick(0, goal.setup.score_range[0])
    costly = {one.number for one in result.deciding(side)[:MOST_NAMED]}

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        for one, then in zip(decisions, [*decisions[1:], None], strict=True):
            before, after = percent * one.before.value, percent * one.after.value
            ax.fill_between(
                [one.number - 0.3, one.number + 0.3],
                percent * one.after.low,
                percent * one.after.high,
                color=REST,
                alpha=0.15,
                linewidth=0,
            )
            ax.plot([one.number, one.number], [before, after], color=OWN, linewidth=3.5, solid_capstyle="butt")
            end = (
                (result.moves + 1, percent * account.result)
                if then is None
                else (then.number, percent * then.before.value)
            )
            ax.plot([one.number, end[0]], [after, end[1]], color=REST, linewidth=1.2)
            if one.number in costly:
                ax.annotate(
                    f"{one.number}: {one.loss.scale(-1).parts(result.digits)[0]}",
                    (one.number, after),
                    xytext=(0, -11),
                    textcoords="offset points",
                    ha="center",
                    color=OWN,
                    fontsize=9,
                )
        ax.plot(result.moves + 1, percent * account.result, "o", color=REST)
        ax.set_ylim(percent * (low - 0.08 * goal.span), percent * (low + 1.04 * goal.span))
        ax.set_ylabel(goal.pick(f"{what}, %", what))
        ax.set_xlabel("move")

    caption = (
        f"Thick: lost by choices of {side_words(result.setup, side)}, with the move's number if the loss is certain; "
        f"thin: cards and other players.\nEvery chance is from {result.worlds // 2:,} imagined deals that fit what the "
        f"player knew, played on by rules of thumb; shades are 95% intervals; seed {result.seed}"
    )
    title = f"{setup_title(result.setup)}: the {what}, move by move"
    return make_figure(title, caption, (10.5, 4.2), paint, setups=[result.setup])
