"""The order of seats: a circle, and play goes to the left."""

from __future__ import annotations

from houle.solver.cards.bits import ONE, U8, ZERO, lowest
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Number, Rules, Seat


@kernel
def left_of(rules: Rules, seat: Seat) -> Seat:
    """The seat after an unsigned `seat`, clockwise."""
    return ZERO if seat + ONE == U8(rules.seats) else seat + ONE


@kernel
def next_of(seats: Number, seat: Seat) -> Seat:
    """The first seat of a set, clockwise after `seat`; the set must not be empty."""
    later = (seats >> seat) >> ONE
    return lowest(later) + seat + ONE if later != ZERO else lowest(seats)
