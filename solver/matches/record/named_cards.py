"""The cards of a position as its lines name them: each is in one place, and the rest of the deck is in a pile."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from houle.solver.cards.piles import GAP
from houle.solver.compiler.types import State
from houle.solver.matches.record.line_parser import UNKNOWN, Lines


class NamedCards:
    """The cards that lines have named so far."""

    def __init__(self, lines: Lines, names: Mapping[str, int], shown: Callable[[int], str]) -> None:
        self.lines, self.names, self.shown = lines, names, shown
        self.where: dict[int, str] = {}  # card -> the place where it was named

    def put(self, card: int, place: str) -> int:
        """Notes the place of a card; returns the card."""
        if card in self.where:
            raise self.lines.fault(place, f"{self.shown(card)} is named twice, here and at {self.where[card]}")
        self.where[card] = place
        return card

    def seen(self, place: str, problem: str) -> list[int]:
        """The cards of a line, which may also be named elsewhere. `problem` says why none of them is `?`."""
        cards = self.lines.cards(place, self.names) or []
        if UNKNOWN in cards:
            raise self.lines.fault(place, problem)
        return cards

    def named(self, place: str, problem: str) -> list[int]:
        """The cards of a line that are in this place and in no other."""
        return [self.put(card, place) for card in self.seen(place, problem)]

    def left(self) -> list[int]:
        """The cards that are not named."""
        return [card for card in self.names.values() if card not in self.where]


def lay_pile(state: State, cards: Sequence[int], added: Sequence[int] = ()) -> None:
    """Makes a pile of these cards, GAP for a place without a card, with the added ones at the end of the array."""
    state.pile[: len(cards)] = cards
    state.pile[len(state.pile) - len(added) :] = added
    gaps = list(cards).count(GAP)
    state.pile_left, state.gaps, state.added = len(cards) - gaps + len(added), gaps, len(added)
