"""The Game: cards that were not laid."""

from houle.solver.cardsets import count
from houle.solver.kernels import kernel


@kernel
def round_scores(state, rules, scores):
    scores[0] = rules.highest - 1 - count(state.laid)


@kernel
def counts(state, rules, out):
    """Turns are those that were ended: one player alone has them too."""
    out[0] += state.moves
    out[1] += state.ended
    out[2] += 1
