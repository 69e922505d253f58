"""The Game: cards that were not laid, and how games end that were not won."""

import numpy as np

from houle.solver.cardsets import SHIFT, WORD, count
from houle.solver.endings import Endings, Lives
from houle.solver.kernels import kernel
from the_game.state import NUMBERS


@kernel
def round_scores(state, rules, scores):
    scores[0] = rules.highest - 1 - count(state.laid)


@kernel
def counts(state, rules, out):
    """Turns are those that were ended: one player alone has them too."""
    out[0] += state.moves
    out[1] += state.ended
    out[2] += 1


def endings(setup):
    """The card that was laid last, and who could not lay another."""
    cards = np.arange(NUMBERS, dtype=np.uint64)

    def read(states):
        seen = (states["laid"][:, cards >> SHIFT] >> cards % np.uint64(WORD)) & np.uint64(1) != 0
        stuck = np.where(states["stuck"] < 0, setup.players, states["stuck"])
        return Lives(seen.sum(axis=1), states["last"], stuck, seen)

    highest = setup.options["highest"]
    return Endings(
        most=highest - 1,
        cards={card: str(card) for card in range(2, highest + 1)},
        who=(*(f"seat {seat}" for seat in range(setup.players)), ""),
        read=read,
        size=NUMBERS,
    )
