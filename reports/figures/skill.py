"""The figure of `houle skill`: what each player wins, and what decides a game: players, seat, deal, and the rest."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from houle.analysis.result import setup_title
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.strategy.skill import Skill
from houle.analysis.strategy.variance_shares import LuckShares
from houle.reports.figures.strength import strength_rows
from houle.reports.figures.style import QUIET, Row, interval_rows, make_figure, percent_axis, scaled
from houle.solver.texts import capital

ROW = 0.36  # inches per line

# What decides a win, in words.
PARTS = {
    "player": "who plays",
    "seat": "the seat",
    "deal": "the deal, for these players",
    "rest": "later luck and choices",
}


def draw(result: Skill) -> Figure:
    """Draw what each player wins and the parts of the variance."""
    rows = strength_rows(result.strength)
    if result.gap and result.gap.bound_win:
        rows.append(("possible with all cards known", result.gap.bound_win, QUIET))
    goal = result.strength.goal
    panels, decided = [(capital(goal.title), rows)], goal.pick("a win", f"the {goal.score}")
    if result.deal:
        shares = [(pair.label, part, "C1") for pair in result.deal.pairs if (part := pair.known(goal.measure))]
        panels.append((f"How much of {decided} the deal decides, for these players", shares))
    if result.mixed:
        shares = [(label, share, "C1") for label, share in variance_parts(result.mixed)]
        panels.append((f"What decides a win ({', '.join(result.mixed.strategies)})", shares))
    panels = [panel for panel in panels if panel[1]]
    heights = [len(rows) for _, rows in panels] or [1]

    def paint(figure: Any) -> None:
        axes = figure.subplots(len(heights), 1, gridspec_kw={"height_ratios": heights}, squeeze=False)[:, 0]
        for ax, (title, rows) in zip(axes, panels, strict=False):
            _panel(ax, title, rows)

    setup = result.setup
    caption = (
        f"{result.asked:,} deals, fewer with players that search; seed {result.seed}; what decides: shares of the "
        f"variance of {decided};\nbars are 95% intervals, some narrower than the dots"
    )
    size = (8.5, 1.5 + 0.6 * len(heights) + ROW * sum(heights))
    return make_figure(f"{setup_title(setup)}: skill and luck", caption, size, paint, [setup])


def variance_parts(luck: LuckShares) -> list[tuple[str, Estimate]]:
    """What decides a win, and how much of it; seats only if players compete, players only if they differ."""
    shares = luck.parts["win"]
    if shares is None:
        return []
    shown = {"deal": True, "rest": True, "player": luck.rotated, "seat": luck.competitive}
    return [(label, shares[part]) for part, label in PARTS.items() if shown[part]]


def _panel(ax: Any, title: str, rows: list[Row]) -> None:
    interval_rows(ax, rows)
    ax.axvline(0, color=QUIET, linewidth=1)
    ax.set_title(title)
    if all(interval.unit == PERCENT for _, interval, _ in rows):
        ax.set_xlim(min(-2.0, min(scaled(interval)[0] for _, interval, _ in rows)), 112)
        ax.set_xticks(range(0, 101, 20))
        percent_axis(ax.xaxis)
