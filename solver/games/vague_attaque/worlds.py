"""VAGUE & ATTAQUE: samples random worlds from what a seat cannot see.

Unseen cards are exchangeable within a batch (see `knowledge`), with two exceptions: a card cannot be what is barred for
it, and worlds that contradict a clue are rejected. The world of a key depends only on what the seat knows: hidden cards
are taken as sets, or in the order of what is visible of them. So a search decides the same wherever they really are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import U8, ZERO, count, has, lowest, nth, single, without_lowest
from houle.solver.cards.streams import advance, below, derive, start_world
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_empty, local_zeros
from houle.solver.compiler.types import Flag, Key, Number, Rules, Seat, State, Stream
from houle.solver.games.vague_attaque.clues import clues_about
from houle.solver.games.vague_attaque.piles import shuffle
from houle.solver.games.vague_attaque.seen import MAX_HIDDEN, knowers, list_backs, under_glass, unseen
from houle.solver.games.vague_attaque.state import ALL_SOUVENIRS, ENCOUNTERS, FIRST_ENCOUNTER, PLACES, SOUVENIRS

MAX_TRIES = 100_000
FIRST_GLASS = 64  # holder of a card under a spyglass: this + its index there


@outlined
def determinize(state: State, rules: Rules, seat: Seat, key: Key) -> Flag:
    """Samples uniformly a world that `seat` cannot tell from the real one."""
    start_world(state, key)
    stream = derive(key, U8(9))
    for pile in (SOUVENIRS, PLACES):
        stream, exact = _deal_anew(state, rules, seat, pile, stream)
        if not exact:
            return False
    _sort(state.pile[ENCOUNTERS], U8(state.left[ENCOUNTERS]))
    shuffle(state.pile[ENCOUNTERS], U8(state.left[ENCOUNTERS]), stream)
    return True


@kernel
def _sort(cards: Any, n: Number) -> None:
    """Sorts the first n cards, which are encounters."""
    encounters = ZERO
    for i in range(n):
        encounters |= single(U8(cards[i]) - U8(FIRST_ENCOUNTER))
    for i in range(n):
        cards[i] = lowest(encounters) + U8(FIRST_ENCOUNTER)
        encounters = without_lowest(encounters)


@outlined
def _deal_anew(state: State, rules: Rules, seat: Seat, pile: Any, stream: Stream) -> Any:
    """Redeals the hidden cards of a pile's kind, each within its batch; returns the stream and whether it succeeded.

    Cards with barred values choose first, each among what it may be; the others follow; what is left of the last batch
    is the pile. If two chose the same card or a clue is not met, all start again: this is uniform over the consistent
    deals.
    """
    cards = local_empty(MAX_HIDDEN, np.uint8)
    holders = local_empty(MAX_HIDDEN, np.uint8)
    n = list_hidden(state, rules, seat, pile, cards, holders)
    pools = local_empty(MAX_HIDDEN, np.uint64)
    barred = local_zeros(MAX_HIDDEN, np.uint64)
    seen_by = local_zeros(MAX_HIDDEN, np.uint64)
    clues = local_zeros(MAX_HIDDEN, np.uint64)
    for i in range(n):
        card = cards[i]
        pools[i] = _pool(state, pile, cards, n, state.batch[card])
        seen_by[i] = knowers(state, rules, card)
        if pile == SOUVENIRS:
            barred[i] = state.barred[card]
            clues[i] = clues_about(state, card)
    chosen = local_empty(MAX_HIDDEN, np.uint8)
    taken = ZERO
    exact = False
    for _ in range(MAX_TRIES):
        exact = True
        taken = ZERO
        for i in range(n):
            if barred[i] != ZERO and exact:
                candidates = pools[i] & ~barred[i]
                stream = advance(stream)
                card = nth(candidates, below(stream, count(candidates)))
                exact = not has(taken, card)
                taken |= single(card)
                chosen[i] = card
        for i in range(n):
            if barred[i] == ZERO and exact:
                candidates = pools[i] & ~taken
                stream = advance(stream)
                card = nth(candidates, below(stream, count(candidates)))
                taken |= single(card)
                chosen[i] = card
        if exact and _follows_clues(state, pile, cards, chosen, clues, n):
            break
        exact = False
    if exact:
        _put_back(state, pile, cards, holders, chosen, n)
        _pass_on(state, rules, pile, cards, chosen, barred, seen_by, clues, n)
        stream = shuffle(state.pile[pile], U8(state.left[pile]), stream)
    return stream, exact


@kernel
def list_hidden(state: State, rules: Rules, seat: Seat, pile: Any, cards: Any, holders: Any) -> Any:
    """Lists the cards outside the pile that `seat` has not seen, and who holds them; returns how many."""
    of_pile = ALL_SOUVENIRS if pile == SOUVENIRS else ~ALL_SOUVENIRS
    n = 0
    for holder in range(rules.seats):
        first = n
        n = list_backs(state, rules, unseen(state, holder, seat) & of_pile, cards, first)
        for i in range(first, n):
            holders[i] = holder
    if under_glass(state, seat) and pile == SOUVENIRS:
        for i in range(2):
            cards[n] = state.drawn[i]
            holders[n] = FIRST_GLASS + i
            n += 1
    return n


@kernel
def _pool(state: State, pile: Any, cards: Any, n: Number, batch: Any) -> Any:
    """All that a hidden card of this batch may be: the unseen cards of the batch, in hands or in the pile."""
    pool = ZERO
    for i in range(n):
        if state.batch[cards[i]] == batch:
            pool |= single(cards[i])
    if batch == state.shuffles[pile]:
        for i in range(state.left[pile]):
            pool |= single(state.pile[pile, i])
    return pool


@kernel
def _follows_clues(state: State, pile: Any, cards: Any, chosen: Any, clues: Any, n: Number) -> Any:
    """Whether every clue is met, by a card that the seat has seen or by a chosen one."""
    if pile != SOUVENIRS or state.clues == 0:
        return True
    hidden = ZERO
    for i in range(n):
        hidden |= single(cards[i])
    for clue in range(U8(state.clues)):
        fits = state.clue_fits[clue]
        met = state.clue_cards[clue] & ~hidden & fits != ZERO
        for i in range(n):
            met = met or (has(clues[i], clue) and has(fits, chosen[i]))
        if not met:
            return False
    return True


@kernel
def _put_back(state: State, pile: Any, cards: Any, holders: Any, chosen: Any, n: Number) -> None:
    """Replaces every hidden card by the chosen one; the rest becomes the pile."""
    out_of_sight = ZERO
    for i in range(state.left[pile]):
        out_of_sight |= single(state.pile[pile, i])
    for i in range(n):
        card = cards[i]
        out_of_sight |= single(card)
        if holders[i] < FIRST_GLASS:
            state.hand[holders[i]] &= ~single(card)
    for i in range(n):
        card = chosen[i]
        out_of_sight &= ~single(card)
        if holders[i] < FIRST_GLASS:
            state.hand[holders[i]] |= single(card)
        else:
            state.drawn[holders[i] - FIRST_GLASS] = card
    for i in range(state.left[pile]):
        state.pile[pile, i] = lowest(out_of_sight)
        out_of_sight = without_lowest(out_of_sight)


@kernel
def _pass_on(
    state: State, rules: Rules, pile: Any, cards: Any, chosen: Any, barred: Any, seen_by: Any, clues: Any, n: Number
) -> None:
    """Transfers what is known of a hidden card to the one chosen for it."""
    for i in range(n):
        card = single(cards[i])
        for seat in range(rules.seats):
            state.known[seat] &= ~card
        if pile == SOUVENIRS:
            state.barred[cards[i]] = ZERO
            for clue in range(U8(state.clues)):
                state.clue_cards[clue] &= ~card
    for i in range(n):
        card = single(chosen[i])
        for seat in range(rules.seats):
            if has(seen_by[i], seat):
                state.known[seat] |= card
        if pile == SOUVENIRS:
            state.barred[chosen[i]] = barred[i]
            for clue in range(U8(state.clues)):
                if has(clues[i], clue):
                    state.clue_cards[clue] |= card
