"""VAGUE & ATTAQUE: the moves at every decision, listed or chosen at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, TWO, U8, ZERO, count, list_cards, lowest, nth, without_lowest
from houle.solver.cards.streams import advance, below
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, Card, Moves, Number, Rules, State, Stream
from houle.solver.games.vague_attaque.effects import victims
from houle.solver.games.vague_attaque.explore import may_hook, swappable
from houle.solver.games.vague_attaque.land import layable_places, may_load, wasteable
from houle.solver.games.vague_attaque.piles import can_draw, hand_size, nth_in_hand
from houle.solver.games.vague_attaque.state import (
    ALL_SOUVENIRS,
    DROP,
    ENCOUNTER,
    EXPLORE,
    EXTRA,
    FIRST_ENCOUNTER,
    GIVE,
    LAND,
    LOSE,
    MOORING,
    PLACES,
    POWER,
    REFILL,
    RETAIN,
    SOUVENIRS,
    SPOT,
    SPYGLASS,
    STEADY,
    STEAL,
    V_ADVENTURE,
    V_DECLINE,
    V_DISCARD,
    V_DRAW,
    V_DROP,
    V_DUEL,
    V_EXTRA,
    V_GIVE,
    V_HOOK,
    V_KEEP,
    V_LAY,
    V_LOSE,
    V_MOORING,
    V_PARRY,
    V_PLACE,
    V_POWER,
    V_REFILL,
    V_RETAIN,
    V_STEADY,
    V_STEAL,
    V_STOP,
    V_SWAP,
    VERB,
)
from houle.solver.games.vague_attaque.zones import count_placements, fitting_spots, nth_placement, targets


@kernel
def code(verb: Any, card: Card, spot: Any) -> Any:
    return np.int64(verb) << VERB | np.int64(spot) << SPOT | np.int64(card)


@kernel
def choose(state: State, rules: Rules) -> Any:
    """A random legal action, as (verb, card, spot)."""
    stream = advance(state.choice)
    state.choice = stream
    phase = state.phase
    if phase == EXPLORE:
        souvenirs = swappable(state)
        hook = ONE if may_hook(state) else ZERO
        i = below(stream, ONE + hook + count(souvenirs))
        if i > hook:
            return V_SWAP, nth(souvenirs, i - hook - ONE), ZERO
        return V_DRAW if i == ZERO else V_HOOK, ZERO, ZERO
    if phase == ENCOUNTER:
        cards = targets(state, rules)
        i = below(stream, ONE + count(cards))
        if i == ZERO:
            return V_ADVENTURE, ZERO, ZERO
        return V_DUEL, nth(cards, i - ONE), ZERO
    if phase == LAND:
        return _choose_landing(state, rules, stream)
    return _choose_other(state, rules, phase, stream)


@kernel
def _choose_landing(state: State, rules: Rules, stream: Stream) -> Any:
    seat = U8(state.seat)
    places, wasted = layable_places(state), wasteable(state)
    here, away = count(places), count(wasted)
    loads = count_placements(state, rules, seat) if may_load(state, rules) else ZERO
    i = below(stream, ONE + here + away + loads)
    if i == ZERO:
        return V_STOP, ZERO, ZERO
    i -= ONE
    if i < here:
        return V_PLACE, nth(places, i), ZERO
    i -= here
    if i < away:
        return V_DISCARD, nth(wasted, i), ZERO
    souvenir, spot = nth_placement(state, rules, seat, i - away)
    return V_LAY, souvenir, spot


@outlined
def _choose_other(state: State, rules: Rules, phase: Any, stream: Stream) -> Any:
    """The decisions asked for within a phase."""
    seat = U8(state.mover)
    verb = hand_verb(phase)
    if verb >= 0:
        return verb, nth_in_hand(state, seat, below(stream, hand_size(state, seat))), ZERO
    if phase == EXTRA:
        i = below(stream, ONE + count_placements(state, rules, seat))
        if i == ZERO:
            return V_DECLINE, ZERO, ZERO
        souvenir, spot = nth_placement(state, rules, seat, i - ONE)
        return V_EXTRA, souvenir, spot
    if phase == SPYGLASS:
        return V_KEEP, U8(state.drawn[below(stream, TWO)]), ZERO
    if phase == STEAL:
        seats = victims(state, rules, seat)
        return V_STEAL, nth(seats, below(stream, count(seats))), ZERO
    if phase == REFILL:
        piles = refills(state)
        return V_REFILL, nth(piles, below(stream, count(piles))), ZERO
    return answer_verb(phase), below(stream, TWO), ZERO


@kernel
def hand_verb(phase: Any) -> Any:
    """The verb of a decision about one card of the hand; -1 for other decisions."""
    if phase == LOSE:
        return V_LOSE
    if phase == DROP:
        return V_DROP
    if phase == GIVE:
        return V_GIVE
    return V_RETAIN if phase == RETAIN else -1


@kernel
def answer_verb(phase: Any) -> Any:
    """The verb of a yes-or-no decision."""
    if phase == STEADY:
        return V_STEADY
    if phase == MOORING:
        return V_MOORING
    return V_POWER if phase == POWER else V_PARRY


@kernel
def refills(state: State) -> Any:
    """The piles that an empty hand can draw from, as a set."""
    return (ONE if can_draw(state, SOUVENIRS) else ZERO) | (TWO if can_draw(state, PLACES) else ZERO)


@kernel
def random_move(state: State, rules: Rules) -> Action:
    verb, card, spot = choose(state, rules)
    return code(verb, card, spot)


@outlined
def legal(state: State, rules: Rules, moves: Moves) -> Number:
    if state.mover < 0:
        return 0
    seat = U8(state.mover)
    phase = state.phase
    verb = hand_verb(phase)
    if verb >= 0:
        n = list_cards(state.hand[seat], code(verb, ZERO, 0), moves, 0)
        return list_cards(state.gold[seat], code(verb, U8(FIRST_ENCOUNTER), 0), moves, n)
    if phase == EXPLORE:
        moves[0] = code(V_DRAW, 0, 0)
        n = 1
        if may_hook(state):
            moves[1] = code(V_HOOK, 0, 0)
            n = 2
        return list_cards(swappable(state), code(V_SWAP, ZERO, 0), moves, n)
    if phase == ENCOUNTER:
        moves[0] = code(V_ADVENTURE, 0, 0)
        return list_cards(targets(state, rules), code(V_DUEL, ZERO, 0), moves, 1)
    if phase == LAND:
        moves[0] = code(V_STOP, 0, 0)
        n = list_cards(layable_places(state), code(V_PLACE, ZERO, 0), moves, 1)
        n = list_cards(wasteable(state), code(V_DISCARD, ZERO, 0), moves, n)
        return _list_placements(state, rules, V_LAY, moves, n) if may_load(state, rules) else n
    if phase == EXTRA:
        moves[0] = code(V_DECLINE, 0, 0)
        return _list_placements(state, rules, V_EXTRA, moves, 1)
    if phase == STEAL:
        return list_cards(victims(state, rules, seat), code(V_STEAL, ZERO, 0), moves, 0)
    if phase == REFILL:
        return list_cards(refills(state), code(V_REFILL, ZERO, 0), moves, 0)
    first, second = (0, 1) if phase != SPYGLASS else (state.drawn[0], state.drawn[1])
    verb = V_KEEP if phase == SPYGLASS else answer_verb(phase)
    moves[0] = code(verb, first, 0)
    moves[1] = code(verb, second, 0)
    return 2


@kernel
def _list_placements(state: State, rules: Rules, verb: Any, moves: Moves, n: Number) -> Any:
    seat = U8(state.mover)
    cards = state.hand[seat] & ALL_SOUVENIRS
    while cards != ZERO:
        souvenir = lowest(cards)
        cards = without_lowest(cards)
        spots = fitting_spots(state, rules, seat, souvenir)
        while spots != ZERO:
            moves[n] = code(verb, souvenir, lowest(spots))
            spots = without_lowest(spots)
            n += 1
    return n
