"""The skill figure: what the strategies win, and what decides a game: who plays, the seat, the deal, the rest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

if TYPE_CHECKING:
    from houle.analysis.stats.intervals import Interval
    from houle.analysis.strategy.luck import Luck
    from houle.analysis.strategy.skill import Skill

STYLE = Path(__file__).parent / "house.mplstyle"
QUIET = "#555555"
ROW = 0.36  # inches per line
PARTS = {"player": "who plays", "seat": "the seat", "deal": "the deal", "rest": "chance and choices"}
Rows = list[tuple[str, "Interval", str]]  # name, estimate in percent, colour


def draw(result: Skill, path: Path) -> None:
    """Draws the ladder and the parts of the variance into a picture file."""
    panels = [("Games won", _ladder(result))]
    for table in (result.alike, result.mixed):
        rows = _parts(table) if table else []
        if table and rows:
            who = "everyone plays " + table.strategies[0] if not table.rotated else ", ".join(table.strategies)
            panels.append((f"What decides a win ({who})", rows))
    panels = [panel for panel in panels if panel[1]]
    heights = [len(rows) for _, rows in panels] or [1]
    with plt.style.context(str(STYLE)):
        figure, axes = plt.subplots(
            len(heights), 1, figsize=(8.5, 1.5 + 0.6 * len(heights) + ROW * sum(heights)), layout="constrained",
            gridspec_kw={"height_ratios": heights}, squeeze=False,
        )  # fmt: skip
        for ax, (title, rows) in zip(axes[:, 0], panels, strict=False):
            _panel(ax, title, rows)
        headline = f"{result.setup.ruleset.title}, {result.setup.players} players: skill and luck"
        figure.suptitle(headline, x=0.01, ha="left", fontweight="bold", fontsize=13)
        figure.supxlabel(_caption(result), x=0.01, ha="left", fontsize=8, color=QUIET)
        figure.savefig(path)
        plt.close(figure)


def _ladder(result: Skill) -> Rows:
    rows: Rows = []
    for rung in result.ladder.rungs:
        if rung.win:
            against = f" against {rung.below}" if result.ladder.fair is not None else ""
            rows.append((rung.strategy + against, rung.win, "C0"))
    if result.relative and result.relative.bound_win:
        rows.append(("proven possible", result.relative.bound_win, QUIET))
    return rows


def _parts(table: Luck) -> Rows:
    shares = table.parts["win"]
    if shares is None:
        return []
    shown = [part for part in PARTS if part in ("deal", "rest") or (part == "player" and table.rotated)
             or (part == "seat" and table.competitive)]  # fmt: skip
    return [(PARTS[part], shares[part], "C1") for part in shown]


def _panel(ax: Any, title: str, rows: Rows) -> None:
    for y, (_, one, colour) in enumerate(rows):
        low, value, high = (100 * x for x in (one.low, one.value, one.high))
        ax.plot([low, high], [y, y], color=colour, solid_capstyle="butt")
        ax.plot([value], [y], "o", color=colour)
        text = f"{value:.1f}%"
        ax.annotate(text, (high, y), (6, 0), textcoords="offset points", color=colour, va="center", fontsize=8.5)
    ax.axvline(0, color=QUIET, linewidth=1)
    ax.set_yticks(range(len(rows)), [name for name, _, _ in rows])
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xlim(min(-2.0, min(100 * one.low for _, one, _ in rows)), 112)
    ax.set_xticks(range(0, 101, 20))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}%"))
    ax.set_title(title)


def _caption(result: Skill) -> str:
    setup = result.setup
    deals = result.alike.deals if result.alike else 0
    takes = result.alike.takes if result.alike else 0
    return (
        f"{setup.ruleset.name}, {'+'.join(setup.variants) or 'base game'}; seed {result.seed}; what decides: shares of "
        f"the variance of a win, {deals:,} deals, each {takes} times;\n"
        "bars are 95% intervals, some narrower than the dots"
    )
