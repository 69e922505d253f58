"""WAVE: which cards left the pile in a move, and from which place of a hand a card was laid."""

from __future__ import annotations

from collections import Counter

from houle.solver.cards.piles import cards_in_pile
from houle.solver.compiler.types import State
from houle.solver.games.wave.state import BACK, HIDE, INVERT_COLOURS, INVERT_NUMBERS, NO_SWAP, POINT
from houle.solver.games.wave.text import card_name
from houle.solver.matches.known import Known
from houle.solver.rules import Setup

INVERSIONS = {INVERT_COLOURS: "colour inversion", INVERT_NUMBERS: "number inversion"}


def drawn(before: State, after: State, setup: Setup) -> list[tuple[str, ...]]:
    """The card drawn, and the inversion cards that came before it."""
    gone = Counter(cards_in_pile(before)) - Counter(cards_in_pile(after))
    return [(_name(card, setup),) for card in gone.elements()]


def pile_names(state: State, setup: Setup) -> set[str]:
    """The names of the cards that may be drawn."""
    return {_name(card, setup) for card in cards_in_pile(state)}


def place_of(state: State, setup: Setup, action: int, viewer: int | None = None) -> int:
    """The place in the hand, from 1, of a move's card; 0 if it has none or the viewer knows the card itself."""
    if action == NO_SWAP or action >= POINT:
        return 0
    code, holder = action & (HIDE - 1), int(state.acting)
    slot = code - BACK if code >= BACK else int(state.slot[code])
    if viewer is not None and Known.of(state, setup, viewer)["places", holder][slot] > 0:
        return 0
    return slot + 1


def _name(card: int, setup: Setup) -> str:
    return INVERSIONS[card] if card in INVERSIONS else card_name(setup, card)
