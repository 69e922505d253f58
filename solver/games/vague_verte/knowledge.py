"""VAGUE VERTE: the cards that a seat does not see, and equal actions."""

from __future__ import annotations

from typing import Any

from houle.solver.cards.bits import U8, ZERO, single
from houle.solver.cards.piles import GAP, card_at, count_in_use
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Action, Label, Rules, Seat, State
from houle.solver.games.vague_verte.board import RING
from houle.solver.games.vague_verte.state import DRAW_STOCK


@kernel
def _stock(state: State) -> Any:
    cards = ZERO
    for i in range(count_in_use(state)):
        card = card_at(state, i)
        cards |= single(card) if card != GAP else ZERO
    return cards


@kernel
def hidden_in_hand(state: State, holder: Seat, seat: Seat) -> Any:
    """The cards of a hand that `seat` does not see and has not seen taken."""
    return ZERO if holder == seat else state.hand[holder] & ~state.shown[holder]


@kernel
def unlocated(state: State, rules: Rules, seat: Seat) -> Any:
    """Every card whose location `seat` does not know."""
    cards = _stock(state)
    for holder in range(rules.seats):
        cards |= hidden_in_hand(state, holder, seat)
    return cards


@kernel
def observed(state: State, rules: Rules, action: Action, seat: Seat) -> Label:
    """What `seat` sees of an action: where a card is taken or laid, and the face of a card that is laid."""
    return kind(state, rules, action)


@kernel
def kind(state: State, rules: Rules, action: Action) -> Label:
    """Equal cards on the same target are the same action."""
    code = U8(action)
    return code if action >= DRAW_STOCK else code & ~RING | U8(rules.face[code & RING])
