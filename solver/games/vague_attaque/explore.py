"""VAGUE & ATTAQUE: phase I. A souvenir is drawn, taken from the discard, or swapped for a place."""

from __future__ import annotations

from typing import Any

from houle.solver.cards.bits import ONE, U8, ZERO, single
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Card, Rules, Seat, State
from houle.solver.games.vague_attaque.deck import POWERS
from houle.solver.games.vague_attaque.effects import ask, bind_for_ship
from houle.solver.games.vague_attaque.piles import (
    can_draw,
    discard,
    discard_from_hand,
    draw,
    draw_to_hand,
)
from houle.solver.games.vague_attaque.state import (
    ALL_SOUVENIRS,
    NONE,
    PLACES,
    SOUVENIRS,
    SPYGLASS,
    TO_ENCOUNTER,
    V_DRAW,
    V_HOOK,
)

HOOK, WITH_SPYGLASS = POWERS.index("hook"), POWERS.index("spyglass")


@kernel
def may_hook(state: State) -> Any:
    return state.power[state.seat] == HOOK and state.thrown[SOUVENIRS] > 0


@kernel
def swappable(state: State) -> Any:
    """Souvenirs that the active seat may discard to draw a place."""
    return state.hand[state.seat] & ALL_SOUVENIRS if can_draw(state, PLACES) else ZERO


@kernel
def explore(state: State, rules: Rules, verb: Any, card: Card) -> Any:
    seat = U8(state.seat)
    if verb == V_DRAW:
        if rules.solo or state.power[seat] == WITH_SPYGLASS:
            return _draw_with_care(state, rules, seat)
        draw_to_hand(state, rules, seat, SOUVENIRS)
    elif verb == V_HOOK:
        top = U8(state.thrown[SOUVENIRS]) - ONE
        taken = single(state.discard[SOUVENIRS, top])
        state.thrown[SOUVENIRS] = top
        state.hand[seat] |= taken
        state.public |= taken
    else:
        discard_from_hand(state, seat, card)
        draw_to_hand(state, rules, seat, PLACES)
    return TO_ENCOUNTER


@outlined
def _draw_with_care(state: State, rules: Rules, seat: Seat) -> Any:
    """Spyglass: draws two and keeps one. Solo: a souvenir with the ship's symbol goes on the ship."""
    card = draw(state, rules, SOUVENIRS)
    if card == U8(NONE):
        return TO_ENCOUNTER
    if rules.solo:
        if (rules.on_ship >> card) & ONE != ZERO:
            return bind_for_ship(state, rules, card, TO_ENCOUNTER)
    else:
        other = draw(state, rules, SOUVENIRS)
        if other != U8(NONE):
            state.drawn[0] = card
            state.drawn[1] = other
            return ask(state, seat, SPYGLASS, TO_ENCOUNTER)
    state.hand[seat] |= single(card)
    return TO_ENCOUNTER


@kernel
def keep(state: State, seat: Seat, card: Card) -> None:
    other = state.drawn[1] if U8(state.drawn[0]) == card else state.drawn[0]
    discard(state, U8(other))
    state.hand[seat] |= single(card)
    state.drawn[0] = state.drawn[1] = NONE
