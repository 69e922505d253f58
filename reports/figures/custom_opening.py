"""The figure of a given opening: wins and scores of every side with it and with a random deal."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from houle.analysis.fairness.custom_opening import CustomOpening
from houle.analysis.result import setup_title
from houle.analysis.sampling.grid import short_line_up
from houle.reports.figures.style import interval_bar, make_figure, wins_axis
from houle.solver.language.seats import from_1

LANES = ((-0.15, "C0", "this opening"), (0.15, "C1", "random deal"))  # height, colour and name


def draw(result: CustomOpening) -> Figure:
    """Draw wins on the left, scores on the right."""
    sides, setup = result.sides, result.setup

    def paint(figure: Any) -> None:
        wins, scores = figure.subplots(1, 2, sharey=True)
        for row, side in enumerate(sides):
            for ax, intervals in ((wins, (side.win, side.free_win)), (scores, (side.score, side.free_score))):
                for (height, colour, name), interval in zip(LANES, intervals, strict=True):
                    text = interval.short() + f"  {name}" * (row == 0)
                    interval_bar(ax, interval, row + height, colour, text)
        wins_axis(wins, 0.45)
        scores.margins(x=0.45)
        wins.set_yticks(range(len(sides)), [from_1(side.name) for side in sides], fontsize=11)
        wins.set_ylim(len(sides) - 0.4, -0.6)
        scores.set_title(f"Mean {setup.score.replace('_', ' ')}")

    caption = (
        f"{short_line_up(result.strategies)} players; {result.games:,} games of each, seed {result.seed}; bars are 95% "
        "intervals, some narrower than the dots"
    ) + (f"\n{result.remark}" if result.remark else "")
    size = (10.5, 1.7 + 0.8 * len(sides))
    return make_figure(f"{setup_title(setup)}: {result.opening}", caption, size, paint, [setup])
