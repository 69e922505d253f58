"""A face-down pile in plain Python: it draws the same cards as the kernels.

The places are those of the printed deck, so the i-th card drawn hardly depends on what else is in the pile. A place
whose card is left out or was taken out is a gap; cards that are not in the printed deck are kept separately.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Protocol

OTHER, ASIDE = 1 << 8, 1 << 16  # numbers of separate draws


class Luck(Protocol):
    """The random numbers that decide which cards come."""

    def __call__(self, n: int) -> int:
        """The next number below n."""

    def start_round(self, number: int) -> None:
        """Starts the sequence of a round, no matter what was drawn before."""

    def apart(self, n: int, number: int) -> int:
        """A number below n from outside the sequence, which does not advance."""


def swap_pick(cards: list[Any], i: int) -> Any:
    """Takes out a card; the last one fills its place."""
    card = cards[i]
    cards[i] = cards[-1]
    cards.pop()
    return card


def numbered(names: Sequence[Hashable]) -> list[Hashable]:
    """Names for cards that exist several times: each with its index among equal cards."""
    return [(name, list(names[:i]).count(name)) for i, name in enumerate(names)]


class Pile:
    """Cards by their names in the printed deck, or by names that it does not have."""

    def __init__(self, luck: Luck, printed: Sequence[Hashable], cards: Mapping[Hashable, int], room: int) -> None:
        self.luck = luck
        self.places: list[int | None] = [cards.get(name) for name in printed]
        self.added = [card for name, card in cards.items() if name not in printed]
        if len(self.places) + len(self.added) > room or 2 * len(self.added) > len(cards):
            # Too different from the printed deck: its places are not used.
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
        """The next card. If the place is a gap, another card is taken, and the gap moves there."""
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
        """A random card that does not advance the sequence of draws."""
        i = self.luck.apart(len(self), ASIDE)
        if i < len(self.added):
            return int(swap_pick(self.added, i))
        i = self._other(ASIDE + 1)
        card, self.places[i] = self.places[i], None
        assert card is not None
        return card

    def _other(self, number: int) -> int:
        """A random place with a card."""
        while self.places[i := self.luck.apart(len(self.places), number)] is None:
            number += 1
        return i
