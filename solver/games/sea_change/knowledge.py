"""SEA CHANGE: who knows what.

Players remember every card played. So a seat does not know only where the unseen cards are: in the other hands or in
the pile. It knows how many cards each hand holds and which colours its owner could not follow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.compiler.bits import U8, ZERO, count, single
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.piles import GAP, card_at, count_in_use
from houle.solver.compiler.streams import derive
from houle.solver.compiler.types import Label, Rules, Seat, State
from houle.solver.games.sea_change.state import IN_WORD, WORD


@kernel
def unlocated(state: State, rules: Rules, seat: Seat, unseen: Any) -> None:
    """Writes, by word, the cards whose location `seat` does not know: in the other hands and in the pile."""
    for word in range(2):
        unseen[word] = ZERO
        for holder in range(rules.seats):
            unseen[word] |= state.hand[holder, word] if holder != seat else ZERO
    for i in range(count_in_use(state)):
        card = U8(card_at(state, i))
        if card != U8(GAP):
            unseen[card >> WORD] |= single(card & IN_WORD)


@outlined
def knows(state: State, rules: Rules, seat: Seat) -> Label:
    """A 64-bit mix of all that `seat` knows: equal in every world it cannot tell apart."""
    key = derive(U8(state.mover + 1) | U8(state.leader) << U8(8) | U8(state.starter) << U8(16), state.rounds)
    key = derive(
        key,
        U8(state.led) | U8(state.trump) << U8(8) | U8(state.value) << U8(16) | U8(state.pile_left) << U8(24),
    )
    key = derive(
        key,
        U8(state.tricks_left) | U8(state.changes) << U8(8) | U8(state.ended) << U8(16) | U8(state.won) << U8(24),
    )
    key = derive(key, U8(state.moves) | U8(state.all_changes) << U8(32))
    for i in range(state.laid):
        key = derive(key, U8(state.trick[i]))
    key = derive(derive(key, state.hand[seat, 0]), state.hand[seat, 1])
    for side in range(rules.sides):
        key = derive(derive(key, state.captured[side, 0]), state.captured[side, 1])
        key = derive(key, U8(state.vp[side]) | U8(np.int64(state.scores[side]) + 32768) << U8(8))
    for holder in range(rules.seats):
        key = derive(
            key,
            U8(state.void[holder]) | (count(state.hand[holder, 0]) + count(state.hand[holder, 1])) << U8(8),
        )
        if rules.stock:
            for colour in range(rules.colours):
                key = derive(key, state.barred[holder, colour])
    return key
