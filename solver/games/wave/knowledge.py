"""WAVE: who knows what, and worlds drawn at random from what a seat cannot see.

A surfer sees the own front cards, the others' back cards, the dummy's face-up cards and all that was laid face
up. Table talk adds the own back cards (advice) or all hands (open). A seat also remembers what it could
conclude about a hidden slot: its own back card could or could not be played (silent), a stuck surfer's front
cards did not fit (Nazare). Those sets of candidates are `may` in STATE.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.bitset import U8, ZERO, count, has, lowest, nth, single, without_lowest
from houle.solver.games.wave.play import choosable, fitting, named
from houle.solver.games.wave.state import (
    ADVICE,
    DUMMY,
    HIDE,
    INVERT_COLOURS,
    MAX_CARDS,
    MAX_HAND,
    MAX_SEATS,
    NO_SWAP,
    NONE,
    OPEN,
    SWAP,
)
from houle.solver.kernels import kernel
from houle.solver.streams import advance, below, derive, start_world

MAX_TRIES = 10_000


@kernel
def unseen(state: Any, rules: Any, holder: Any, seat: Any) -> Any:
    """The cards in the holder's hand that `seat` does not know."""
    if rules.dummy and holder == DUMMY:
        return state.back[holder]
    if rules.talk == OPEN:
        return ZERO
    if holder == seat:
        return state.back[holder] & ~state.public if rules.talk < ADVICE else ZERO
    return state.front[holder] & ~state.public


@kernel
def _hidden(state: Any, rules: Any, seat: Any) -> Any:
    """Every card whose place `seat` does not know: in hands, face down in the wave, in the pile."""
    cards = state.sunk & ~_sunk_known(state, rules, seat)
    for holder in range(rules.seats):
        cards |= unseen(state, rules, holder, seat)
    for i in range(state.pile_left):
        if state.pile[i] < INVERT_COLOURS:
            cards |= single(state.pile[i])
    return cards


@kernel
def _slots(state: Any, cards: Any) -> Any:
    """The slots of cards of one hand, as a set: their order says nothing about the cards."""
    slots = ZERO
    while cards != ZERO:
        slots |= single(state.slot[lowest(cards)])
        cards = without_lowest(cards)
    return slots


@kernel
def _sunk_known(state: Any, rules: Any, seat: Any) -> Any:
    return state.sunk if rules.talk == OPEN else state.sunk_known[seat]


@kernel
def determinize(state: Any, rules: Any, seat: Any, key: Any) -> Any:
    """A world that `seat` cannot tell from the real one, uniform among all of them.

    Slots with candidates are filled first, each from its own candidates, all over again if two took the same
    card: that is uniform over the consistent ways. Whatever is left goes anywhere.
    """
    start_world(state, key)
    stream = derive(key, U8(9))
    hidden = _hidden(state, rules, seat)
    taken = ZERO
    chosen = np.zeros((MAX_SEATS, MAX_HAND), np.uint8)
    exact = not rules.tracks
    for _ in range(MAX_TRIES if rules.tracks else 0):
        taken = ZERO
        exact = True
        for holder in range(rules.seats):
            slots = _slots(state, unseen(state, rules, holder, seat))
            while slots != ZERO and exact:
                slot = lowest(slots)
                slots = without_lowest(slots)
                candidates = state.may[holder, slot] & hidden
                if candidates == hidden:
                    chosen[holder, slot] = NONE
                    continue
                stream = advance(stream)
                card = nth(candidates, below(stream, count(candidates)))
                exact = not has(taken, card)
                taken |= single(card)
                chosen[holder, slot] = card
        if exact:
            break
    if not exact:
        return False
    _fill(state, rules, seat, hidden & ~taken, chosen, stream)
    return True


@kernel
def _fill(state: Any, rules: Any, seat: Any, rest: Any, chosen: Any, stream: Any) -> None:
    """Gives hidden slots their chosen card or one of the rest at random; what stays is the pile."""
    pool = np.empty(MAX_CARDS, np.uint8)
    left = 0
    while rest != ZERO:
        pool[left] = lowest(rest)
        rest = without_lowest(rest)
        left += 1
    # All slots are noted first: giving out cards overwrites where the others were.
    slots = np.empty((MAX_SEATS, MAX_HAND), np.uint8)
    old = np.empty(MAX_SEATS, np.uint64)
    for holder in range(rules.seats):
        old[holder] = unseen(state, rules, holder, seat)
        places = _slots(state, old[holder])
        for i in range(count(places)):
            slots[holder, i] = lowest(places)
            places = without_lowest(places)
    for holder in range(rules.seats):
        new = ZERO
        for i in range(count(old[holder])):
            slot = slots[holder, i]
            card = chosen[holder, slot] if rules.tracks else np.uint8(NONE)
            if card == NONE:
                stream = advance(stream)
                j = below(stream, left)
                card = pool[j]
                left -= 1
                pool[j] = pool[left]
            state.held[holder, slot] = card
            state.slot[card] = slot
            new |= single(card)
        if state.front[holder] & old[holder] != ZERO:
            state.front[holder] = (state.front[holder] & ~old[holder]) | new
        else:
            state.back[holder] = (state.back[holder] & ~old[holder]) | new
    known = _sunk_known(state, rules, seat)
    lost = count(state.sunk & ~known)
    state.sunk = known
    for _ in range(lost):
        stream = advance(stream)
        j = below(stream, left)
        state.sunk |= single(pool[j])
        left -= 1
        pool[j] = pool[left]
    n = 0
    for i in range(state.pile_left):
        if state.pile[i] < INVERT_COLOURS:
            state.pile[i] = pool[n]
            n += 1
    if state.asked and state.mover >= 0:
        state.playable = choosable(state, rules) & fitting(state, rules)


@kernel
def knows(state: Any, rules: Any, seat: Any) -> Any:
    """All that `seat` knows, mixed into 64 bits: equal in every world it cannot tell apart."""
    key = derive(state.order | state.turned << 2 | state.asked << 3, state.acting)
    key = derive(key, U8(state.top) | U8(state.taken) << U8(8) | U8(state.virage) << U8(16) | U8(state.laid) << U8(24))
    key = derive(
        key,
        U8(state.surfer) | U8(state.pile_left) << U8(8) | U8(state.facedown) << U8(16) | U8(state.mover < 0) << U8(24),
    )
    key = derive(key, state.public)
    key = derive(key, _sunk_known(state, rules, seat))
    if rules.nazare:
        for cell in range(state.laid + 1):
            key = derive(key, state.cells[cell])
    for holder in range(rules.seats):
        hidden = unseen(state, rules, holder, seat)
        key = derive(key, state.front[holder] & ~hidden)
        key = derive(key, state.back[holder] & ~hidden)
        dummy = rules.dummy and holder == DUMMY
        for slot in range(rules.up + rules.down if dummy else rules.front + rules.back):
            card = state.held[holder, slot]
            if card != NONE:
                secret = has(hidden, card)
                key = derive(key, U8(slot) << U8(8) | (U8(NONE) if secret else U8(card)))
                if secret and rules.tracks:
                    key = derive(key, state.may[holder, slot])
    return key


@kernel
def observed(state: Any, rules: Any, action: Any, seat: Any) -> Any:
    """What `seat` sees of an action about to be taken: the card, or only the slot if it goes face down unseen.

    Own back cards are chosen by slot, before anybody shows what they are.
    """
    if action == NO_SWAP:
        return U8(action)
    acting = state.acting
    own = state.mover == seat
    card = named(state, action)
    if own or (HIDE <= action < SWAP and has(unseen(state, rules, acting, seat), card)):
        return U8(512) + U8(action) if own else U8(1024) + U8(state.slot[card])
    return U8(action & ~(HIDE - 1)) + U8(card)


@kernel
def kind(state: Any, rules: Any, action: Any) -> Any:
    """Every card is unique: no two actions are the same."""
    return U8(action)
