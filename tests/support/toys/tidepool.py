"""Tidepool: lay all cards in rising order together, without seeing each other's hands.

A card that is laid while another player holds a lower one costs a life, and the lower ones are thrown. A star throws
everybody's lowest card, so the rest of each hand is above it. A player may show the highest card of a hand.
"""

from __future__ import annotations

import copy
from typing import Any


class Game:
    """Lay all cards in rising order together."""

    PLAYERS = (2, 3, 4)
    SCORE = "cards laid"
    SCORE_RANGE = (0, 20)

    def __init__(self, players: int, luck: Any, cards: int = 40, hand: int = 5, lives: int = 3) -> None:
        self.luck = luck
        self.deck = list(range(1, cards + 1))
        self.hand = [sorted(luck.take(self.deck) for _ in range(hand)) for _ in range(players)]
        self.floor = [0] * players  # the cards of a hand are above it
        self.highest = [0] * players  # the highest card of a hand, once it was shown
        self.last = [0] * players  # what each seat threw in the last move
        self.laid: list[int] = []
        self.thrown: list[int] = []
        self.top, self.lives, self.stars, self.shows, self.passes = 0, lives, 1, 2, 4 * players
        self.mover = 0
        self.find_mover()

    def find_mover(self) -> None:
        while any(self.hand) and not self.hand[self.mover]:
            self.mover = (self.mover + 1) % len(self.hand)

    def to_move(self) -> int:
        return self.mover if self.lives > 0 and any(self.hand) else -1

    def legal(self) -> list[str]:
        if self.to_move() < 0:
            return []
        moves = ["lay"]
        if self.passes:
            moves.append("pass")
        if self.stars:
            moves.append("star")
        if self.shows and not self.highest[self.mover]:
            moves.append("show")
        return moves

    def apply(self, move: str) -> None:
        self.last = [0] * len(self.hand)
        if move == "lay":
            self.lay()
        elif move == "pass":
            self.passes -= 1
        elif move == "star":
            self.stars -= 1
            for seat, hand in enumerate(self.hand):
                if hand:
                    self.floor[seat] = hand[0]
                    self.throw(seat, hand[0])
        else:
            self.shows -= 1
            self.highest[self.mover] = self.hand[self.mover][-1]
        self.mover = (self.mover + 1) % len(self.hand)
        self.find_mover()

    def lay(self) -> None:
        card = self.hand[self.mover].pop(0)
        self.forget(self.mover)
        self.top = card
        self.laid.append(card)
        lower = [(seat, one) for seat, hand in enumerate(self.hand) for one in hand if one < card]
        for seat, one in lower:
            self.throw(seat, one)
        self.lives -= bool(lower)

    def throw(self, seat: int, card: int) -> None:
        self.hand[seat].remove(card)
        self.thrown.append(card)
        self.last[seat] = card
        self.forget(seat)

    def forget(self, seat: int) -> None:
        """A hand without cards has no highest one."""
        if not self.hand[seat]:
            self.highest[seat] = 0

    def result(self) -> dict[str, Any]:
        won = self.lives > 0
        return {"scores": [len(self.laid)], "winners": [0] if won else []}

    def rules_of_thumb(self) -> str:
        moves = self.legal()
        if self.hand[self.mover][0] - self.top > 6 and "pass" in moves:
            return "pass"
        return "lay"

    def view(self, seat: int) -> dict[str, Any]:
        return {
            "your hand": list(self.hand[seat]),
            "cards": [len(hand) for hand in self.hand],
            "top": self.top,
            "lives": self.lives,
            "stars": self.stars,
            "shows": self.shows,
            "passes": self.passes,
            "laid": list(self.laid),
            "thrown": sorted(self.thrown),
            "floor": list(self.floor),
            "highest": list(self.highest),
            "last": list(self.last),
            "to move": self.to_move(),
        }

    def snapshot(self) -> dict[str, Any]:
        return {
            "mover": self.to_move(),
            "hand": [list(hand) for hand in self.hand],
            "deck": sorted(self.deck),
            "top": self.top,
            "lives": self.lives,
            "stars": self.stars,
            "shows": self.shows,
            "passes": self.passes,
            "laid": list(self.laid),
            "thrown": sorted(self.thrown),
            "floor": list(self.floor),
            "highest": list(self.highest),
            "last": list(self.last),
        }

    def imagine(self, seat: int, luck: Any) -> Game:
        world = copy.deepcopy(self)
        world.luck = luck
        others = [other for other in range(len(self.hand)) if other != seat]
        unseen = sorted(self.deck + [card for other in others for card in self.hand[other]])
        free = [card for card in unseen if card not in self.highest]
        while True:
            left = list(free)
            for other in others:
                shown = [self.highest[other]] if self.highest[other] else []
                number = len(self.hand[other]) - len(shown)
                fitting = [card for card in left if self.fits(card, other)]
                # A hand that leaves few cards to the next seats is one of fewer deals, so it is kept less often.
                most = ways(sum(self.fits(card, other) for card in free), number)
                if luck(1_000_000) * most >= 1_000_000 * ways(len(fitting), number):
                    break
                drawn = [luck.take(fitting) for _ in range(number)]
                world.hand[other] = sorted(drawn + shown)
                left = [card for card in left if card not in drawn]
            else:
                world.deck = left
                return world

    def fits(self, card: int, seat: int) -> bool:
        """Whether a card that nobody has shown may be in a hand."""
        return max(self.top, self.floor[seat]) < card < (self.highest[seat] or 1_000)


def ways(cards: int, number: int) -> int:
    """In how many ways a number of cards can be chosen, in order."""
    found = 1
    for taken in range(number):
        found *= max(cards - taken, 0)
    return found
