"""VAGUE & ATTAQUE: duels, from naming a card to its new owner."""

from __future__ import annotations

from typing import Any

from houle.solver.cards.bits import ONE, U8, ZERO, count, single
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Card, Rules, State
from houle.solver.games.vague_attaque.deck import POWERS
from houle.solver.games.vague_attaque.effects import ask, ask_to_lose
from houle.solver.games.vague_attaque.piles import random_index, spend_gold
from houle.solver.games.vague_attaque.state import FIRST_PLACE, PARRY, SHIP, STEADY, TO_LAND
from houle.solver.games.vague_attaque.zones import lift_souvenir, spot_of, take_place

SABRE = POWERS.index("sabre")


@kernel
def name_target(state: State, rules: Rules, card: Card) -> Any:
    """The active seat names a card. It, then its partner, may add a steady hand."""
    seat = U8(state.seat)
    state.duels += 1
    state.target = card
    state.bonus = 1 if state.power[seat] == SABRE else 0
    if state.gold[seat] & rules.steady != ZERO:
        return ask(state, seat, STEADY, TO_LAND)
    return _ask_partner_for_steady(state, rules)


@kernel
def answer_steady(state: State, rules: Rules, yes: Any) -> Any:
    seat = U8(state.mover)
    if yes:
        spend_gold(state, seat, state.gold[seat] & rules.steady)
        state.bonus += 1
    elif seat == U8(state.seat):
        return _ask_partner_for_steady(state, rules)
    return face(state, rules)


@kernel
def _ask_partner_for_steady(state: State, rules: Rules) -> Any:
    """The attacker adds no steady hand, so the partner may, if the partner holds one."""
    partner = U8(rules.partner[state.seat])
    if rules.partner_gold and state.gold[partner] & rules.steady != ZERO:
        return ask(state, partner, STEADY, TO_LAND)
    return face(state, rules)


@outlined
def face(state: State, rules: Rules) -> Any:
    """The defender, then the partner, may parry; the dice are thrown if neither holds a parry."""
    defender = U8(state.owner[spot_of(state, U8(state.target))])
    partner = U8(rules.partner[defender])
    if (state.gold[defender] | state.gold[partner]) & rules.parry != ZERO:
        return ask(state, defender if state.gold[defender] & rules.parry != ZERO else partner, PARRY, TO_LAND)
    return _throw(state, rules)


@outlined
def answer_parry(state: State, rules: Rules, yes: Any) -> Any:
    seat = U8(state.mover)
    if yes:
        spend_gold(state, seat, state.gold[seat] & rules.parry)
        return TO_LAND
    partner = U8(rules.partner[seat])
    asked_first = seat == U8(state.owner[spot_of(state, U8(state.target))])
    if asked_first and partner != seat and state.gold[partner] & rules.parry != ZERO:
        return ask(state, partner, PARRY, TO_LAND)
    return _throw(state, rules)


@outlined
def _throw(state: State, rules: Rules) -> Any:
    """One throw for a souvenir; three for a place, two of which must be won."""
    card = U8(state.target)
    souvenir = card < U8(FIRST_PLACE)
    bonus, faces = U8(state.bonus), U8(rules.die)
    won = lost = 0
    for throw in range(1 if souvenir else 3):
        mine = random_index(state, faces, 2 * throw) + bonus
        theirs = random_index(state, faces, 2 * throw + 1)
        won += 1 if mine > theirs else 0
        lost += 1 if mine < theirs else 0
    needed = 1 if souvenir else 2
    seat = U8(state.seat)
    if lost >= needed:
        return ask_to_lose(state, seat)
    if won >= needed:
        if souvenir:
            lift_souvenir(state, rules, card)
            state.hand[seat] |= single(card)
            state.public |= single(card)
            if rules.ship_waits and spot_of(state, card) == U8(SHIP) and count(state.on[SHIP]) == ONE:
                state.ship_waits = 1
        else:
            take_place(state, rules, seat, spot_of(state, card))
    return TO_LAND
