"""A tally as a graphics card fills it: one row of words, and one of bins; and what both kinds of play agree on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types

from houle.solver.interface import MAX_COUNTS, MAX_SIDES, round_scores
from houle.solver.run.cuda import called_on_card, card
from houle.solver.tally import Counts, Tally
from houle.solver.types import Number, Numbers, Rules, State

THREADS = 128  # of a block that plays a game a thread
LANES = 32  # of a block that plays one game: a warp, whose lanes wait for each other and for nobody else
FEATURE = types.int32  # what a rule of thumb says of a move; half the CPU's, since a card waits for its memory
TOTALS, MOMENTS = 5, 4  # numbers of a tally that belong to no side, and to one
WORDS = TOTALS + MAX_COUNTS + MAX_SIDES * MOMENTS
MOST_BINS = 1024  # of a histogram that a block keeps to itself


@called_on_card  # type: ignore[untyped-decorator]
def note_entry(
    state: State, rules: Rules, scores: Numbers, points: Numbers, lowest: Number, bins: Number, near: Numbers,
    far: Numbers,
) -> None:  # fmt: skip
    """One scored entry: into the histogram of the block, or into that of the chunk where the block's is too small."""
    round_scores(state, rules, scores)
    for side in range(rules.sides):
        points[side] += scores[side]
        bin_of_score = side * bins + scores[side] - lowest
        if bin_of_score < MOST_BINS:
            card.atomic.add(near, bin_of_score, 1)
        else:
            card.atomic.add(far, bin_of_score, 1)


@called_on_card  # type: ignore[untyped-decorator]
def add_up(totals: Numbers, counted: Numbers, moments: Counts, words: Numbers) -> None:
    """Adds what a thread counted to the sums that it shares with others."""
    for k in range(TOTALS):
        card.atomic.add(words, k, totals[k])
    for k in range(MAX_COUNTS):
        card.atomic.add(words, TOTALS + k, counted[k])
    for side in range(MAX_SIDES):
        for k in range(MOMENTS):
            card.atomic.add(words, TOTALS + MAX_COUNTS + side * MOMENTS + k, moments[side, k])


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
