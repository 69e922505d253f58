"""Heat maps: a grid of estimates, with frames around the cells that are on target."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from matplotlib.patches import Rectangle

from houle.analysis.stats.estimate import Estimate
from houle.reports.figures.style import scaled

FRAMES = {"inside": "solid", "perhaps": "dashed"}  # frames of cells on target
FRAME = "#D55E00"
DARK = 0.55  # part of the span below which ink is white

Cells = Mapping[tuple[int, int], tuple[Estimate, str | None]]  # column, row -> what is shown, its target


def span_of(estimates: Iterable[Estimate]) -> tuple[float, float]:
    """The least and greatest value, as shown; never equal."""
    values = [scaled(estimate)[1] for estimate in estimates]
    return min(values), max(values) if max(values) > min(values) else min(values) + 1


def heat_map(ax: Any, columns: Sequence[str], rows: Sequence[str], cells: Cells, span: tuple[float, float]) -> Any:
    """Draw a cell for every estimate, with its half-width below it; returns the image."""
    shares = [[math.nan] * len(columns) for _ in rows]
    for (x, y), (estimate, target) in cells.items():
        low, value, high = scaled(estimate)
        shares[y][x] = value
        ink = "white" if (value - span[0]) / (span[1] - span[0]) < DARK else "black"
        half = max(high - value, value - low)
        words = f"{estimate.short()}\n±{half:.{estimate.digits}f}"
        ax.text(x, y, words, ha="center", va="center", fontsize=8, color=ink)
        if target in FRAMES:
            line = FRAMES[target]
            ax.add_patch(
                Rectangle((x - 0.47, y - 0.46), 0.94, 0.92, fill=False, edgecolor=FRAME, linewidth=2.5, linestyle=line)
            )
    image = ax.imshow(shares, cmap="cividis", vmin=span[0], vmax=span[1], aspect="auto")
    ax.set_xticks(range(len(columns)), columns)
    ax.set_yticks(range(len(rows)), rows)
    ax.grid(False)
    return image
