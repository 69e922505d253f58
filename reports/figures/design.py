"""The figure of `houle design`: the proposed settings and the target, or the possible trade-offs.

There is one panel for each target: its range as a band, new games as a bar, the games of the search as a hollow dot. If
two targets conflict, the figure shows all settings that were played and the front that no other setting beats in both.
"""

from __future__ import annotations

import math
from string import ascii_lowercase
from typing import Any

from matplotlib.figure import Figure

from houle.analysis.designing.design import Design
from houle.analysis.designing.space import AS_IT_IS, Setting
from houle.analysis.designing.wishes import Wish
from houle.analysis.measures.measures import is_percent, measure_title
from houle.analysis.result import setup_title
from houle.analysis.stats.estimate import Estimate
from houle.reports.figures.style import QUIET, interval_bar, make_figure, panel_rows, percent_axis, side_by_side

MOST_LETTERS = 5  # settings of the front that get a letter
BAND = {"color": "C2", "alpha": 0.18, "linewidth": 0}


def draw(result: Design) -> Figure:
    """Draw the proposals, or the trade-offs if two targets conflict."""
    trades = not result.found and len({wish.key for wish in result.wishes}) > 1
    number = len(result.wishes)

    def fill(figure: Any) -> None:
        if trades:
            _draw_trades(figure.subplots(), result)
            return
        for panel, wish in zip(side_by_side(figure, number, same_rows=True), result.wishes, strict=True):
            _draw_wish(panel, result, wish)

    wanted = " and ".join(result.asked_for)
    missed = "impossible with these changes" if result.impossible else "not found"
    headline = f"Target: {wanted}" + ("" if result.found else f"; {missed}")
    caption = (
        f"{setup_title(result.setup)}; {result.tried:,} settings and {result.games:,} games, seed {result.seed}. "
        + ("Dots: settings of the search; ringed: no other is nearer to both targets; diamond: now. "
           if trades else
           "Bars: new games, 95% intervals; hollow dots: games of the search. ")
        + "Shaded: the target."
    )  # fmt: skip
    if trades:
        caption += "\n" + "; ".join(f"{letter}: {result.space.label(one)}" for letter, one in lettered(result))
    height = 4.5 if trades else 2.2 + 0.45 * (len(result.proposals) + 1)
    rows = 1 if trades else panel_rows(number)
    return make_figure(headline, caption, (8.0, height), fill, [result.setup], rows=rows)


def lettered(result: Design) -> list[tuple[str, Setting]]:
    """Some settings along the front, each with a letter."""
    across = result.wishes[0].key
    front = sorted(result.best_trades(), key=lambda setting: result.played[setting][across].value)
    number = min(MOST_LETTERS, len(front))
    chosen = [front[round(i * (len(front) - 1) / max(number - 1, 1))] for i in range(number)]
    return list(zip(ascii_lowercase, chosen, strict=False))


def _scale(wish: Wish) -> int:
    return 100 if is_percent(wish.target.measure) else 1


def _band(wish: Wish) -> tuple[float, float]:
    """The ends of a target; an open end is drawn as far as the other end is from 0."""
    low, high = (_scale(wish) * end for end in (wish.target.low, wish.target.high))
    return (0.0 if math.isinf(low) else low), (2 * low if math.isinf(high) else high)


def _title(result: Design, wish: Wish) -> str:
    return f"{measure_title(wish.measure, [result.setup])}, {wish.who}"


def _draw_wish(ax: Any, result: Design, wish: Wish) -> None:
    scale = _scale(wish)
    ax.axvspan(*_band(wish), **BAND)
    rows: list[tuple[str, Estimate | None, Estimate | None]] = [
        ("as it is", None, result.played.get(AS_IT_IS, {}).get(wish.key))
    ]
    rows += [
        (proposal.label, proposal.fresh.get(wish.key), proposal.chosen.get(wish.key)) for proposal in result.proposals
    ]
    for row, (_, fresh, chosen) in enumerate(rows):
        if fresh is not None:
            interval_bar(ax, fresh, row, "C0")
        if chosen is not None:
            ax.plot(scale * chosen.value, row, "o", mfc="none", mec=QUIET)
    ax.set_yticks(range(len(rows)), [label for label, _, _ in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_title(_title(result, wish))
    if scale == 100:
        percent_axis(ax.xaxis)


def _draw_trades(ax: Any, result: Design) -> None:
    across, up = result.wishes[:2]
    ax.axvspan(*_band(across), **BAND)
    ax.axhspan(*_band(up), **BAND)
    places: dict[Setting, tuple[float, float]] = {
        setting: (_scale(across) * found[across.key].value, _scale(up) * found[up.key].value)
        for setting, found in result.played.items()
        if across.key in found and up.key in found
    }
    ax.scatter(*zip(*places.values(), strict=True), s=14, color="C1")
    front = sorted(places[setting] for setting in result.best_trades())
    ax.plot(*zip(*front, strict=True), color="C0", linewidth=0.8, zorder=0)
    ax.scatter(*zip(*front, strict=True), s=60, facecolors="none", edgecolors="C0")
    if AS_IT_IS in places:
        ax.scatter(*places[AS_IT_IS], s=60, marker="D", facecolors="none", edgecolors="black")
    for letter, setting in lettered(result):
        ax.annotate(letter, places[setting], fontweight="bold", xytext=(6, -12), textcoords="offset points")
    ax.set_xlabel(_title(result, across) + (" (%)" if _scale(across) == 100 else ""))
    ax.set_ylabel(_title(result, up) + (" (%)" if _scale(up) == 100 else ""))
