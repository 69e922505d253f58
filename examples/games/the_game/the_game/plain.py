"""The Game in plain Python, as the rules say it; `houle check` compares the compiled game with it.

The rules, in our own words. Cards from 2 to 99 go onto four piles: two start at 1 and rise, two start at 100 and fall.
A card must be higher than the top of a rising pile, lower than the top of a falling one, or go back by exactly ten.
Each turn you lay at least two cards, or one once nothing is left to draw; then you fill up your hand. All win together
when every card is laid, and lose as soon as somebody cannot lay what a turn requires. Nobody may say numbers.
"""

from __future__ import annotations

import copy
from typing import Any

PILES = ("first rising", "second rising", "first falling", "second falling")
RISING = 2  # the first two piles rise
STOP = "stop"


class Game:
    """One game of 1 to 5 players, always at a decision or over."""

    PLAYERS = (1, 2, 3, 4, 5)
    TITLE = "The Game"
    SCORE = "cards_left"
    LOWER_IS_BETTER = True

    def __init__(self, players: int, knobs: dict[str, Any], deal: Any, chance: Any) -> None:
        if players not in self.PLAYERS:
            raise ValueError("The Game is for 1 to 5 players")
        self.knobs, self.players, self.deal = knobs, players, deal
        highest = knobs["highest"]
        self.pile = list(range(2, highest + 1))  # ascending; a card is chosen when it is drawn
        self.top = [1, 1, highest + 1, highest + 1]
        self.hand: list[list[int]] = [[] for _ in range(players)]
        self.laid: list[int] = []
        self.last = 0
        self.moves = self.turns = 0
        for _ in range(knobs["hand"]):
            for seat in range(players):
                self.hand[seat].append(self.draw())
        self.seat = 0
        self.over = False
        self.begin_turn()

    def draw(self) -> int:
        return self.pile.pop(self.deal(len(self.pile)))

    def begin_turn(self) -> None:
        """Sets how many cards the turn requires: fewer once nothing is left to draw, never more than are held."""
        required = self.knobs["turn"] if self.pile else self.knobs["last"]
        self.need = min(required, len(self.hand[self.seat]))
        self.end_if_stuck()

    def end_if_stuck(self) -> None:
        self.over = self.need > 0 and not self.plays()

    def fits(self, card: int, pile: int) -> bool:
        ahead = card - self.top[pile] if pile < RISING else self.top[pile] - card
        return ahead > 0 or (ahead == -self.knobs["step"] and self.knobs["step"] > 0)

    def plays(self) -> list[tuple[int, int]]:
        hand = sorted(self.hand[self.seat])
        return [(card, pile) for card in hand for pile in range(len(PILES)) if self.fits(card, pile)]

    def to_move(self) -> int:
        return -1 if self.over else self.seat

    def legal(self) -> list[str]:
        if self.over:
            return []
        moves = [f"{card} on the {PILES[pile]} pile" for card, pile in self.plays()]
        return moves if self.need > 0 else [*moves, STOP]

    def apply(self, move: str) -> None:
        if move not in self.legal():
            raise ValueError(f"not legal: {move!r}")
        self.moves += 1
        if move == STOP:
            self.end_turn()
            return
        number, _, place = move.partition(" on the ")
        card = int(number)
        self.hand[self.seat].remove(card)
        self.laid.append(card)
        self.last = card
        self.top[PILES.index(place.removesuffix(" pile"))] = card
        self.need = max(0, self.need - 1)
        if self.hand[self.seat]:
            self.end_if_stuck()
        else:
            self.end_turn()

    def end_turn(self) -> None:
        """Fills up the hand; the next player with cards moves. If nobody has cards, all are laid."""
        while self.pile and len(self.hand[self.seat]) < self.knobs["hand"]:
            self.hand[self.seat].append(self.draw())
        self.turns += 1
        self.need = 0
        if not any(self.hand):
            self.over = True
            return
        self.seat = (self.seat + 1) % self.players
        while not self.hand[self.seat]:
            self.seat = (self.seat + 1) % self.players
        self.begin_turn()

    def left(self) -> int:
        return len(self.pile) + sum(map(len, self.hand))

    def imagine(self, seat: int, luck: Any) -> Game:
        """Redeals the cards that the seat does not see; a player who must lay a card can, or the game would be over."""
        world = copy.copy(self)
        world.top, world.laid, world.deal = list(self.top), list(self.laid), luck
        others = [card for other in range(self.players) if other != seat for card in self.hand[other]]
        unseen = sorted([*self.pile, *others])
        while True:
            world.pile = list(unseen)
            world.hand = [
                list(hand) if other == seat else [world.draw() for _ in hand] for other, hand in enumerate(self.hand)
            ]
            if self.over or self.need == 0 or world.plays():
                return world

    def rules_of_thumb(self) -> str:
        """Lays required cards where they skip the fewest numbers; more only for a step back or a small skip."""
        plays = self.plays()
        skips = {
            (card, pile): card - self.top[pile] if pile < RISING else self.top[pile] - card for card, pile in plays
        }
        best = min(plays, key=lambda play: skips[play], default=None)
        if best is None or (self.need == 0 and skips[best] > 2):
            return STOP
        return f"{best[0]} on the {PILES[best[1]]} pile"

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain numbers, in the form of the compiled game."""
        return {
            "mover": self.to_move(),
            "top": list(self.top),
            "laid": sorted(self.laid),
            "last": self.last,
            "need": self.need,
            "ended": self.turns,
            "stuck": self.seat if self.over and self.left() else -1,
            "hand": [sorted(hand) for hand in self.hand],
            "pile": list(self.pile),
        }

    def result(self) -> dict[str, Any]:
        left = self.left()
        return {
            "scores": [left],
            "shares": [0 if left else 840],
            "moves": self.moves,
            "turns": self.turns,
            "rounds": 1,
            "counts": {},
        }

    def show(self) -> str:
        piles = ", ".join(f"{name} {top}" for name, top in zip(PILES, self.top, strict=True))
        hands = "\n".join(f"hand of seat {seat + 1}: {sorted(hand)}" for seat, hand in enumerate(self.hand))
        return f"{piles}; {len(self.pile)} to draw\n{hands}"
