"""Black Hole: cards left on the piles; none is the win."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.contract import WIN
from houle.solver.kernels import kernel
from houle.solver.types import Flag, Numbers, Reals, Rules, State


@kernel
def cards_left(state: State, rules: Rules) -> Any:
    return np.int64(rules.piles) * np.int64(rules.height) - np.int64(state.laid)


@kernel
def round_over(state: State) -> Flag:
    return state.mover < 0


@kernel
def round_scores(state: State, rules: Rules, scores: Numbers) -> None:
    scores[0] = cards_left(state, rules)


@kernel
def outcome(state: State, rules: Rules, shares: Numbers) -> Flag:
    shares[0] = WIN if cards_left(state, rules) == 0 else 0
    return False


@kernel
def counts(state: State, rules: Rules, out: Numbers) -> None:
    out[0] += state.laid
    out[1] += state.laid
    out[2] += 1


@kernel
def worth(state: State, rules: Rules, out: Reals) -> None:
    """A win is worth twice the best loss; below that every card left counts."""
    left = cards_left(state, rules)
    out[0] = 1.0 if left == 0 else 0.5 * (1.0 - left / (rules.piles * 1.0 * rules.height))
