"""A face-down pile in plain Python: which card comes next is agreed with the kernels, draw by draw.

The places are those of the printed deck, so that the i-th card drawn hardly depends on what else is in the pile. A
place whose card is left out or was taken out is a gap; cards that are not in the printed deck lie apart.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

OTHER, ASIDE = 1 << 8, 1 << 16  # numbers of draws apart


class Luck(Protocol):
    """Where the cards come from."""

    def __call__(self, n: int) -> int:
        """The next number below n."""

    def start_round(self, number: int) -> None:
        """Begins the line of a round, whatever was drawn before."""

    def apart(self, n: int, number: int) -> int:
        """A number below n from beside the line, which stays where it is."""


def swap_pick(cards: list[Any], i: int) -> Any:
    """Takes out a card; the last one fills its place."""
    card = cards[i]
    cards[i] = cards[-1]
    cards.pop()
    return card


def numbered(names: Sequence[Hashable]) -> list[Hashable]:
    """Names for cards of which there are several: the how-many-th of its kind each one is."""
    return [(name, list(names[:i]).count(name)) for i, name in enumerate(names)]


class Pile:
    """Cards under the names they have in the printed deck, or under names it does not have."""

    def __init__(self, luck: Luck, printed: Sequence[Hashable], cards: Mapping[Hashable, int], room: int) -> None:
        self.luck = luck
        self.places: list[int | None] = [cards.get(name) for name in printed]
        self.added = [card for name, card in cards.items() if name not in printed]
        if len(self.places) + len(self.added) > room or 2 * len(self.added) > len(cards):
            # Hardly the printed deck any more: nothing is in step with it.
            self.places, self.added = list(cards.values()), []

    def __len__(self) -> int:
        return len(self.cards())

    def cards(self) -> list[int]:
        return sorted([card for card in self.places if card is not None] + self.added)

    def copy(self, luck: Luck) -> Pile:
        other = Pile(luck, [], {}, 0)
        other.places, other.added = list(self.places), list(self.added)
        return other

    def add(self, card: int) -> None:
        self.added.append(card)

    def draw(self) -> int:
        """The next card. Who hits a gap takes another card, and the gap is where that was."""
        if self.added:
            i = self.luck.apart(len(self), len(self.added))
            if i < len(self.added):
                return int(swap_pick(self.added, i))
        i = self.luck(len(self.places))
        if self.places[i] is None:
            j = self._other(OTHER)
            self.places[i], self.places[j] = self.places[j], None
        card = swap_pick(self.places, i)
        assert card is not None
        return int(card)

    def take_aside(self) -> int:
        """Any card, without the luck of those that are drawn."""
        i = self.luck.apart(len(self), ASIDE)
        if i < len(self.added):
            return int(swap_pick(self.added, i))
        i = self._other(ASIDE + 1)
        card, self.places[i] = self.places[i], None
        assert card is not None
        return card

    def _other(self, number: int) -> int:
        """A place with a card."""
        while self.places[i := self.luck.apart(len(self.places), number)] is None:
            number += 1
        return i
