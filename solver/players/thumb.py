"""Rules of thumb: every legal move is rated by weighted, named features, and the best-rated move is played.

Random choices (ties, temperature) are keyed by the kind of the action, not by its place in the list of moves: the list
may be ordered by cards that the player does not see.

A lapse drops some of the rules at one decision. Lapses have a random stream of their own, so players who differ only
in their lapses make all other choices with the same luck.
"""

from __future__ import annotations

import math

import numpy as np

from houle.solver import interface
from houle.solver.cards.bits import U8, has
from houle.solver.cards.streams import advance, apart, below, derive
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.types import (
    Action,
    Categories,
    Features,
    Moves,
    Number,
    Numbers,
    Player,
    Rules,
    State,
    Stream,
)
from houle.solver.interface import MAX_FEATURES
from houle.solver.players.allowed_moves import permitted

NOISE_BITS = 12
NOISE_UNIT = 1024

# Quantiles of the Gumbel distribution in 1/1024, all raised by 3,000, which makes them positive and changes no order.
# Added to ratings they make a softmax choice with integers only. With 64 bits each they would fill the fastest memory.
GUMBEL = np.array(
    [3000 + round(-NOISE_UNIT * math.log(-math.log((i + 0.5) / (1 << NOISE_BITS)))) for i in range(1 << NOISE_BITS)],
    np.uint16,
)
LOWEST = np.int64(-(2**62))
_SHIFT = U8(64 - NOISE_BITS)
MILLI = U8(1000)

RATING = MAX_FEATURES  # column of a table of features, behind them
CERTAIN = 100_000  # 100%, in thousandths of a percent
LAPSES = 1  # number of the stream of lapses, beside the stream of choices
SIGHT, COUNT = 16, 17  # parts of its keys; the other numbers are the rules of thumb


@kernel
def noisy(rated: Number, temperature: Number, luck: Stream) -> Number:
    """A rating with the noise of a temperature, in 1/1024."""
    return rated * NOISE_UNIT + np.int64(U8(temperature) * U8(GUMBEL[luck >> _SHIFT]) // MILLI)


@outlined
def rate(state: State, rules: Rules, weights: Numbers, moves: Moves, n: Number, table: Features) -> None:
    """Writes the features of the moves and their ratings, the latter into the column RATING of the table."""
    interface.features(state, rules, moves, n, table)
    for i in range(n):
        table[i, RATING] = interface.weighted_sum(state, weights, table, i)


@outlined
def thumb_move(
    state: State, rules: Rules, weights: Numbers, temperature: Number, never: Categories, moves: Moves, table: Features
) -> Action:
    """The best-rated permitted move; ties and temperature draw from state.choice."""
    n = permitted(state, rules, never, moves, interface.legal(state, rules, moves))
    if n == 1:
        return moves[0]
    stream = advance(state.choice)
    state.choice = stream
    interface.features(state, rules, moves, n, table)
    best, best_rating, best_luck = moves[0], LOWEST, U8(0)
    for i in range(n):
        action = moves[i]
        luck = derive(stream, interface.kind(state, rules, action))
        rated = interface.weighted_sum(state, weights, table, i)
        if temperature > 0:
            rated = noisy(rated, temperature, luck)
        if rated > best_rating or (rated == best_rating and luck > best_luck):
            best, best_rating, best_luck = action, rated, luck
    return best


@kernel
def thumb_decision(state: State, rules: Rules, player: Player, moves: Moves, table: Features) -> Action:
    """The move of a thumb, with its temperature, forbidden moves and lapses; or of a player that a class names."""
    if interface.names_players(state) and player.budget > 0:
        return interface.named_move(state, rules, player.budget - 1)
    weights = player.weights[:]  # a plain array, so thumb_move is compiled for one type only
    if player.forgets + player.nearsighted + player.loses_count > 0:
        remembered = local_zeros(MAX_FEATURES, np.int64)
        remembered_weights(state, player, remembered)
        weights = remembered
    return thumb_move(state, rules, weights, player.temperature, player.never, moves, table)


@outlined
def remembered_weights(state: State, player: Player, out: Numbers) -> None:
    """Writes the weights of the rules that the player remembers at this decision; the others stay 0."""
    stream = apart(advance(state.choice), LAPSES)
    sees_far = not _happens(stream, SIGHT, player.nearsighted)
    counts = not _happens(stream, COUNT, player.loses_count)
    for k in range(interface.feature_count(state)):
        seen = (sees_far or not has(player.far, k)) and (counts or not has(player.memory, k))
        if seen and not _happens(stream, k if k < SIGHT else k + 2, player.forgets):
            out[k] = player.weights[k]


@kernel
def _happens(stream: Stream, part: Number, chance: Number) -> bool:
    """Whether a lapse of this chance happens. With the same key, a greater chance happens too."""
    return np.int64(below(derive(stream, part), CERTAIN)) < chance


@outlined
def careless_move(state: State, rules: Rules, never: Categories, moves: Moves) -> Action:
    """A random permitted move, drawn from state.choice: a thumb without weights."""
    n = permitted(state, rules, never, moves, interface.legal(state, rules, moves))
    if n == 1:
        return moves[0]
    stream = advance(state.choice)
    state.choice = stream
    best, best_luck = moves[0], derive(stream, interface.kind(state, rules, moves[0]))
    for i in range(1, n):
        luck = derive(stream, interface.kind(state, rules, moves[i]))
        if luck > best_luck:
            best, best_luck = moves[i], luck
    return best
