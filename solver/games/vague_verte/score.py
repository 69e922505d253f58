"""VAGUE VERTE: the squares filled, who has won, and the utility of an end for a search."""

from __future__ import annotations

import numpy as np

from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Flag, Numbers, Rules, State
from houle.solver.games.vague_verte.state import NONE
from houle.solver.interface import UTILITY, WIN


@kernel
def round_scores(state: State, rules: Rules, scores: Numbers) -> None:
    for seat in range(rules.seats):
        scores[seat] = state.filled[seat]


@kernel
def standing(state: State, rules: Rules, out: Numbers) -> None:
    """The squares filled."""
    round_scores(state, rules, out)


@kernel
def outcome(state: State, rules: Rules, shares: Numbers) -> Flag:
    for seat in range(rules.seats):
        shares[seat] = WIN if state.winner == seat else 0
    return state.winner == NONE


@kernel
def counts(state: State, rules: Rules, out: Numbers) -> None:
    out[0] += state.plays
    out[1] += state.turns
    out[2] += 1
    out[3] += state.plays
    out[4] += state.discards
    out[5] += state.plays + state.discards


@kernel
def utility(state: State, rules: Rules, out: Numbers) -> None:
    """Nearly all utility is the win; the squares filled distinguish lost games."""
    for seat in range(rules.seats):
        win = 19 * UTILITY // 20 if state.winner == seat else 0
        out[seat] = win + UTILITY // 20 * np.int64(state.filled[seat]) // np.int64(rules.road)
