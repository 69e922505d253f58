"""How much plays tell: what a seat that reads the others knows of their cards, beyond what it can see.

At a decision worlds are imagined that the seat cannot tell from the real one. Each is weighed as readers do it
(solver/strategies/reading): by how likely blurred thumbs would have done in it what the others did. What that is worth
is the log score: by how many nats the real world weighs more than an average one, above 0 where reading is right and
below where it misleads. Nearer to a table is the chance given to the true card of a hidden place, in worlds that count
alike and in worlds that count by weight.
"""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from houle.analysis.sampling.readers import calibrated
from houle.analysis.stats.clusters import Vector
from houle.solver.contract import blank
from houle.solver.position import Table
from houle.solver.ruleset import Setup
from houle.solver.strategies.names import parse
from houle.solver.strategies.player import player_record
from houle.solver.strategies.reading.thumb_odds import SLIP

MEASURES = {
    "nats": "what the others' plays tell, in nats",
    "card_even": "chance of a hidden card, worlds counted alike",
    "card_read": "chance of a hidden card, worlds read",
}
SHARES = ("card_even", "card_read")
BELIEF = np.dtype([("telling", "i8"), ("cards", "i8"), *((name, "f8") for name in MEASURES)])
WORLDS = 40  # imagined at a decision
EVERY = 6  # decisions, of which one is looked at


class Reader:
    """Weighs worlds as a reader of this table does."""

    def __init__(self, setup: Setup, temperature: float) -> None:
        self.temperature = temperature
        self.weights = player_record(parse("thumb"), setup)[0].weights[: len(setup.game.FEATURES)]
        self.places = setup.game.file("view").cards_in_places  # type: ignore[union-attr]

    @classmethod
    def of(cls, setup: Setup) -> Reader | None:
        """None where the game has no reader, or does not say where its cards lie."""
        reads = calibrated(setup).get("reads", 0.0)
        return cls(setup, reads) if reads and hasattr(setup.game.file("view"), "cards_in_places") else None

    def believes(self, table: Table, key: int) -> Any:
        """One BELIEF of the seat to move; nothing is told where `telling` is 0."""
        found, seat = blank(BELIEF), table.to_move()
        if table.ply % EVERY != EVERY - 1 or not table.past.actions:
            return found
        worlds = [table.imagine(seat, key + number) for number in range(WORLDS)]
        telling = self._telling(table, worlds, seat)
        found[0].telling = len(telling)
        if telling:
            weights = np.array([self._weight(world, telling) for world in worlds])
            found[0].nats = np.log(self._weight(table, telling) / weights.mean())
            self._compare(table, worlds, weights, found[0])
        return found

    @staticmethod
    def _telling(table: Table, worlds: list[Table], seat: int) -> list[int]:
        """The decisions of others that look different from world to world."""
        bytes_of = [np.ascontiguousarray(world.past.states).view(np.uint8) for world in worlds]
        rows = np.stack([each.reshape(len(table.past.actions), -1) for each in bytes_of])
        differ = np.any(rows != rows[0], axis=(0, 2))
        then = copy(table)
        telling = []
        for place in np.flatnonzero(differ):
            then.states = table.past.states[place : place + 1]
            if then.to_move() != seat:
                telling.append(int(place))
        return telling

    def _weight(self, world: Table, telling: list[int]) -> float:
        """How likely the others would have done in this world what they did."""
        weight, then = 1.0, copy(world)
        for place in telling:
            then.states = world.past.states[place : place + 1]
            weight *= self._chance(then.moves(), then.features(), world.past.actions[place])
        return weight

    def _chance(self, moves: list[int], features: Any, action: int) -> float:
        if action not in moves:
            return 0.0
        ratings: Vector = features @ self.weights / self.temperature
        odds = np.exp(ratings - ratings.max())
        slip = SLIP if len(moves) > 1 else 0.0
        return float((1.0 - slip) * odds[moves.index(action)] / odds.sum() + slip / len(moves))

    def _compare(self, table: Table, worlds: list[Table], weights: Vector, row: Any) -> None:
        """The chance of the cards that really lie where the seat cannot see them."""
        real = self.places(table.states, table.setup)[0]
        imagined = np.concatenate([self.places(world.states, table.setup) for world in worlds])
        hidden = (real != 0) & np.any(imagined != real, axis=0)
        row.cards = hidden.sum()
        if row.cards and weights.sum() > 0:
            right = imagined[:, hidden] == real[hidden]
            row.card_even = right.mean()
            row.card_read = (right * weights[:, None]).sum() / (weights.sum() * row.cards)
