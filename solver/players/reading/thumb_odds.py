"""The chance that a noisy thumb makes a move: how readers model the others.

A thumb of temperature T adds Gumbel noise to its ratings (thumb.py), so a move has the odds exp(rating / T).
Exponentials are whole numbers from a table and sums are exact, so the last bit of a library's `exp` never matters.
"""

from __future__ import annotations

import math

import numpy as np

from houle.solver.compiler.kernels import outlined
from houle.solver.compiler.types import Action, Number, Player, Real, Rules, State
from houle.solver.interface import features, kind, legal, weighted_sum
from houle.solver.players.player import MILLI
from houle.solver.players.thumb import LOWEST
from houle.solver.players.workspace import Scene

SLIP = 0.02  # chance of a random move, so that one odd move rules out no world
STEPS = 64  # entries of the table per temperature below the best rating
FAR = 16  # temperatures below the best; moves rated lower have no odds
ODDS = np.array([round(math.exp(-i / STEPS) * 2**30) for i in range(STEPS * FAR)], np.int64)


@outlined
def chance_of(state: State, rules: Rules, action: Action, player: Player, temperature: Number, scene: Scene) -> Real:
    """The chance that a thumb of this temperature takes this action; 0 where it is impossible.

    Ratings overwrite the first feature of each move, which is no longer needed.
    """
    moves, table, weights = scene.buffer, scene.table, player.weights[:]
    n = legal(state, rules, moves)
    if n == 1:
        return 1.0 if kind(state, rules, moves[0]) == kind(state, rules, action) else 0.0
    features(state, rules, moves, n, table)
    best = LOWEST
    for i in range(n):
        rated = weighted_sum(state, weights, table, i)
        table[i, 0] = rated
        best = max(best, rated)
    label = kind(state, rules, action)
    this, all_of_them, ways = 0, 0, 0
    for i in range(n):
        below = (best - table[i, 0]) * (STEPS * MILLI) // temperature
        odds = ODDS[below] if below < STEPS * FAR else 0
        all_of_them += odds
        if kind(state, rules, moves[i]) == label:
            this += odds
            ways += 1
    return (1.0 - SLIP) * (this / all_of_them) + SLIP * (ways / n)
