"""Rules of thumb: every legal move is rated by weighted, named features; the best one is played.

What is random (ties, temperature) is keyed by the action itself, not by its place in the list of moves: the list
may be ordered by cards that the player does not see.

Who lapses does not weigh some of the rules at a decision. The luck of that lies beside the stream of choices, so that
two players who differ in their lapses alone choose by the same luck, and somebody without any is not touched by it.
"""

from __future__ import annotations

import math

import numpy as np

from houle.solver.bitset import U8, has
from houle.solver.interface import MAX_FEATURES, feature_count, features, kind, legal
from houle.solver.kernels import kernel, outlined
from houle.solver.local_arrays import local_zeros
from houle.solver.strategies.moves import permitted
from houle.solver.streams import advance, apart, below, derive
from houle.solver.types import Action, Categories, Features, Moves, Number, Numbers, Player, Rules, State, Stream

NOISE_BITS = 12
NOISE_UNIT = 1024

# Quantiles of the Gumbel distribution in 1/1024: added to ratings they make a softmax choice, with integers alone.
GUMBEL = np.array(
    [round(-NOISE_UNIT * math.log(-math.log((i + 0.5) / (1 << NOISE_BITS)))) for i in range(1 << NOISE_BITS)], np.int64
)
LOWEST = np.int64(-(2**62))
_SHIFT = U8(64 - NOISE_BITS)

CERTAIN = 100_000  # a chance of 100%, in thousandths of a percent
LAPSES = 1  # which stream beside that of choices is the one of lapses
SIGHT, COUNT = MAX_FEATURES, MAX_FEATURES + 1  # parts of its key; those before belong to the rules of thumb


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


@kernel
def thumb_decision(state: State, rules: Rules, player: Player, moves: Moves, table: Features) -> Action:
    """What a thumb plays, with its temperature, its bans and its lapses."""
    weights = player.weights[:]  # an array like any other: one kind of weights, one thumb to compile
    if player.forgets + player.nearsighted + player.loses_count > 0:
        minded = local_zeros(MAX_FEATURES, np.int64)
        _write_minded(state, player, minded)
        weights = minded
    return thumb_move(state, rules, weights, player.temperature, player.never, moves, table)


@outlined
def _write_minded(state: State, player: Player, minded: Numbers) -> None:
    """The weights of the rules that a player has in mind at this decision; 0 for all others."""
    stream = apart(advance(state.choice), LAPSES)
    sees_far = not _happens(stream, SIGHT, player.nearsighted)
    counts = not _happens(stream, COUNT, player.loses_count)
    for k in range(feature_count(state)):
        seen = (sees_far or not has(player.far, k)) and (counts or not has(player.memory, k))
        if seen and not _happens(stream, k, player.forgets):
            minded[k] = player.weights[k]


@kernel
def _happens(stream: Stream, part: Number, chance: Number) -> bool:
    """Whether a lapse of this chance happens; a greater chance at the same place of a stream happens too."""
    return np.int64(below(derive(stream, part), CERTAIN)) < chance


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
