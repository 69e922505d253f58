"""The figure of `houle setups`: a dot for every level of the facts that tell most, with intervals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.reports.figures.style import bar, percent_axis, picture

if TYPE_CHECKING:
    from houle.analysis.fairness.custom_opening import Arranged
    from houle.analysis.fairness.openings import FactTable, Setups

MOST_FACTS = 6
ROW = 0.24  # inches per level
LOUD, EVEN = "C0", "#999999"  # an interval that leaves out the mean, or holds it


def draw(result: Setups, path: Path) -> None:
    """The strongest facts: wins on the left, scores on the right, both as differences from all starts."""
    tables = result.tables[:MOST_FACTS]
    rows = sum(len(table.levels) + 1.3 for table in tables)
    height = 1.6 + ROW * rows
    cards = result.travel.worths if result.travel is not None else ()
    if cards:
        height += 3.2

    def paint(figure: Any) -> None:
        upper = figure
        if cards:
            upper, lower = figure.subfigures(2, 1, height_ratios=(height - 4.0, 3.4))
            _worths(lower.subplots(), cards, result.played.score)
        wins, scores = upper.subplots(1, 2, sharey=True)
        _fill(wins, scores, tables)
        percent_axis(wins.xaxis)
        wins.set_title("Wins, in points more than all starts")
        scores.set_title(f"{result.played.score.replace('_', ' ').capitalize()}, more than all starts")

    picture(path, _title(result), _caption(result), (10.5, height), paint)


def _fill(wins: Any, scores: Any, tables: tuple[FactTable, ...]) -> None:
    y, ticks, names = 0.0, [], []
    for table in tables:
        wins.annotate(table.about, (0, y), (0, 0), xycoords=("axes fraction", "data"), textcoords="offset points",
                      fontsize=8.5, fontweight="bold", va="center", zorder=5,
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8})  # fmt: skip
        y += 1
        for level in table.levels:
            ticks.append(y)
            names.append(level.level)
            for ax, more, scale in ((wins, level.win_more, 100), (scores, level.score_more, 1)):
                colour = EVEN if more.low <= 0 <= more.high else LOUD
                ax.plot([scale * more.low, scale * more.high], [y, y], color=colour, solid_capstyle="butt")
                ax.plot([scale * more.value], [y], "o", color=colour, markersize=4.5)
            y += 1
        y += 0.3
    for ax in (wins, scores):
        ax.axvline(0, color="#444444", linewidth=0.9, zorder=1)
    wins.set_yticks(ticks, names, fontsize=8.5)
    wins.set_ylim(y - 0.3, -0.7)


def _worths(ax: Any, cards: Any, score: str) -> None:
    for card, worth in cards:
        colour = EVEN if worth.low <= 0 <= worth.high else LOUD
        ax.plot([card, card], [worth.low, worth.high], color=colour, solid_capstyle="butt")
        ax.plot([card], [worth.value], "o", color=colour, markersize=4)
    ax.axhline(0, color="#444444", linewidth=0.9, zorder=1)
    ax.grid(axis="y")
    ax.set_title(f"Worth of a weather card in a pack: {score} a round more than an average card")
    ax.set_xlabel("weather card")
    ax.margins(x=0.02)


def _title(result: Setups) -> str:
    setup = result.setup
    return f"{setup.ruleset.title}, {setup.players} players: what the start tells"


def _caption(result: Setups) -> str:
    names = sorted(set(result.strategies))
    text = f"{' + '.join(result.setup.variants) or 'base game'}; everyone plays {', '.join(names)}; "
    text += f"{result.games:,} games, seed {result.seed}; bars are 95% intervals, grey where they hold 0"
    return text + (f"\n{result.remark}" if result.remark else "")


def draw_arranged(result: Arranged, path: Path) -> None:
    """Every side with the setup and with the free deal: wins on the left, scores on the right."""
    sides = result.sides

    def paint(figure: Any) -> None:
        wins, scores = figure.subplots(1, 2, sharey=True)
        for row, side in enumerate(sides):
            pairs = ((wins, (side.win, side.free_win), 100), (scores, (side.score, side.free_score), 1))
            for ax, intervals, scale in pairs:
                for lane, colour, name, one in zip((-0.15, 0.15), ("C0", "C1"), NAMES, intervals, strict=True):
                    text = f"{scale * one.value:.3g}" + ("%" if scale == 100 else "") + (f"  {name}" * (row == 0))
                    bar(ax, (scale * one.low, scale * one.value, scale * one.high), row + lane, colour, text)
        percent_axis(wins.xaxis)
        for ax in (wins, scores):
            ax.margins(x=0.45)
            ax.set_ylim(len(sides) - 0.4, -0.6)
        wins.set_xlim(left=max(wins.get_xlim()[0], -2))
        wins.set_yticks(range(len(sides)), [side.name for side in sides], fontsize=11)
        wins.set_title("Games won")
        scores.set_title(f"Mean {result.setup.score.replace('_', ' ')}")

    setup = result.setup
    names = sorted(set(result.strategies))
    caption = (
        f"{' + '.join(setup.variants) or 'base game'}; everyone plays {', '.join(names)}; {result.games:,} games of "
    )
    caption += f"each, seed {result.seed}; bars are 95% intervals, some narrower than the dots"
    title = f"{setup.ruleset.title}, {setup.players} players: {result.wish}"
    picture(path, title, caption, (10.5, 1.7 + 0.8 * len(sides)), paint)


NAMES = ("this setup", "free deal")
