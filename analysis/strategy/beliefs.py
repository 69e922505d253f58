"""How much plays tell: what a seat that reads the others knows of their cards, beyond what it can see.

At a decision worlds are imagined that the seat cannot tell from the real one. Each is weighed as readers do it
(solver/strategies/reading): by how likely blurred thumbs would have done in it what the others did. What that is worth
is the log score: by how many nats the real world weighs more than an average one, above 0 where reading is right and
below where it misleads. Nearer to a table is the chance given to the true card of a hidden place, in worlds that count
alike and in worlds that count by weight, where a game says which card lies in which place.

The others are taken for thumbs as blurred as the game's reader takes them for; in games without one, as blurred as
those that searches imagine.
"""

from __future__ import annotations

import math
from copy import copy
from typing import Any

import numpy as np

from houle.analysis.sampling.readers import calibrated
from houle.analysis.stats.clusters import Vector
from houle.solver.interface import blank, recall
from houle.solver.kernels import entry
from houle.solver.match import Match
from houle.solver.ruleset import Setup
from houle.solver.strategies.names import parse
from houle.solver.strategies.player import MILLI, player_record
from houle.solver.strategies.reading.thumb_odds import SLIP
from houle.solver.types import AllRules, Flag, Seat, States

MEASURES = {
    "nats": "what the others' plays tell, in nats",
    "card_even": "chance of a hidden card, worlds counted alike",
    "card_read": "chance of a hidden card, worlds read",
}
SHARES = ("card_even", "card_read")
BELIEF = np.dtype([("telling", "i8"), ("cards", "i8"), *((name, "f8") for name in MEASURES)])
WORLDS = 40  # imagined at a decision
EVERY = 6  # decisions, of which one is looked at


@entry
def _tells(past: States, all_rules: AllRules, seat: Seat, now: States, world: States) -> Flag:
    return recall(past[0], all_rules[0], seat, now[0], world[0])


class Reader:
    """Weighs worlds as a reader of this table does."""

    def __init__(self, setup: Setup, temperature: float) -> None:
        self.temperature = temperature
        self.weights = player_record(parse("thumb"), setup)[0].weights[: len(setup.game.FEATURES)]
        self.places = getattr(setup.game.file("view"), "cards_in_places", None)

    @classmethod
    def of(cls, setup: Setup) -> Reader | None:
        """None where nobody can be read."""
        if not (setup.game.can_be_read and setup.game.has_features):
            return None
        blur = calibrated(setup).get("reads", 0.0) or player_record(parse("flat:1"), setup)[0].noise / MILLI
        return cls(setup, blur) if blur else None

    def believes(self, match: Match, key: int) -> Any:
        """One BELIEF of the seat to move; nothing is told where `telling` is 0."""
        found, seat = blank(BELIEF), match.to_move()
        if match.ply % EVERY != EVERY - 1 or not match.past.actions:
            return found
        worlds = [match.imagine(seat, key + number) for number in range(WORLDS)]
        telling = self._telling(match, worlds[0], seat)
        found[0].telling = len(telling)
        if telling:
            weights = np.array([self._weight(match, world, telling, seat) for world in worlds])
            found[0].nats = np.log(self._weight(match, match, telling, seat) / weights.mean())
            self._compare(match, worlds, weights, found[0])
        return found

    @staticmethod
    def _then(match: Match, place: int, world: Match, seat: int) -> tuple[Match, bool]:
        """The table before one of its decisions if the world is the real one, and whether that tells anything."""
        then = copy(match)
        then.states = match.past.kept[place].copy()
        return then, bool(_tells(then.states, match.setup.rules, seat, match.states, world.states))

    def _telling(self, match: Match, world: Match, seat: int) -> list[int]:
        """The decisions of others that look different from world to world."""
        found = [(place, *self._then(match, place, world, seat)) for place in range(len(match.past.actions))]
        return [place for place, then, tells in found if tells and then.to_move() != seat]

    def _weight(self, match: Match, world: Match, telling: list[int], seat: int) -> float:
        """How likely the others would have done in this world what they did."""
        chances = [
            self._chance(self._then(match, place, world, seat)[0], match.past.actions[place]) for place in telling
        ]
        return math.prod(chances)

    def _chance(self, then: Match, action: int) -> float:
        """The chance of what was done, by that card or by one that is the same to who plays it."""
        mover, moves = then.to_move(), then.moves()
        this = then.seen(action, mover)[1]
        same = [then.seen(move, mover)[1] == this for move in moves]
        if not any(same):
            return 0.0
        ratings: Vector = then.features() @ self.weights / self.temperature
        odds = np.exp(ratings - ratings.max())
        slip = SLIP if len(moves) > 1 else 0.0
        return float((1.0 - slip) * odds[same].sum() / odds.sum() + slip * sum(same) / len(moves))

    def _compare(self, match: Match, worlds: list[Match], weights: Vector, row: Any) -> None:
        """The chance of the cards that really lie where the seat cannot see them."""
        if self.places is None:
            return
        real = self.places(match.states, match.setup)[0]
        imagined = np.concatenate([self.places(world.states, match.setup) for world in worlds])
        hidden = (real != 0) & np.any(imagined != real, axis=0)
        row.cards = hidden.sum()
        if row.cards and weights.sum() > 0:
            right = imagined[:, hidden] == real[hidden]
            row.card_even = right.mean()
            row.card_read = (right * weights[:, None]).sum() / (weights.sum() * row.cards)
