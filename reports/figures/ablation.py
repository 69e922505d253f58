"""The figure of restricted play: what it costs never to make a sort of move, or to ignore a rule of thumb."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

if TYPE_CHECKING:
    from houle.analysis.strategy.ablation import Restricted, Restriction

STYLE = Path(__file__).parent / "house.mplstyle"
QUIET = "#555555"
ROW = 0.34  # inches per restriction
PANELS = (("never", "May never make this move", "C0"), ("without", "Ignores this rule of thumb", "C1"))


def draw(result: Restricted, path: Path) -> None:
    """Draws what each restriction costs into a picture file, the dearest on top."""
    panels = [
        (title, colour, rows)
        for option, title, colour in PANELS
        if (rows := [one for one in result.restrictions if one.option == option and one.cost])
    ]
    heights = [len(rows) for _, _, rows in panels] or [1]
    with plt.style.context(str(STYLE)):
        figure, axes = plt.subplots(
            len(heights), 1, figsize=(8.5, 1.4 + 0.5 * len(heights) + ROW * sum(heights)), layout="constrained",
            gridspec_kw={"height_ratios": heights}, sharex=True, squeeze=False,
        )  # fmt: skip
        for ax, (title, colour, rows) in zip(axes[:, 0], panels, strict=False):
            _panel(ax, title, colour, rows)
        axes[-1, 0].xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes[-1, 0].set_xlabel("points of the win rate lost", loc="left")
        headline = (
            f"{result.setup.ruleset.title}, {result.setup.players} players: what {result.strategy.text} would lose"
        )
        figure.suptitle(headline, x=0.01, ha="left", fontweight="bold", fontsize=13)
        figure.supxlabel(_caption(result), x=0.01, ha="left", fontsize=8, color=QUIET)
        figure.savefig(path)
        plt.close(figure)


def _panel(ax: Any, title: str, colour: str, rows: list[Restriction]) -> None:
    ax.axvline(0, color=QUIET, linewidth=1)
    for y, one in enumerate(rows):
        if one.cost is None:
            continue
        low, value, high = (100 * x for x in (one.cost.low, one.cost.value, one.cost.high))
        shade = "#888888" if low <= 0 <= high else colour
        ax.plot([low, high], [y, y], color=shade, solid_capstyle="butt")
        ax.plot([value], [y], "o", color=shade)
        text = f"{value:.1f}" if abs(value) >= 0.05 or low > 0 or high < 0 else "0.0"
        ax.annotate(text, (high, y), (6, 0), textcoords="offset points", color=shade, va="center", fontsize=8.5)
    ax.set_yticks(range(len(rows)), [one.name.replace("_", " ") for one in rows])
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_title(title)
    ax.margins(x=0.12)


def _caption(result: Restricted) -> str:
    setup = result.setup
    who = "all players are restricted" if result.together else "one side is restricted, from every seat in turn"
    return (
        f"{setup.ruleset.name}, {'+'.join(setup.variants) or 'base game'}; {who}; {result.deals:,} deals of seed "
        f"{result.seed};\nbars are 95% intervals clustered by deal; grey ones may be nothing"
    )
