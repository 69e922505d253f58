"""Black Hole: the deal, what may be played, and playing it. An action is the number of a pile."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from black_hole.state import DECK, FIRST, NOTHING, RANKS
from houle.own_game import (
    ONE,
    U8,
    ZERO,
    Action,
    Card,
    Moves,
    Number,
    Rules,
    Setup,
    State,
    advance,
    below,
    bits,
    kernel,
    local_empty,
)

RANK = U8(2)  # bits of the suit; a card shifted by them is its rank


@kernel
def top(state: State, rules: Rules, pile: Number) -> Card:
    """The top card of a pile that has one."""
    return state.cards[pile * rules.height + state.left[pile] - 1]


@kernel
def playable(state: State, rules: Rules) -> Any:
    """The piles whose top card fits, as a set."""
    if state.hole == NOTHING:
        piles = ZERO
        for rank in range(RANKS):
            piles |= state.tops[rank]
        return piles
    rank = U8(state.hole) >> RANK
    above, below_it = rank + ONE, rank - ONE
    if rank == ZERO:
        below_it = U8(RANKS - 1)
    elif rank == U8(RANKS - 1):
        above = ZERO
    piles = state.tops[above] | state.tops[below_it]
    if not rules.wrap:
        piles = state.tops[above] if rank == ZERO else state.tops[below_it] if above == ZERO else piles
    return piles


@kernel
def deal(state: State, rules: Rules) -> None:
    """Deals pile by pile from an unshuffled deck: the last card takes the place of the one that was drawn."""
    deck = local_empty(DECK, np.uint8)
    left = DECK - np.int64(rules.given)
    for i in range(left):
        deck[i] = i + rules.given
    stream = state.deal
    for i in range(np.int64(rules.piles) * rules.height):
        stream = advance(stream)
        j = below(stream, left)
        left -= 1
        state.cards[i] = deck[j]
        deck[j] = deck[left]
    state.deal = stream
    state.tops[:] = 0
    state.laid = 0
    state.hole = FIRST if rules.given else NOTHING
    for pile in range(rules.piles):
        state.left[pile] = rules.height
        state.tops[top(state, rules, pile) >> 2] |= bits.single(pile)
    state.mover = 0 if playable(state, rules) != ZERO else -1


@kernel
def legal(state: State, rules: Rules, moves: Moves) -> Number:
    piles = playable(state, rules)
    n = 0
    while piles != ZERO:
        moves[n] = np.int64(bits.lowest(piles))
        piles = bits.without_lowest(piles)
        n += 1
    return n


@kernel
def random_move(state: State, rules: Rules) -> Action:
    piles = playable(state, rules)
    state.choice = advance(state.choice)
    return np.int64(bits.nth(piles, below(state.choice, bits.count(piles))))


@kernel
def apply(state: State, rules: Rules, action: Action) -> None:
    card = top(state, rules, action)
    pile = bits.single(action)
    state.tops[card >> 2] &= ~pile
    state.left[action] -= 1
    if state.left[action] > 0:
        state.tops[top(state, rules, action) >> 2] |= pile
    state.hole = card
    state.laid += 1
    state.mover = 0 if playable(state, rules) != ZERO else -1


def action_kinds(setup: Setup, seat: int) -> Iterable[int]:
    return range(int(setup.rules[0].piles))
