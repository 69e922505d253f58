"""The log of a decision: how much was at stake, measured by flat search while it decides.

The best and the second best move are chosen on the first half of the worlds and measured on the second half: measuring
a maximum on the worlds that chose it would count luck as stakes. If all moves are equal, the expected stakes are 0.

Stakes are kept as differences of utility, which a search maximises at the end of its playouts, and as differences of
the share of the win, for which playouts of the second half continue to the end of the game. Both are parts of 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Number
from houle.solver.interface import UTILITY, WIN, blank

DECISION = np.dtype(
    [
        ("game", "i8"),  # for who keeps several
        ("ply", "i8"),
        ("kinds", "i8"),  # legal moves that differ
        ("worlds", "i8"),  # of the second half; the sums below are over these
        ("second", "f8"),  # utility of the best move less that of the second best
        ("random", "f8"),  # less that of a random move
        ("random_squared", "f8"),
        ("share", "f8"),  # share of the win of the best move less that of a random move
    ],
    align=True,
)


def blank_log(decisions: int = 1) -> Any:
    """The empty log of a decision, or of several that are kept."""
    return blank(DECISION, decisions)


@kernel
def open_decision(row: Any, kinds: Number) -> None:
    """Starts the log of a decision. A forced move adds nothing to it."""
    row.kinds, row.worlds = kinds, 0
    row.second = row.random = row.random_squared = row.share = 0.0


@kernel
def two_best(candidates: Any, n: Number) -> tuple[Number, Number]:
    """The moves with the greatest and second greatest gain so far."""
    best, second = 0, 1
    if candidates[1].gain > candidates[0].gain:
        best, second = 1, 0
    for i in range(2, n):
        if candidates[i].gain > candidates[best].gain:
            best, second = i, best
        elif candidates[i].gain > candidates[second].gain:
            second = i
    return best, second


@outlined
def note_world(row: Any, candidates: Any, n: Number, best: Number, second: Number) -> None:
    """Adds a world of the second half to the log: the stakes of the two moves chosen on the first half."""
    value, total, shares = candidates[best].value, 0, 0
    for i in range(n):
        total += candidates[i].value
        shares += candidates[i].share
    more = (n * value - total) / (n * UTILITY)
    row.worlds += 1
    row.second += (value - candidates[second].value) / UTILITY
    row.random += more
    row.random_squared += more * more
    row.share += (n * candidates[best].share - shares) / (n * WIN)
