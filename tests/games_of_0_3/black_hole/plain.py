"""Black Hole in plain Python, as the rules say it; `houle check` compares the compiled game with it.

The rules, in our own words. One ace lies in the middle: the hole. All other cards lie open in piles. The top card of a
pile goes into the hole if its rank is one above or one below the last card put there; ace and king are neighbours.
Suits do not matter. You win if all cards are in the hole.
"""

from __future__ import annotations

from typing import Any

RANKS = ("ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king")
SUITS = ("spades", "hearts", "diamonds", "clubs")
FIRST = 0  # the ace of spades
NOTHING = -1


class Game:
    """One deal, from the first card into the hole to the last that fits. A card is 4 x rank + suit."""

    PLAYERS = (1,)
    TITLE = "Black Hole"
    SCORE = "cards_left"
    LOWER_IS_BETTER = True

    def __init__(self, players: int, knobs: dict[str, Any], deal: Any, chance: Any) -> None:
        if players != 1:
            raise ValueError("this solitaire game has one player")
        self.wrap: bool = knobs["wrap"]
        cards = list(range(len(RANKS) * len(SUITS)))
        self.hole = NOTHING
        if knobs["first"] == "ace":
            self.hole = FIRST
            cards.remove(FIRST)
        if knobs["piles"] * knobs["height"] > len(cards):
            raise ValueError(f"piles and height need more than {len(cards)} cards")
        # Pile by pile; the last card of a pile lies on top.
        self.piles: list[list[int]] = []
        for _ in range(knobs["piles"]):
            self.piles.append([deal.take(cards) for _ in range(knobs["height"])])
        self.laid = 0

    def fits(self, card: int) -> bool:
        if self.hole == NOTHING:
            return True
        apart = abs(card // len(SUITS) - self.hole // len(SUITS))
        return apart == 1 or (self.wrap and apart == len(RANKS) - 1)

    def to_move(self) -> int:
        return 0 if self.legal() else -1

    def legal(self) -> list[str]:
        """The top cards that fit, pile by pile."""
        return [name(pile[-1]) for pile in self.piles if pile and self.fits(pile[-1])]

    def apply(self, move: str) -> None:
        if move not in self.legal():
            raise ValueError(f"not legal: {move!r}")
        pile = next(pile for pile in self.piles if pile and name(pile[-1]) == move)
        self.hole = pile.pop()
        self.laid += 1

    def left(self) -> int:
        return sum(map(len, self.piles))

    def rules_of_thumb(self) -> str:
        """Digs where most cards are; of equal piles, takes the card with the most neighbours among the top cards."""
        tops = [pile[-1] // len(SUITS) for pile in self.piles if pile]

        def rating(move: str) -> tuple[int, int]:
            pile = next(pile for pile in self.piles if pile and name(pile[-1]) == move)
            rank = pile[-1] // len(SUITS)
            return len(pile), sum((other - rank) % len(RANKS) in (1, len(RANKS) - 1) for other in tops)

        return max(self.legal(), key=rating)

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain numbers."""
        return {"hole": self.hole, "piles": [list(pile) for pile in self.piles], "laid": self.laid}

    def result(self) -> dict[str, Any]:
        left = self.left()
        return {
            "scores": [left],
            "winners": [] if left else [0],
            "shares": [0 if left else 840],
            "moves": self.laid,
            "turns": self.laid,
            "rounds": 1,
            "counts": {},
        }

    def show(self) -> str:
        hole = "nothing" if self.hole == NOTHING else name(self.hole)
        piles = "; ".join(", ".join(map(name, pile)) for pile in self.piles if pile)
        return f"hole: {hole}\npiles, the last card on top: {piles}"


def name(card: int) -> str:
    rank, suit = divmod(card, len(SUITS))
    return f"{RANKS[rank]} of {SUITS[suit]}"
