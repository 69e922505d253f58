"""The Game: the score (cards not laid), the utility for a search, and how lost games end."""

import numpy as np

from houle.own_game import SHIFT, UTILITY, WORD, EndReader, GameEnds, count, kernel
from the_game.state import NUMBERS, PILES, RISING

# How many turns a search looks ahead, and the cards it expects to be left then, in hundredths of a card: least squares
# over 18,920 turns of thumbs.
TURNS = 6
EXPECTED, PER_CARD, PER_ROOM = 600, 86, 18


@kernel
def round_scores(state, rules, scores):
    scores[0] = rules.highest - 1 - count(state.laid)


@kernel
def search_over(state, root):
    """Stops a search after some turns, as the rest of a long game is mostly luck, unless nothing is left to draw."""
    return state.mover < 0 or (state.ended - root.ended >= TURNS and count(state.pile) > 0)


@kernel
def utility(state, rules, out):
    """The share of cards laid at the end; before the end, the cards that the room on the piles promises.

    The win itself does not count: too few games are won for one move to make a visible difference.
    """
    left = rules.highest - 1 - count(state.laid)
    lost = 100 * left
    if state.mover >= 0:
        room = np.int64(0)
        for pile in range(PILES):
            top = np.int64(state.top[pile])
            room += rules.highest - top if pile < RISING else top - 2
        lost = max(np.int64(0), min(lost, EXPECTED + PER_CARD * left - PER_ROOM * room))
    out[0] = UTILITY - UTILITY * lost // (100 * (rules.highest - 1))


@kernel
def counts(state, rules, out):
    """Counts finished turns; a single player has them too."""
    out[0] += state.moves
    out[1] += state.ended
    out[2] += 1


def end_reader(setup):
    """Reads the card that was laid last, and who could not lay another."""
    cards = np.arange(NUMBERS, dtype=np.uint64)

    def read(states):
        seen = (states["laid"][:, cards >> SHIFT] >> cards % np.uint64(WORD)) & np.uint64(1) != 0
        stuck = np.where(states["stuck"] < 0, setup.players, states["stuck"])
        return GameEnds(seen.sum(axis=1), states["last"], stuck, seen)

    highest = setup.options["highest"]
    return EndReader(
        most=highest - 1,
        cards={card: str(card) for card in range(2, highest + 1)},
        who=(*(f"seat {seat}" for seat in range(setup.players)), ""),
        read=read,
        size=NUMBERS,
    )
