"""SEA CHANGE: samples random worlds from what a seat cannot see.

What is known of a hand limits how many cards of each colour it may hold (`colour_counts`); which cards is open.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, lowest, nth, single, without_lowest
from houle.solver.cards.streams import advance, below, derive, start_world
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_empty, local_zeros
from houle.solver.compiler.types import Flag, Key, Rules, Seat, State, Stream
from houle.solver.games.sea_change.colour_counts import GROUPS, group_of, split
from houle.solver.games.sea_change.seen import unlocated
from houle.solver.games.sea_change.state import IN_WORD, MAX_CARDS, MAX_COLOURS, MAX_SEATS, WORD

SEPARATE = U8(9)  # keeps the numbers drawn here apart from those that the world's own streams draw later


@outlined
def determinize(state: State, rules: Rules, seat: Seat, key: Key) -> Flag:
    """Samples uniformly a world that `seat` cannot tell from the real one.

    Hands about which the same is known are filled together: first how many cards of each colour such a group gets, then
    which cards, then to which hand. Hands that may hold anything are the last group, and the rest is the pile.
    """
    start_world(state, key)
    stream = derive(key, SEPARATE)
    unseen = local_empty(2, np.uint64)
    unlocated(state, rules, seat, unseen)
    left = local_zeros(MAX_COLOURS, np.int64)
    for colour in range(rules.colours):
        left[colour] = np.int64(count(unseen[colour >> 2] & rules.of_colour[colour, colour >> 2]))
    hands = local_zeros(MAX_SEATS, np.int64)
    group = local_zeros(MAX_SEATS, np.int64)
    sizes = local_zeros(GROUPS, np.int64)
    for holder in range(rules.seats):
        if holder != seat:
            hands[holder] = np.int64(count(state.hand[holder, 0]) + count(state.hand[holder, 1]))
            group[holder] = group_of(state, rules, holder, left)
            sizes[group[holder]] += hands[holder]
            state.hand[holder, 0] = state.hand[holder, 1] = ZERO
    shares = local_zeros((GROUPS, MAX_COLOURS), np.int64)
    cards = local_empty(2, np.uint64)
    hidden = 0 if seat != 0 else 1
    stream, exact = split(rules, state.barred[hidden], left, sizes, shares, stream)
    for this in range(GROUPS - 1, -1, -1):
        if sizes[this] > 0 or this == 0:
            stream = _choose(rules, shares[this], unseen, cards, stream)
            stream = _hand_out(state, rules, cards if this > 0 else unseen, hands, group, this, stream)
    return exact


@kernel
def _choose(rules: Rules, share: Any, unseen: Any, cards: Any, stream: Stream) -> Any:
    """Moves a share of each colour, at random, from the unseen cards to `cards`."""
    cards[0] = cards[1] = ZERO
    for colour in range(rules.colours):
        word = colour >> 2
        for _ in range(share[colour]):
            left = unseen[word] & rules.of_colour[colour, word]
            stream = advance(stream)
            card = single(nth(left, below(stream, count(left))))
            unseen[word] &= ~card
            cards[word] |= card
    return stream


@kernel
def _hand_out(state: State, rules: Rules, cards: Any, hands: Any, group: Any, this: Any, stream: Stream) -> Any:
    """Deals cards at random to the hands of a group; what is left after the last group is the pile."""
    pool = local_empty(MAX_CARDS, np.uint8)
    n = ZERO
    for word in range(2):
        rest = cards[word]
        while rest != ZERO:
            pool[n] = lowest(rest) | U8(word) << WORD
            rest = without_lowest(rest)
            n += ONE
    for holder in range(rules.seats):
        if group[holder] == this:
            for _ in range(hands[holder]):
                stream = advance(stream)
                i = below(stream, n)
                n -= ONE
                card = U8(pool[i])
                pool[i] = pool[n]
                state.hand[holder, card >> WORD] |= single(card & IN_WORD)
    if this == 0:
        state.gaps = state.added = 0
        for i in range(state.pile_left):
            state.pile[i] = pool[i]
    return stream
