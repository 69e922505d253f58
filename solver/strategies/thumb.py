"""Rules of thumb: every legal move is rated by weighted, named features; the best one is played.

What is random (ties, temperature) is keyed by the action itself, not by its place in the list of moves: the list
may be ordered by cards that the player does not see.
"""

from __future__ import annotations

import math

import numpy as np

from houle.solver.bitset import U8
from houle.solver.contract import feature_count, features, kind, legal
from houle.solver.kernels import outlined
from houle.solver.strategies.moves import permitted
from houle.solver.streams import advance, derive
from houle.solver.types import Action, Categories, Features, Moves, Number, Numbers, Rules, State

NOISE_BITS = 12
NOISE_UNIT = 1024

# Quantiles of the Gumbel distribution in 1/1024: added to ratings they make a softmax choice, with integers alone.
GUMBEL = np.array(
    [round(-NOISE_UNIT * math.log(-math.log((i + 0.5) / (1 << NOISE_BITS)))) for i in range(1 << NOISE_BITS)], np.int64
)
LOWEST = np.int64(-(2**62))
_SHIFT = U8(64 - NOISE_BITS)


@outlined
def thumb_move(
    state: State, rules: Rules, weights: Numbers, temperature: Number, never: Categories, moves: Moves, table: Features
) -> Action:
    """The best-rated legal action; ties and temperature draw from state.choice."""
    n = permitted(state, rules, never, moves, legal(state, rules, moves))
    if n == 1:
        return moves[0]
    stream = advance(state.choice)
    state.choice = stream
    features(state, rules, moves, n, table)
    best, best_rating, best_luck = moves[0], LOWEST, U8(0)
    for i in range(n):
        action = moves[i]
        luck = derive(stream, kind(state, rules, action))
        rated = 0
        for k in range(feature_count(state)):
            rated += weights[k] * table[i, k]
        if temperature > 0:
            rated = rated * NOISE_UNIT + temperature * GUMBEL[luck >> _SHIFT] // 1000
        if rated > best_rating or (rated == best_rating and luck > best_luck):
            best, best_rating, best_luck = action, rated, luck
    return best


@outlined
def careless_move(state: State, rules: Rules, never: Categories, moves: Moves) -> Action:
    """Any legal action, drawn from state.choice: what a thumb would do to whom all moves are equal."""
    n = permitted(state, rules, never, moves, legal(state, rules, moves))
    if n == 1:
        return moves[0]
    stream = advance(state.choice)
    state.choice = stream
    best, best_luck = moves[0], derive(stream, kind(state, rules, moves[0]))
    for i in range(1, n):
        luck = derive(stream, kind(state, rules, moves[i]))
        if luck > best_luck:
            best, best_luck = moves[i], luck
    return best
