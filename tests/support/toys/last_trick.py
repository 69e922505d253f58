"""A toy in plain Python: players hold hidden cards, and the highest card of a trick takes a point.

It can be worked out by hand: `hand` cards each from 1 to 12, and seat 0 leads every trick.
"""

from __future__ import annotations

import copy
from typing import Any


class Game:
    """Tricks; the most points win, ties share."""

    PLAYERS = (2, 3, 4)
    SCORE = "tricks"

    def __init__(self, players: int, luck: Any, hand: int = 3, wild: bool = False) -> None:
        self.cards = list(range(1, 13))
        self.hands = [[luck.take(self.cards) for _ in range(hand)] for _ in range(players)]
        self.points = [0] * players
        self.laid: list[int] = []
        self.luck, self.wild = luck, wild

    def to_move(self) -> int:
        return len(self.laid) if any(self.hands) else -1

    def legal(self) -> list[int]:
        return sorted(self.hands[self.to_move()])

    def apply(self, card: int) -> None:
        self.hands[self.to_move()].remove(card)
        self.laid.append(card)
        if len(self.laid) == len(self.points):
            seat = self.laid.index(max(self.laid))
            self.points[self.luck(len(self.points)) if self.wild else seat] += 1
            self.laid = []

    def result(self) -> dict[str, Any]:
        return {"scores": self.points, "counts": {"highest": max(self.points)}}

    def imagine(self, seat: int, luck: Any) -> Game:
        """Redeals the others' cards from all that the seat has not seen."""
        world = copy.deepcopy(self)
        world.luck = luck
        unseen = sorted([*self.cards, *(card for i, hand in enumerate(self.hands) if i != seat for card in hand)])
        for i, hand in enumerate(self.hands):
            if i != seat:
                world.hands[i] = [luck.take(unseen) for _ in hand]
        world.cards = unseen
        return world

    def rules_of_thumb(self) -> int:
        """The lowest card that takes the trick, else the lowest card."""
        above = [card for card in self.legal() if card > max(self.laid, default=0)]
        return min(above or self.legal())

    def show(self) -> str:
        return f"hands {self.hands}, laid {self.laid}"
