"""When the best move is known: confidence sequences on what every other move loses against it.

A confidence sequence holds at all looks together, so one may stop as soon as it decides. The best move is chosen on the
same worlds, so every pair of moves has its own sequence, corrected for all pairs (Bonferroni).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from houle.analysis.stats.confidence_sequences import Bernstein, Tuning
from houle.analysis.stats.estimate import POINTS, Estimate
from houle.analysis.stats.intervals import CONFIDENCE, WHOLE_WIN
from houle.analysis.stats.width import look_counts

FIRST_LOOK = 100
CLOSE = 0.01  # a loss of less than one game in 100 does not matter


def confidence_of_pairs(moves: int) -> float:
    """The confidence per pair of moves at which all pairs hold together at CONFIDENCE."""
    return 1 - (1 - CONFIDENCE) / max(1, moves * (moves - 1) // 2)


def world_counts(most: int) -> Iterator[int]:
    """Numbers of worlds at which to look, up to `most`: each three tenths more than the one before."""
    return look_counts(most, FIRST_LOOK, lambda count: 3 * count // 10 + 1)


def gain_sequence(gains: NDArray[np.float64], seen_at: list[int], confidence: float) -> Estimate:
    """The mean of gains between -1 and 1, as a confidence sequence over the looks `seen_at`."""
    sequence = Bernstein(Tuning(100 * CLOSE / 2, confidence))
    values = (1 + gains) / 2
    start = 0
    for end in seen_at:
        part = values[start:end]
        sequence.add(len(part), float(part.sum()), float(((part - sequence.centre) ** 2).sum()))
        start = end
    return replace(sequence.interval().scale(2).shift(-1), unit=POINTS)


def losses(shares: NDArray[np.int64], best: int, seen_at: list[int]) -> list[Estimate]:
    """By how much the best move wins more often than each move; 0 for itself."""
    confidence = confidence_of_pairs(shares.shape[1])
    wins = shares / WHOLE_WIN
    nothing = Estimate(0.0, 0.0, 0.0, len(wins), POINTS)
    return [
        nothing if move == best else gain_sequence(wins[:, best] - wins[:, move], seen_at, confidence)
        for move in range(wins.shape[1])
    ]


def is_certain(lost: list[Estimate], best: int) -> bool:
    """Whether every other move is known to be worse, or within a point of the best."""
    return all(-loss.low <= (0.0 if loss.low > 0 else CLOSE) for i, loss in enumerate(lost) if i != best)
