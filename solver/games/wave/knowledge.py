"""WAVE: who knows what, and what a turn shows to the others.

A surfer sees their own front cards, the others' back cards, the dummy's face-up cards and all cards laid face up.
Table talk adds the others' signals (points), their own back cards (known) or all hands (open). A seat also remembers
what it could conclude about a hidden slot: whether its own back card could be played (silent and points), or that a
stuck surfer's front cards did not fit (Nazare). These sets of candidates are `may` in STATE.
"""

from __future__ import annotations

from typing import Any

from houle.solver.cards.bits import ONE, U8, ZERO, has, lowest, single, without_lowest
from houle.solver.cards.piles import card_at, count_in_use
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Action, Card, Label, Rules, Seat, State
from houle.solver.games.wave.board import named
from houle.solver.games.wave.state import (
    DUMMY,
    HIDE,
    INVERT_COLOURS,
    KNOWN,
    NO_SWAP,
    OPEN,
    POINT,
    SWAP,
)


@kernel
def unseen(state: State, rules: Rules, holder: Seat, seat: Seat) -> Any:
    """The cards in the holder's hand that `seat` does not know."""
    if rules.dummy and holder == DUMMY:
        return state.back[holder]
    if rules.talk == OPEN:
        return ZERO
    if holder == seat:
        return state.back[holder] & ~state.public if rules.talk < KNOWN else ZERO
    return state.front[holder] & ~state.public


@kernel
def unlocated(state: State, rules: Rules, seat: Seat) -> Any:
    """Every card whose location `seat` does not know: in hands, face down in the wave, in the pile."""
    cards = state.sunk & ~sunk_known(state, rules, seat)
    for holder in range(rules.seats):
        cards |= unseen(state, rules, holder, seat)
    for i in range(count_in_use(state)):
        card = card_at(state, i)
        cards |= single(card) if card < INVERT_COLOURS else ZERO
    return cards


@kernel
def sunk_known(state: State, rules: Rules, seat: Seat) -> Any:
    return state.sunk if rules.talk == OPEN else state.sunk_known[seat]


@kernel
def learn(state: State, cards: Any, seat: Seat, fits: Any) -> None:
    """Notes for the slot of each of these cards whether it fits, for seats that cannot see it."""
    while cards != ZERO:
        card = lowest(cards)
        cards = without_lowest(cards)
        state.may[seat, state.slot[card]] &= fits if has(fits, card) else ~fits


@kernel
def sink(state: State, rules: Rules, seat: Seat, card: Card, from_back: Any) -> None:
    """Notes who has seen a card that goes face down: its owner or the others, or everyone if it was public."""
    bit = single(card)
    dummy = rules.dummy and seat == DUMMY
    public = dummy or has(state.public, card) or (from_back == ONE and rules.talk >= KNOWN)
    state.facedown += 1
    state.sunk |= bit
    for other in range(rules.seats):
        if public or (other == seat) != (from_back == ONE):
            state.sunk_known[other] |= bit


@kernel
def observed(state: State, rules: Rules, action: Action, seat: Seat) -> Label:
    """What `seat` sees of an action before it is taken: the card, or only the slot if it goes face down unseen.

    Players choose their own back cards by slot, before anyone shows them.
    """
    if action == NO_SWAP or action >= POINT:
        return U8(2048) + U8(action)
    acting = state.acting
    own = state.mover == seat
    card = named(state, action)
    if own or (HIDE <= action < SWAP and has(unseen(state, rules, acting, seat), card)):
        return U8(512) + U8(action) if own else U8(1024) + U8(state.slot[card])
    return U8(action & ~(HIDE - 1)) + U8(card)
