"""What was at stake in a decision: noted by flat search while it decides.

The best and the second best move are chosen on the first half of the worlds and scored on the second half: a maximum
scored on the worlds that chose it would read luck as stakes. In a game whose moves are all equal the means are 0.

Stakes are kept twice, as parts of 1: as differences of `worth`, which a search maximises at the end of its lines, and
as differences of the share of the win, for which the lines of the second half are played on to the end of the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.interface import UTILITY, WIN, blank
from houle.solver.kernels import kernel, outlined
from houle.solver.types import Number, Seat

DECISION = np.dtype(
    [
        ("game", "i8"),
        ("ply", "i8"),
        ("seat", "i8"),
        ("moves", "i8"),  # legal moves; 0 in a row that was not needed
        ("kinds", "i8"),  # those that differ
        ("worlds", "i8"),  # of the second half; the sums are over these
        ("second", "f8"),  # by how much the best move was better than the second best
        ("random", "f8"),  # than a random one
        ("random_squared", "f8"),
        ("thumb", "f8"),  # than the thumb's own
        ("share", "f8"),  # by how much its share of the win was greater than a random one's, if all play on
        ("share_squared", "f8"),
    ],
    align=True,
)


def blank_log(decisions: int) -> Any:
    """Room for so many decisions."""
    return blank(DECISION, decisions)


class LogFullError(ValueError):
    """There were more decisions than rows for notes."""


@outlined
def open_decision(log: Any, counters: Any, seat: Seat, moves: Number, kinds: Number) -> None:
    """Begins the row of a decision; a forced one stays as it is here."""
    row = log[counters.noted]
    counters.noted += 1
    row.game, row.ply, row.seat = counters.game, counters.ply, seat
    row.moves, row.kinds, row.worlds = moves, kinds, 0
    row.second = row.random = row.random_squared = row.thumb = row.share = row.share_squared = 0.0


@kernel
def two_best(candidates: Any, n: Number) -> tuple[Number, Number]:
    """The two moves with the greatest gains so far."""
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
def note_world(row: Any, candidates: Any, n: Number, best: Number, second: Number, thumb: Number) -> None:
    """Adds what one world of the second half says of the moves chosen on the first."""
    value, total, shares = candidates[best].value, 0, 0
    for i in range(n):
        total += candidates[i].value
        shares += candidates[i].share
    more = (n * value - total) / (n * UTILITY)
    share = (n * candidates[best].share - shares) / (n * WIN)
    row.worlds += 1
    row.second += (value - candidates[second].value) / UTILITY
    row.random += more
    row.random_squared += more * more
    row.thumb += (value - candidates[thumb].value) / UTILITY
    row.share += share
    row.share_squared += share * share
