"""Rows of cards in order: arrays with a card in each place and -1 in the empty places behind them.

A field made by `declare.ordered(n, most)` is such a row (`state.discard`), one of several (`state.rows[2]`), or one per
seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.compiler import cardsets
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Card, Number


@kernel
def length(row: Any) -> Number:
    """How many cards."""
    n = np.int64(0)
    while n < len(row) and row[n] >= 0:
        n += 1
    return n


@kernel
def end(row: Any) -> Card:
    """The last card; -1 if the row is empty."""
    n = length(row)
    return np.int64(row[n - 1]) if n > 0 else np.int64(-1)


@kernel
def append(row: Any, card: Card) -> None:
    """Adds a card at the end; the row must have room."""
    row[length(row)] = card


@kernel
def move_all(row: Any, cards: Any) -> None:
    """Empties the row into a set of cards."""
    for place in range(len(row)):
        if row[place] >= 0:
            cardsets.add(cards, row[place])
        row[place] = -1
