"""Moves drawn at random by regret matching: for choices that others make at the same time.

Who always lays the best card against what it expects can be foreseen and answered. So a search may mix: world by world
it draws each move by its regret, that is how much better the move would have been so far than what was drawn (regrets
never fall below 0, later worlds count more). The average of these chances is what the move is drawn from. In worlds
that never change, that is the best move alone; moves that are each best in some worlds are mixed. It is a mixture
against the players that worlds are imagined with: nobody imagined answers it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.bitset import U8
from houle.solver.interface import kind
from houle.solver.kernels import outlined
from houle.solver.strategies.thumb import CERTAIN
from houle.solver.strategies.workspace import Workspace
from houle.solver.streams import advance, below, derive
from houle.solver.types import Key, Moves, Number, Player, Rules, State

WHOLE = 1 << 16  # a certainty, as chances are counted
LATEST = 1 << 16  # worlds from this one on count alike, so that sums stay whole numbers of 64 bits
FINE = 1 << 30  # the most that a draw can tell apart
MIXING = U8(1 << 40)  # beyond every number of a world: the key of the draw


@outlined
def start_mixing(mixture: Any, n: Number, reference: Number) -> None:
    """Before the first world the thumb's own move is certain."""
    for i in range(n):
        mixture[i].regret = mixture[i].part = 0
        mixture[i].chance = WHOLE if i == reference else 0


@outlined
def match_regrets(candidates: Any, mixture: Any, n: Number, reference: Number, played: Number) -> None:
    """Adds one world to the regrets and to the mixture."""
    expected, total = 0, 0
    for i in range(n):
        mixture[i].part += mixture[i].chance * min(played, LATEST)
        expected += mixture[i].chance * candidates[i].value
    expected //= WHOLE
    for i in range(n):
        if candidates[i].alive:
            mixture[i].regret = max(0, mixture[i].regret + candidates[i].value - expected)
            total += mixture[i].regret
    for i in range(n):
        if total == 0:
            mixture[i].chance = WHOLE if i == reference else 0
        else:
            mixture[i].chance = mixture[i].regret * WHOLE // total if candidates[i].alive else 0


@outlined
def mixed_move(
    state: State, rules: Rules, player: Player, key: Key, moves: Moves, n: Number, best: Number, work: Workspace
) -> Number:
    """Which of the moves is drawn; the best one where the player does not mix at this decision.

    Chances lie side by side in the order of the moves' kinds: the list itself may be ordered by what nobody knows.
    """
    candidates, mixture = work.candidates, work.mixture
    stream = derive(key, MIXING)
    if np.int64(below(stream, CERTAIN)) >= player.mix:
        return best
    total = 0
    for i in range(n):
        mixture[i].part = mixture[i].part if candidates[i].alive else 0
        total += mixture[i].part
    if total == 0:
        return best
    shift = 0
    while total >> shift > FINE:
        shift += 1
    parts = 0
    for i in range(n):
        mixture[i].part >>= shift
        parts += mixture[i].part
    point = np.int64(below(advance(stream), parts))
    for i in range(n):
        before = 0
        for j in range(n):
            before += mixture[j].part if kind(state, rules, moves[j]) < kind(state, rules, moves[i]) else 0
        if before <= point < before + mixture[i].part:
            return i
    return best
