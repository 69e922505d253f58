"""VAGUE VERTE: which cards left the stock in a move, by name."""

from __future__ import annotations

from houle.solver.cards.piles import cards_in_pile
from houle.solver.compiler.types import State
from houle.solver.games.vague_verte.state import build_deck
from houle.solver.rules import Setup


def drawn(before: State, after: State, setup: Setup) -> list[tuple[str, ...]]:
    """The card drawn, or turned up because the face-up pile was empty."""
    deck, gone = build_deck(setup.options), set(cards_in_pile(before)) - set(cards_in_pile(after))
    return [(deck[card],) for card in sorted(gone)]


def pile_names(state: State, setup: Setup) -> set[str]:
    """The names of the cards that may be drawn."""
    deck = build_deck(setup.options)
    return {deck[card] for card in cards_in_pile(state)}
