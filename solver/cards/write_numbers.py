"""Writing observations: each function writes some numbers from place `at` on and returns the place after them.

All places are 0 before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Card, Cards, Number, Numbers, Seat


@kernel
def put(out: Numbers, at: Number, value: Any) -> Number:
    """Writes one number."""
    out[at] = np.int64(value)
    return at + 1


@outlined
def mark_cards(out: Numbers, at: Number, cards: Cards, width: Number) -> Number:
    """Writes 1 for each card of a set and 0 for the others, in a place per card."""
    for card in range(U8(width)):
        out[U8(at) + card] = (cards >> card) & ONE
    return at + width


@outlined
def mark_words(out: Numbers, at: Number, words: Any, width: Number) -> Number:
    """The same for a set of several 64-bit words."""
    for word in range(len(words)):
        if word << 6 < width:
            mark_cards(out, at + (word << 6), words[word], min(width - (word << 6), 64))
    return at + width


@kernel
def mark_card(out: Numbers, at: Number, card: Card, width: Number) -> Number:
    """The same for one card; none is marked if it is beyond the width, as 255 for no card."""
    if np.int64(card) < width:
        out[at + np.int64(card)] = 1
    return at + width


@kernel
def ahead(seat: Seat, observer: Seat, seats: Number) -> Number:
    """How many seats after the observer another one sits; -1 for no seat."""
    distance = np.int64(seat) - np.int64(observer)
    return np.int64(-1) if np.int64(seat) < 0 else distance + np.int64(seats) if distance < 0 else distance


@kernel
def seat_ahead(number: Number, observer: Seat, seats: Number) -> Seat:
    """The seat that sits so many seats after the observer."""
    seat = np.int64(number) + np.int64(observer)
    return seat - np.int64(seats) if seat >= np.int64(seats) else seat
