"""What games share of luck with cards: drawing from a face-down pile, and one of a set at random.

A pile is never shuffled: which card comes next is decided when it is drawn, so a game pays for the cards it sees.
The state holds it as `pile`, an unordered array, and `pile_left`, how many of its first places are still there.
"""

from __future__ import annotations

from typing import Any

from houle.solver.bitset import ONE, U8, count, lowest, nth
from houle.solver.kernels import kernel
from houle.solver.streams import advance, below
from houle.solver.types import State


@kernel
def next_card(state: State) -> Any:
    """Draws the next card of the pile, from the `deal` stream; the pile must not be empty."""
    left = U8(state.pile_left) - ONE
    stream = advance(state.deal)
    i = below(stream, left + ONE)
    card = state.pile[i]
    state.pile[i] = state.pile[left]
    state.pile_left = left
    state.deal = stream
    return card


@kernel
def one_of(state: State, things: Any) -> Any:
    """One of a set (of cards or seats) at random, from the `chance` stream; a single one costs no luck."""
    number = count(things)
    if number == ONE:
        return lowest(things)
    stream = advance(state.chance)
    state.chance = stream
    return nth(things, below(stream, number))
