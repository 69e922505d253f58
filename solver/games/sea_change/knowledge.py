"""SEA CHANGE: the cards that a seat cannot place."""

from __future__ import annotations

from typing import Any

from houle.solver.cards.bits import U8, ZERO, single
from houle.solver.cards.piles import GAP, card_at, count_in_use
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Rules, Seat, State
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
