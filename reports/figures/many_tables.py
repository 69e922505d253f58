"""Figures of many tables at once: for whom each is hard, and in which of the rulebook's bands it ends."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houle.reports.context import variant
from houle.reports.figures.style import QUIET, percent_axis, picture

if TYPE_CHECKING:
    from houle.analysis.difficulty.bracket import Bracket, Level

WIDTH = 7.4  # inches
ROW = 0.42  # per variant
COLOURS = {"random": "#7a7a7a", "greedy": "C5", "novice": "C4", "thumb": "C0", "flat": "C2", "ismcts": "C2",
           "clairvoyant": "C3"}  # fmt: skip
MARKS = {"random": "o", "greedy": "^", "novice": "^", "thumb": "s", "flat": "D", "ismcts": "D", "clairvoyant": "|"}


def kind(level: Level) -> str:
    return level.strategy.partition(":")[0].partition("[")[0]


def draw_brackets(brackets: Sequence[Bracket], path: Path) -> None:
    """A panel per number of players, a row per variant, a mark per kind of player."""
    counts = list(dict.fromkeys(one.setup.players for one in brackets))
    variants = list(dict.fromkeys(variant(one.setup) for one in brackets))
    kinds = list(dict.fromkeys(kind(level) for one in brackets for level in one.levels))

    def paint(figure: Any) -> None:
        panels = figure.subplots(1, len(counts), sharey=True, sharex=True, squeeze=False)[0]
        for ax, players in zip(panels, counts, strict=True):
            for one in brackets:
                if one.setup.players == players:
                    _row(ax, one, variants.index(variant(one.setup)))
            ax.set_title(f"{players} player" + ("" if players == 1 else "s"))
            ax.set_xlim(-3, 103)
            ax.set_xticks([0, 25, 50, 75, 100])
            percent_axis(ax.xaxis)
            ax.tick_params(axis="x", labelsize=8)
        panels[0].set_yticks(range(len(variants)), variants)
        panels[0].set_ylim(len(variants) - 0.4, -0.6)
        handles = [
            panels[0].plot([], [], MARKS[name], color=COLOURS[name], label=name, markeredgewidth=2)[0] for name in kinds
        ]
        figure.legend(handles=handles, loc="outside upper right", ncols=len(kinds), fontsize=9, handletextpad=0.2)

    title = f"{brackets[0].setup.ruleset.title}: games won"
    picture(path, title, caption(brackets), (WIDTH, 1.9 + ROW * len(variants)), paint)


def _row(ax: Any, one: Bracket, y: int) -> None:
    values = [100 * level.win.value for level in one.levels]
    ax.plot([min(values), max(values)], [y, y], color="#d9d9d9", linewidth=3, solid_capstyle="round", zorder=1)
    for level in one.levels:
        name = kind(level)
        low, value, high = (100 * end for end in (level.win.low, level.win.value, level.win.high))
        ax.plot([low, high], [y, y], color=COLOURS[name], linewidth=1.2, solid_capstyle="butt", zorder=2)
        ax.plot([value], [y], MARKS[name], color=COLOURS[name], markersize=6, markeredgewidth=2 if name ==
                "clairvoyant" else 0, zorder=3)  # fmt: skip


def caption(brackets: Sequence[Bracket]) -> str:
    """What was played, for everything that these tables show together."""
    first = brackets[0]
    games = sorted({level.tally.games for one in brackets for level in one.levels}, reverse=True)
    strategies = list(dict.fromkeys(level.strategy for one in brackets for level in one.levels))
    number = " or ".join(f"{count:,}" for count in games)
    return (
        f"{first.setup.ruleset.title}; strategies {', '.join(strategies)}; {number} deals of a table, "
        f"seed {first.seed};\nbars are 95% intervals, most of them narrower than the marks"
    )


def draw_bands(brackets: Sequence[Bracket], strategy: str, path: Path) -> None:
    """How one kind of player ends at every table, in the rulebook's bands."""
    from matplotlib import colormaps

    rows = [(one, level) for one in brackets for level in one.levels if level.strategy == strategy]
    own = rows[0][1].bands
    colours = [colormaps["cividis"](0.08 + 0.9 * (1 - i / max(1, len(own) - 1))) for i in range(len(own))]

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        for y, (_, level) in enumerate(rows):
            left = 0.0
            for i, found in enumerate(level.shares):
                width = 100 * found.value
                ax.barh(y, width, left=left, height=0.7, color=colours[i], label=own[i].label if y == 0 else None)
                if width >= 6:
                    ink = "black" if i < len(own) / 2 else "white"
                    ax.text(left + width / 2, y, f"{width:.0f}", ha="center", va="center", fontsize=8.5, color=ink)
                left += width
        names = [f"{variant(one.setup)}, {one.setup.players}" for one, _ in rows]
        ax.set_yticks(range(len(rows)), names, fontsize=9)
        ax.set_ylim(len(rows) - 0.5, -0.5)
        ax.set_xlim(0, 100)
        ax.grid(False)
        percent_axis(ax.xaxis)
        score = rows[0][0].setup.score.replace("_", " ")
        handles, labels = ax.get_legend_handles_labels()
        figure.legend(handles, labels, title=f"{score}", title_fontsize=9, loc="outside upper right",
                      ncols=len(own), fontsize=9)  # fmt: skip

    first = brackets[0]
    games = rows[0][1].tally.games
    text = (
        f"{first.setup.ruleset.title}, variant and number of players; everyone plays {strategy}; {games:,} deals of a "
        f"table, seed {first.seed};\nintervals are in the table below"
    )
    picture(path, f"{first.setup.ruleset.title}: how games end", text, (WIDTH, 1.7 + 0.3 * len(rows)), paint)


def draw_costs(rows: Sequence[tuple[str, Any]], title: str, text: str, path: Path) -> None:
    """Sentences with what each is worth, in percentage points, the dearest on top."""
    import textwrap

    def paint(figure: Any) -> None:
        ax = figure.subplots()
        ax.axvline(0, color=QUIET, linewidth=1)
        for y, (_, cost) in enumerate(rows):
            shade = "#888888" if cost.low <= 0 <= cost.high else "C0"
            ax.plot([100 * cost.low, 100 * cost.high], [y, y], color=shade, solid_capstyle="butt")
            ax.plot([100 * cost.value], [y], "o", color=shade)
            ax.annotate(f"{100 * cost.value:.1f}", (100 * cost.high, y), (6, 0), textcoords="offset points",
                        color=shade, va="center", fontsize=9)  # fmt: skip
        ax.set_yticks(range(len(rows)), [textwrap.fill(name, 46) for name, _ in rows], fontsize=8.5)
        ax.set_ylim(len(rows) - 0.5, -0.5)
        ax.margins(x=0.15)
        ax.set_xlabel("points of the win rate lost", loc="left", fontsize=9)

    picture(path, title, text, (WIDTH, 1.5 + 0.42 * len(rows)), paint)
