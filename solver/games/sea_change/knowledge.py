"""SEA CHANGE: who knows what, and worlds drawn at random from what a seat cannot see.

Everything played is remembered, so all a seat does not know is where the unseen cards are: in the other hands
or in the pile. About a hand it knows how many cards it holds and which colours its owner could not follow.
That limits how many cards of each colour the hand may hold (`shares`); which ones they are is open.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.bitset import ONE, U8, ZERO, count, lowest, nth, single, without_lowest
from houle.solver.games.sea_change.play import IN_WORD, WORD
from houle.solver.games.sea_change.shares import GROUPS, group_of, split
from houle.solver.games.sea_change.state import MAX_CARDS, MAX_COLOURS, MAX_SEATS
from houle.solver.kernels import kernel, outlined
from houle.solver.streams import advance, below, derive, start_world

SEPARATE = U8(9)  # what is drawn here must not repeat what the world's own streams draw later


@kernel
def _unseen(state: Any, rules: Any, seat: Any, unseen: Any) -> None:
    """Writes, by word, the cards whose place `seat` does not know: in the other hands and in the pile."""
    for word in range(2):
        unseen[word] = ZERO
        for holder in range(rules.seats):
            unseen[word] |= state.hand[holder, word] if holder != seat else ZERO
    for i in range(state.pile_left):
        card = U8(state.pile[i])
        unseen[card >> WORD] |= single(card & IN_WORD)


@outlined
def determinize(state: Any, rules: Any, seat: Any, key: Any) -> Any:
    """A world that `seat` cannot tell from the real one, uniform among all of them.

    Hands of which the same is known are filled as one: first how many cards of each colour such a group gets,
    then which ones, then whose. Hands that may hold anything are the last group, and the rest is the pile.
    """
    start_world(state, key)
    stream = derive(key, SEPARATE)
    unseen = np.empty(2, np.uint64)
    _unseen(state, rules, seat, unseen)
    left = np.zeros(MAX_COLOURS, np.int64)
    for colour in range(rules.colours):
        left[colour] = np.int64(count(unseen[colour >> 2] & rules.of_colour[colour, colour >> 2]))
    hands = np.zeros(MAX_SEATS, np.int64)
    group = np.zeros(MAX_SEATS, np.int64)
    sizes = np.zeros(GROUPS, np.int64)
    for holder in range(rules.seats):
        if holder != seat:
            hands[holder] = np.int64(count(state.hand[holder, 0]) + count(state.hand[holder, 1]))
            group[holder] = group_of(state, rules, holder, left)
            sizes[group[holder]] += hands[holder]
            state.hand[holder, 0] = state.hand[holder, 1] = ZERO
    shares = np.zeros((GROUPS, MAX_COLOURS), np.int64)
    cards = np.empty(2, np.uint64)
    hidden = 0 if seat != 0 else 1
    stream, exact = split(rules, state.barred[hidden], left, sizes, shares, stream)
    for this in range(GROUPS - 1, -1, -1):
        if sizes[this] > 0 or this == 0:
            stream = _choose(rules, shares[this], unseen, cards, stream)
            stream = _hand_out(state, rules, cards if this > 0 else unseen, hands, group, this, stream)
    return exact


@kernel
def _choose(rules: Any, share: Any, unseen: Any, cards: Any, stream: Any) -> Any:
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
def _hand_out(state: Any, rules: Any, cards: Any, hands: Any, group: Any, this: Any, stream: Any) -> Any:
    """Gives cards out at random to the hands of a group; what is over after the last group is the pile."""
    pool = np.empty(MAX_CARDS, np.uint8)
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
        for i in range(state.pile_left):
            state.pile[i] = pool[i]
    return stream


@outlined
def knows(state: Any, rules: Any, seat: Any) -> Any:
    """All that `seat` knows, mixed into 64 bits: equal in every world it cannot tell apart."""
    key = derive(U8(state.mover + 1) | U8(state.leader) << U8(8) | U8(state.starter) << U8(16), state.rounds)
    key = derive(
        key,
        U8(state.led) | U8(state.trump) << U8(8) | U8(state.value) << U8(16) | U8(state.pile_left) << U8(24),
    )
    key = derive(
        key,
        U8(state.tricks_left) | U8(state.changes) << U8(8) | U8(state.ended) << U8(16) | U8(state.won) << U8(24),
    )
    key = derive(key, U8(state.moves) | U8(state.all_changes) << U8(32))
    for i in range(state.laid):
        key = derive(key, U8(state.trick[i]))
    key = derive(derive(key, state.hand[seat, 0]), state.hand[seat, 1])
    for side in range(rules.sides):
        key = derive(derive(key, state.captured[side, 0]), state.captured[side, 1])
        key = derive(key, U8(state.vp[side]) | U8(np.int64(state.scores[side]) + 32768) << U8(8))
    for holder in range(rules.seats):
        key = derive(
            key,
            U8(state.void[holder]) | (count(state.hand[holder, 0]) + count(state.hand[holder, 1])) << U8(8),
        )
        if rules.stock:
            for colour in range(rules.colours):
                key = derive(key, state.barred[holder, colour])
    return key


@kernel
def observed(state: Any, rules: Any, action: Any, seat: Any) -> Any:
    """Cards are played openly: all see the same."""
    return U8(action)


@kernel
def kind(state: Any, rules: Any, action: Any) -> Any:
    """Every card is unique: no two actions are the same."""
    return U8(action)
