"""WAVE: the cards left over, when the team wins, and the utility of an end for a search."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Flag, Numbers, Rules, State
from houle.solver.games.wave.state import DUMMY, NONE
from houle.solver.games.wave.text import card_name
from houle.solver.interface import UTILITY, WIN
from houle.solver.interface.files import EndReader, GameEnds
from houle.solver.rules import Setup


@kernel
def cards_left(state: State, rules: Rules) -> Any:
    """The score: cards not laid, or in Nazare cards laid face down."""
    return state.facedown if rules.nazare else rules.deck_size - 1 - state.laid


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
    out[1] += state.laid - (rules.virage and state.virage == NONE)  # the last Virage card is nobody's turn
    out[2] += 1


@kernel
def utility(state: State, rules: Rules, out: Numbers) -> None:
    """A win has twice the utility of the best loss; below that every card left counts."""
    left = cards_left(state, rules)
    size = np.int64(rules.deck_size)
    out[0] = UTILITY if left == 0 else UTILITY // 2 * (size - left) // size


def end_reader(setup: Setup) -> EndReader | str:
    """Reads on which card and at which seat games end. With Nazare every card is laid."""
    rules = setup.rules[0]
    if rules.nazare:
        return "with Nazare every card is laid and no game ends early"
    deck = [int(card) for card in rules.deck[: int(rules.deck_size)]]
    seats = int(rules.seats)
    who = ["the dummy" if rules.dummy and seat == DUMMY else f"seat {seat}" for seat in range(seats)]
    numbers = np.arange(len(setup.options["deck.colours"]) * len(setup.options["deck.numbers"]), dtype=np.uint64)

    def read(states: Any) -> GameEnds:
        # If all hands are empty, nobody is stuck: the last Virage card did not fit.
        has_cards = (states["front"] | states["back"]).any(axis=1)
        return GameEnds(
            states["laid"].astype(np.int64),
            states["top"].astype(np.int64),
            np.where(has_cards, states["acting"], seats).astype(np.int64),
            (states["seen"][:, None] >> numbers) & np.uint64(1) != 0,
        )

    return EndReader(
        most=len(deck) - 1,
        cards={card: card_name(setup, card) for card in deck},
        who=(*who, "the Virage card" if rules.virage else ""),
        read=read,
        size=len(numbers),
    )
