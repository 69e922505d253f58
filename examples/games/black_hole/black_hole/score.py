"""Black Hole: the score (cards left on the piles; none is a win), and on which card a game ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from black_hole.plain import name
from black_hole.state import DECK, FIRST
from houle.own_game import UTILITY, WIN, EndReader, Flag, GameEnds, Numbers, Rules, Setup, State, kernel


@kernel
def cards_left(state: State, rules: Rules) -> Any:
    return np.int64(rules.piles) * np.int64(rules.height) - np.int64(state.laid)


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
def utility(state: State, rules: Rules, out: Numbers) -> None:
    """A win has twice the utility of the best loss; below that every card left counts."""
    laid, left = np.int64(state.laid), cards_left(state, rules)
    out[0] = UTILITY if left == 0 else UTILITY // 2 * laid // (laid + left)


def end_reader(setup: Setup) -> EndReader:
    """Reads on which card games end."""
    piles, height = setup.options["piles"], setup.options["height"]
    places = np.arange(piles * height)
    given = [FIRST] if setup.options["first"] == "ace" else []

    def read(states: Any) -> GameEnds:
        seen = np.zeros((len(states), DECK), np.bool_)
        gone = places % height >= states["left"][:, places // height]
        games, which = np.nonzero(gone)
        seen[games, states["cards"][games, which]] = True
        seen[:, given] = True
        return GameEnds(
            states["laid"].astype(np.int64), states["hole"].astype(np.int64), np.zeros(len(states), int), seen
        )

    return EndReader(
        most=piles * height, cards={card: name(card) for card in range(DECK)}, who=("the player",), read=read, size=DECK
    )
