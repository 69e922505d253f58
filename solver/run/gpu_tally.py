"""A tally on a graphics card: an array of sums and an array of histogram bins, and constants of both kinds of play."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types

from houle.solver.compiler.types import Number, Numbers, Rules, State
from houle.solver.interface import MAX_COUNTS, MAX_SIDES, round_scores
from houle.solver.run.cuda import called_on_card, card
from houle.solver.run.tally import Counts, Tally

THREADS = 128  # per block with one game per thread
LANES = 32  # per block with one game: a warp, whose lanes run in step
FEATURE = types.int32  # type of a feature; half the width of the CPU's, because memory limits a card
TOTALS, MOMENTS = 5, 4  # sums of a tally per game, and per side
WORDS = TOTALS + MAX_COUNTS + MAX_SIDES * MOMENTS
MOST_BINS = 1024  # of the histogram of a block


@called_on_card  # type: ignore[untyped-decorator]
def note_entry(
    state: State, rules: Rules, scores: Numbers, points: Numbers, lowest: Number, bins: Number, near: Numbers,
    far: Numbers,
) -> None:  # fmt: skip
    """Adds a scored entry to the histogram of the block, or to that of the chunk if the block's is too small."""
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
    """Adds the counts of a thread to shared sums."""
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
    """Zeroed bins for the histograms of all sides; a block's histogram may reach beyond them."""
    return np.zeros(tally.histogram.size + MOST_BINS, np.int64)


def fill(tally: Tally, words: Counts, bins: Counts) -> None:
    """Copies the counts of the card into an empty tally."""
    sums, (sides, width) = tally.sums, tally.histogram.shape
    sums.totals[:] = words[:TOTALS]
    sums.counts[:] = words[TOTALS : TOTALS + len(sums.counts)]
    sums.moments[:] = words[TOTALS + MAX_COUNTS :].reshape(MAX_SIDES, MOMENTS)[:sides]
    sums.histogram[:] = bins[: sides * width].reshape(sides, width)
