"""A tally as a graphics card fills it: one row of words, and one of bins; and what both kinds of play agree on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types

from houle.solver.contract import MAX_COUNTS, MAX_SIDES
from houle.solver.tally import Counts, Tally

THREADS = 128  # of a block that plays a game a thread
LANES = 32  # of a block that plays one game: a warp, whose lanes wait for each other and for nobody else
TOTALS, MOMENTS = 5, 4  # numbers of a tally that belong to no side, and to one
WORDS = TOTALS + MAX_COUNTS + MAX_SIDES * MOMENTS
MOST_BINS = 1024  # of a histogram that a block keeps to itself


def row_of(item: Any) -> Any:
    """The type of an array of such items."""
    return types.Array(item, 1, "C")


def blank_words() -> Counts:
    return np.zeros(WORDS, np.int64)


def blank_bins(tally: Tally) -> Counts:
    """Room for the histograms of all sides, and for a block's own behind them."""
    return np.zeros(tally.histogram.size + MOST_BINS, np.int64)


def fill(tally: Tally, words: Counts, bins: Counts) -> None:
    """Copies what was counted on the card into an empty tally."""
    sums, (sides, width) = tally.sums, tally.histogram.shape
    sums.totals[:] = words[:TOTALS]
    sums.counts[:] = words[TOTALS : TOTALS + len(sums.counts)]
    sums.moments[:] = words[TOTALS + MAX_COUNTS :].reshape(MAX_SIDES, MOMENTS)[:sides]
    sums.histogram[:] = bins[: sides * width].reshape(sides, width)
