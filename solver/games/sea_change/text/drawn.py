"""SEA CHANGE: which cards left the pile in a move, by name."""

from __future__ import annotations

from houle.solver.cards.piles import cards_in_pile
from houle.solver.compiler.types import State
from houle.solver.games.sea_change.text import card_name
from houle.solver.rules import Setup


def drawn(before: State, after: State, setup: Setup) -> list[tuple[str, ...]]:
    """Cards drawn from the stock or played by the AI; none if the next round was dealt, which hides them."""
    if int(after.ended):
        return []
    return [(card_name(card),) for card in sorted(set(cards_in_pile(before)) - set(cards_in_pile(after)))]


def pile_names(state: State, setup: Setup) -> set[str]:
    """The names of the cards that may be drawn."""
    return {card_name(card) for card in cards_in_pile(state)}
