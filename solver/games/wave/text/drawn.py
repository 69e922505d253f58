"""WAVE: which cards left the pile in a move, by all names they go by."""

from __future__ import annotations

from collections import Counter

from houle.solver.games.wave.state import INVERT_COLOURS, INVERT_NUMBERS
from houle.solver.games.wave.text import card_name
from houle.solver.piles import cards_in_pile
from houle.solver.ruleset import Setup
from houle.solver.types import State

INVERSIONS = {INVERT_COLOURS: "colour inversion", INVERT_NUMBERS: "number inversion"}


def drawn(before: State, after: State, setup: Setup) -> list[tuple[str, ...]]:
    """The card drawn, and the inversion cards that came before it."""
    gone = Counter(cards_in_pile(before)) - Counter(cards_in_pile(after))
    return [(_name(card, setup),) for card in gone.elements()]


def pile_names(state: State, setup: Setup) -> set[str]:
    """What may be drawn."""
    return {_name(card, setup) for card in cards_in_pile(state)}


def _name(card: int, setup: Setup) -> str:
    return INVERSIONS[card] if card in INVERSIONS else card_name(setup, card)
