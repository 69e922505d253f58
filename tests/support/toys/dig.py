"""Dig: take a card from one of two heaps, drawn as you take it, or stop; the most points win.

All that a player may not know is what will be drawn. A world that draws from the real luck knows it.
"""

from __future__ import annotations

import copy
from typing import Any


class Game:
    """Dig for treasure until you stop."""

    PLAYERS = (2,)
    SCORE_RANGE = (0, 200)

    def __init__(self, players: int, luck: Any, turns: int = 5) -> None:
        self.luck, self.turns = luck, turns
        self.points, self.digs, self.mover = [0] * players, [0] * players, 0

    def to_move(self) -> int:
        return self.mover if self.digs[self.mover] < self.turns else -1

    def legal(self) -> list[str]:
        return ["wait", "dig left", "dig right"] if self.to_move() >= 0 else []

    def apply(self, move: str) -> None:
        seat = self.mover
        if move != "wait":
            found = self.luck(10)
            if move == "dig right":
                found = 9 - found
            self.points[seat] = max(0, self.points[seat] + found - 4)
        self.digs[seat] += 1
        self.mover = (seat + 1) % len(self.points)

    def result(self) -> dict[str, Any]:
        return {"scores": list(self.points)}

    def rules_of_thumb(self) -> str:
        return "dig left"

    def view(self, seat: int) -> dict[str, Any]:
        return {"points": list(self.points), "digs": list(self.digs)}

    def snapshot(self) -> dict[str, Any]:
        return {"mover": self.to_move(), "points": list(self.points), "digs": list(self.digs)}

    def imagine(self, seat: int, luck: Any) -> Game:
        world = copy.deepcopy(self)
        world.luck = luck
        return world
