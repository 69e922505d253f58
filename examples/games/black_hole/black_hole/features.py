"""Black Hole: rules of thumb for players who do not look ahead."""

from __future__ import annotations

from typing import Any

import numpy as np

from black_hole.play import top
from black_hole.state import RANKS
from houle.own_game import ONE, U8, ZERO, Features, Moves, Number, Rules, State, bits, kernel, local_zeros

FEATURES = (
    ("dig", "Take from the pile with the most cards."),
    ("follows", "Take a card that many top cards can follow."),
    ("uncovers", "Uncover a card that can follow at once."),
    ("scarce", "Take a rank that few of the remaining cards can lead to."),
    ("alike", "Take a rank that has many cards left."),
)
DIG, FOLLOWS, UNCOVERS, SCARCE, ALIKE = range(5)


@kernel
def features(state: State, rules: Rules, moves: Moves, n: Number, table: Features) -> None:
    left = local_zeros(RANKS, np.int64)
    for pile in range(rules.piles):
        for i in range(state.left[pile]):
            left[state.cards[pile * rules.height + i] >> 2] += 1
    for i in range(n):
        pile = moves[i]
        rank = top(state, rules, pile) >> 2
        near = U8(rules.near[rank])
        table[i, DIG] = state.left[pile]
        table[i, FOLLOWS] = _tops(state, near)
        table[i, UNCOVERS] = 0
        if state.left[pile] > 1:
            under = state.cards[pile * rules.height + state.left[pile] - 2] >> 2
            table[i, UNCOVERS] = np.int64(near >> U8(under) & ONE)
        table[i, SCARCE] = -_sum(left, near)
        table[i, ALIKE] = left[rank]


@kernel
def _tops(state: State, ranks: Any) -> Any:
    """How many piles have a top card of these ranks."""
    piles = 0
    while ranks != ZERO:
        piles += np.int64(bits.count(state.tops[bits.lowest(ranks)]))
        ranks = bits.without_lowest(ranks)
    return piles


@kernel
def _sum(left: Any, ranks: Any) -> Any:
    total = 0
    while ranks != ZERO:
        total += left[bits.lowest(ranks)]
        ranks = bits.without_lowest(ranks)
    return total
