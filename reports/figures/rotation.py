"""The figure of `houle simulate --rotate`: what every player wins and scores over all seats."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from houle.analysis.result import setup_title
from houle.analysis.sampling.rotation import Rotation
from houle.reports.figures.style import interval_bar, interval_rows, make_figure, wins_axis
from houle.solver.language.seats import from_1

ROW = 0.5  # inches per player


def draw(result: Rotation) -> Figure:
    """Draw wins on the left, scores on the right."""
    players, score = result.players, result.setup.score

    def paint(figure: Any) -> None:
        wins, scores = figure.subplots(1, 2, sharey=True)
        labels = [f"{from_1(player.name)}, {player.strategy}" for player in players]
        interval_rows(
            wins, [(label, player.win, "C0") for label, player in zip(labels, players, strict=True)]
        )  # fmt: skip
        for y, player in enumerate(players):
            interval_bar(scores, player.score, y, "C1", player.score.short())
        wins_axis(wins, 0.3)
        scores.margins(x=0.3)
        scores.set_title(f"Mean {score.replace('_', ' ')}")

    title = setup_title(result.setup)
    caption = (
        f"{result.games:,} deals, each played once with every rotation of the players, seed {result.seed};\n"
        "bars are 95% intervals"
    )
    return make_figure(title, caption, (10.5, 1.7 + ROW * len(players)), paint, [result.setup])
