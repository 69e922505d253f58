"""VAGUE & ATTAQUE: phase III. What may be laid or discarded, the partner's mooring, and laying it."""

from __future__ import annotations

from typing import Any

from houle.solver.cards.bits import U8, ZERO
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Card, Rules, Seat, State
from houle.solver.games.vague_attaque.clues import note_none_fits, note_one_fits
from houle.solver.games.vague_attaque.effects import NO_ANCHOR, ask, drop_anchor
from houle.solver.games.vague_attaque.piles import discard_from_hand, spend_gold
from houle.solver.games.vague_attaque.state import (
    ALL_PLACES,
    ALL_SOUVENIRS,
    MOORING,
    TO_LAND,
    TO_TIDY,
    V_DISCARD,
    V_PLACE,
    V_STOP,
    WAIT,
)
from houle.solver.games.vague_attaque.zones import count_placements, lay_place, lay_souvenir


@kernel
def layable_places(state: State) -> Any:
    return ZERO if state.place_laid else state.hand[state.seat] & ALL_PLACES


@kernel
def allowance(state: State, rules: Rules) -> Any:
    """How many souvenirs the active seat may lay in phase III without a mooring of its own."""
    return rules.allowance[state.power[state.seat]] + state.lent


@kernel
def may_load(state: State, rules: Rules) -> Any:
    """Whether a souvenir may be laid in phase III: within the allowance, or with an extra mooring."""
    return state.laid < allowance(state, rules) or state.gold[state.seat] & rules.mooring != ZERO


@kernel
def wasteable(state: State) -> Any:
    """Souvenirs that may be discarded in phase III: any, if nothing was laid."""
    return ZERO if state.place_laid or state.laid > 0 else state.hand[state.seat] & ALL_SOUVENIRS


@kernel
def may_land(state: State, rules: Rules) -> Any:
    """Whether there is something to do in phase III besides stopping."""
    if layable_places(state) | wasteable(state) != ZERO:
        return True
    return may_load(state, rules) and count_placements(state, rules, U8(state.seat)) > ZERO


@kernel
def ask_for_mooring(state: State, rules: Rules) -> Any:
    """Teams: asks the partner to lend a mooring if needed; True if it does.

    It is needed if the active seat can go on only with a mooring, and only the partner holds one.
    """
    if not rules.partner_gold or state.refused or may_load(state, rules):
        return False
    partner = U8(rules.partner[state.seat])
    return state.gold[partner] & rules.mooring != ZERO and _ask_if_one_fits(state, rules, partner)


@outlined
def _ask_if_one_fits(state: State, rules: Rules, partner: Any) -> Any:
    seat = U8(state.seat)
    if count_placements(state, rules, seat) == ZERO:
        note_none_fits(state, rules, seat)
        return False
    note_one_fits(state, rules, seat)
    ask(state, partner, MOORING, TO_LAND)
    return True


@kernel
def answer_mooring(state: State, rules: Rules, yes: Any) -> Any:
    if yes:
        seat = U8(state.mover)
        spend_gold(state, seat, state.gold[seat] & rules.mooring)
        state.lent += 1
    else:
        state.refused = 1
    return TO_LAND


@kernel
def land(state: State, rules: Rules, verb: Any, card: Card, spot: Any) -> Any:
    seat = U8(state.seat)
    if verb == V_STOP:
        return TO_TIDY
    if verb == V_PLACE:
        state.place_laid = 1
        lay_place(state, rules, seat, card)
        return TO_LAND
    if verb == V_DISCARD:
        discard_from_hand(state, seat, card)
        anchor = rules.anchor[card]
        return TO_TIDY if anchor == NO_ANCHOR else drop_anchor(state, rules, seat, anchor, TO_TIDY)
    if state.laid < allowance(state, rules):
        state.laid += 1
    else:
        spend_gold(state, seat, state.gold[seat] & rules.mooring)
    return lay(state, rules, seat, card, spot, TO_LAND)


@kernel
def lay(state: State, rules: Rules, seat: Seat, card: Card, spot: Any, then: Any) -> Any:
    """Lays a souvenir; its anchor comes last, and not at all if the game is won."""
    if lay_souvenir(state, rules, seat, card, spot):
        return WAIT
    anchor = rules.anchor[card]
    return then if anchor == NO_ANCHOR else drop_anchor(state, rules, seat, anchor, then)
