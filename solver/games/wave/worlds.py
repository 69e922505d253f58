"""WAVE: samples random worlds from what a surfer cannot see."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, has, lowest, nth, single, without_lowest
from houle.solver.cards.piles import add_card, card_at, count_in_use, count_places
from houle.solver.cards.streams import advance, below, derive, start_world
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_empty
from houle.solver.compiler.types import Flag, Key, Number, Rules, Seat, State, Stream
from houle.solver.games.wave.board import choosable, fitting, is_signal, slots_of
from houle.solver.games.wave.seen import sunk_known, unlocated, unseen
from houle.solver.games.wave.state import (
    DUMMY,
    INVERT_COLOURS,
    INVERT_NUMBERS,
    MAX_CARDS,
    MAX_HAND,
    MAX_SEATS,
    NONE,
    STATE,
    WITHOUT_MAY,
)

MAX_TRIES = 10_000
WHOLE = STATE.itemsize


@kernel
def determinize(state: State, rules: Rules, seat: Seat, key: Key) -> Flag:
    """Samples uniformly a world that `seat` cannot tell from the real one."""
    start_world(state, key)
    stream = derive(key, U8(9))
    for _ in range(MAX_TRIES):
        dealt, stream = _deal_hidden(state, rules, seat, stream)
        if not dealt or seat == state.mover or not _stuck(state, rules):
            return dealt
    return False


@kernel
def in_use(state: State, rules: Rules) -> Number:
    return WHOLE if rules.tracks else WITHOUT_MAY


@outlined
def recall(past: State, rules: Rules, seat: Seat, now: State, world: State) -> Flag:
    """Makes `past` what it was if the imagined world is the real one.

    A card that the seat could not see then is known by now, or it still lies in its slot and the world says what it
    is. The seat knows which, because it sees when a slot is emptied. Nobody knows which unseen card went face down
    where, so a decision of a player who still held such a card says nothing.
    """
    hidden = unlocated(now, rules, seat)
    signal = is_signal(past)
    depends, decisive = False, True
    for holder in range(rules.seats):
        old = unseen(past, rules, holder, seat) & hidden
        # A signal depends on the adviser's front cards and on the back cards of others, such as the reader's own.
        depends |= old != ZERO and (not signal or seat == holder or past.mover == holder)
        decisive &= old & now.sunk == ZERO
        _put_back(past, rules, seat, holder, old, now, world)
    if past.asked:
        past.playable = choosable(past, rules) & fitting(past, rules)
    return depends and decisive


@kernel
def _put_back(past: State, rules: Rules, seat: Seat, holder: Seat, old: Any, now: State, world: State) -> None:
    """Puts the world's cards into the slots that hold these cards of a hand."""
    new = ZERO
    dummy = rules.dummy and holder == DUMMY
    for slot in range(rules.up + rules.down if dummy else rules.front + rules.back):
        card = U8(past.held[holder, slot])
        if card == NONE or not has(old, card):
            continue
        if has(now.sunk, card):
            known = sunk_known(now, rules, seat)
            card = nth(world.sunk & ~known, count(now.sunk & ~known & (single(card) - ONE)))
        else:
            card = U8(world.held[holder, slot])
        past.held[holder, slot] = card
        past.slot[card] = slot
        new |= single(card)
    if past.front[holder] & old != ZERO:
        past.front[holder] = (past.front[holder] & ~old) | new
    else:
        past.back[holder] = (past.back[holder] & ~old) | new


@kernel
def _stuck(state: State, rules: Rules) -> Flag:
    """Whether the player to move has no playable card. The game would then be over, which the others would know."""
    return state.mover >= 0 and state.asked and not rules.nazare and state.playable == ZERO


@kernel
def _deal_hidden(state: State, rules: Rules, seat: Seat, stream: Stream) -> tuple[Flag, Stream]:
    """Redeals what the seat does not see; returns whether that succeeded, and the stream after it.

    Slots with fewer candidates than all hidden cards choose first, each among its candidates. If two choose the same
    card, all start again: this is uniform over the consistent deals. The remaining cards go anywhere.
    """
    hidden = unlocated(state, rules, seat)
    taken = ZERO
    chosen = local_empty((MAX_SEATS, MAX_HAND), np.uint8)
    exact = not rules.tracks
    for _ in range(MAX_TRIES if rules.tracks else 0):
        taken = ZERO
        exact = True
        for holder in range(rules.seats):
            slots = slots_of(state, unseen(state, rules, holder, seat))
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
        return False, stream
    return True, _fill(state, rules, seat, hidden & ~taken, chosen, stream)


@kernel
def _fill(state: State, rules: Rules, seat: Seat, rest: Any, chosen: Any, stream: Stream) -> Stream:
    """Fills hidden slots with their chosen card or a random one of the rest; what is left is the pile."""
    pool = local_empty(MAX_CARDS, np.uint8)
    left = 0
    while rest != ZERO:
        pool[left] = lowest(rest)
        rest = without_lowest(rest)
        left += 1
    # All slots are noted first, because dealing cards overwrites the slots of the others.
    slots = local_empty((MAX_SEATS, MAX_HAND), np.uint8)
    old = local_empty(MAX_SEATS, np.uint64)
    for holder in range(rules.seats):
        old[holder] = unseen(state, rules, holder, seat)
        places = slots_of(state, old[holder])
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
    known = sunk_known(state, rules, seat)
    lost = count(state.sunk & ~known)
    state.sunk = known
    for _ in range(lost):
        stream = advance(stream)
        j = below(stream, left)
        state.sunk |= single(pool[j])
        left -= 1
        pool[j] = pool[left]
    _fill_pile(state, pool, left)
    if state.asked and state.mover >= 0:
        state.playable = choosable(state, rules) & fitting(state, rules)
    return stream


@kernel
def _fill_pile(state: State, pool: Any, left: Number) -> None:
    """A pile of the first `left` cards of the pool and the inversion cards that are still in it."""
    colours = numbers = 0
    for i in range(count_places(state), count_in_use(state)):
        colours += 1 if card_at(state, i) == INVERT_COLOURS else 0
        numbers += 1 if card_at(state, i) == INVERT_NUMBERS else 0
    for i in range(left):
        state.pile[i] = pool[i]
    state.pile_left = left
    state.gaps = state.added = 0
    for _ in range(colours):
        add_card(state, INVERT_COLOURS)
    for _ in range(numbers):
        add_card(state, INVERT_NUMBERS)
