"""WAVE: what lies on the table and in the acting hand, which cards fit, and how an action names a card."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ALL, U8, ZERO, has, lowest, single, without_lowest
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Action, Card, Flag, Rules, State
from houle.solver.games.wave.state import BACK, DUMMY, FACEDOWN, HIDE, NONE


@kernel
def fitting(state: State, rules: Rules) -> Any:
    """All cards that could be laid face up now."""
    beats = rules.beats[state.order]
    if not rules.nazare:
        return beats[state.top]
    cell = state.laid + 1
    fits = ALL
    left, under = rules.left[cell], rules.below[cell]
    if left != NONE and state.cells[left] != FACEDOWN:
        fits &= beats[state.cells[left]]
    if under != NONE and state.cells[under] != FACEDOWN:
        fits &= beats[state.cells[under]]
    return fits


@kernel
def hand(state: State, rules: Rules) -> Any:
    """The cards the acting seat may choose from. The dummy plays only its face-up cards."""
    seat = state.acting
    if rules.dummy and seat == DUMMY:
        return state.front[seat]
    return state.front[seat] | state.back[seat]


@kernel
def choosable(state: State, rules: Rules) -> Any:
    """The hand without the card just taken in a swap."""
    cards = hand(state, rules)
    return cards if state.taken == NONE else cards & ~single(state.taken)


@kernel
def pointable(state: State, rules: Rules) -> Any:
    """The cards that the others may point at: back cards that this decision may use, or the dummy's face-up cards."""
    if not state.asked:
        cards = hand(state, rules)
    else:
        cards = state.playable
        if rules.nazare and (rules.free or cards == ZERO):
            cards |= choosable(state, rules)
    dummy = rules.dummy and state.acting == DUMMY
    return cards if dummy else cards & state.back[state.acting]


@kernel
def is_signal(state: State) -> Flag:
    """Whether the next decision is a signal to the surfer who decides after it."""
    return state.mover >= 0 and state.mover != state.decider


@kernel
def code_of(state: State, card: Card) -> Any:
    """How an action names a card of the acting hand."""
    back = has(state.back[state.acting], card)
    return np.int64(BACK + state.slot[card]) if back else np.int64(card)


@kernel
def named(state: State, action: Action) -> Any:
    """The card that an action names (any action but NO_SWAP and POINT_NONE)."""
    code = action & (HIDE - 1)
    return U8(state.held[state.acting, code - BACK]) if code >= BACK else U8(code)


@kernel
def slots_of(state: State, cards: Any) -> Any:
    """The slots of these cards of one hand, as a set, so their order says nothing about the cards."""
    slots = ZERO
    while cards != ZERO:
        slots |= single(state.slot[lowest(cards)])
        cards = without_lowest(cards)
    return slots
