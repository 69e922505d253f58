"""How much the other players' moves reveal about their hidden cards.

At a decision, worlds are sampled that the seat cannot tell from the real one. Each world is weighted as a reader does
(solver/players/reading): by how likely noisy thumbs would have made the observed moves in it. Two measures:
- the log score: by how many nats the real world outweighs an average one. Above 0 reading helps, below 0 it misleads.
- the chance given to the true card of a hidden place, with equal and with these weights, in games that say which card
  lies where.

The noise of the other players is that of the game's reader or, in games without a reader, that of its searches.
"""

from __future__ import annotations

import math
from copy import copy
from typing import Any

import numpy as np

from houle.analysis.players.experts import calibrated
from houle.analysis.stats.variance import Vector
from houle.solver.compiler.kernels import entry
from houle.solver.compiler.types import AllRules, Flag, Seat, States
from houle.solver.interface import blank, recall
from houle.solver.matches.match import Match
from houle.solver.players.names import parse
from houle.solver.players.player import MILLI, player_record
from houle.solver.players.reading.beliefs import SLIP
from houle.solver.rules import Setup

MEASURES = {
    "nats": "what the others' moves reveal, in nats",
    "card_even": "chance of guessing a hidden card",
    "card_read": "chance of guessing it from the others' moves",
}
SHARES = ("card_even", "card_read")
BELIEF = np.dtype([("telling", "i8"), ("cards", "i8"), *((name, "f8") for name in MEASURES)])
WORLDS = 40  # sampled at a decision
EVERY = 12  # one decision in so many is measured


@entry
def _tells(past: States, all_rules: AllRules, seat: Seat, now: States, world: States) -> Flag:
    return recall(past[0], all_rules[0], seat, now[0], world[0])


class Reader:
    """Weights worlds as the reader of this setup does."""

    def __init__(self, setup: Setup, temperature: float) -> None:
        self.temperature = temperature
        self.weights = player_record(parse("thumb"), setup)[0].weights[: len(setup.game.FEATURES)]
        self.places = setup.game.table.cards_in_places

    @classmethod
    def of(cls, setup: Setup) -> Reader | None:
        """None for games whose moves cannot be read."""
        if not (setup.game.can_be_read and setup.game.has_features):
            return None
        noise = calibrated(setup).get("reads", 0.0) or player_record(parse("flat:1"), setup)[0].noise / MILLI
        return cls(setup, noise) if noise else None

    def believes(self, match: Match, key: int) -> Any:
        """One BELIEF of the seat to move; its measures count only where `telling` is not 0."""
        belief, seat = blank(BELIEF), match.to_move()
        if match.ply % EVERY != EVERY - 1 or not match.past.actions:
            return belief
        worlds = [match.imagine(seat, key + number) for number in range(WORLDS)]
        telling = self._telling(match, worlds[0], seat)
        belief[0].telling = len(telling)
        if telling:
            weights = np.array([self._weight(match, world, telling, seat) for world in worlds])
            belief[0].nats = np.log(self._weight(match, match, telling, seat) / weights.mean())
            self._compare(match, worlds, weights, belief[0])
        return belief

    @staticmethod
    def _then(match: Match, ply: int, world: Match, seat: int) -> tuple[Match, bool]:
        """The match as it was before an earlier decision, and whether that decision tells this world from others."""
        then = copy(match)
        then.states = match.past.kept[ply].copy()
        return then, bool(_tells(then.states, match.setup.rules, seat, match.states, world.states))

    def _telling(self, match: Match, world: Match, seat: int) -> list[int]:
        """Plies of the others' decisions that differ from world to world."""
        decisions = [(ply, *self._then(match, ply, world, seat)) for ply in range(len(match.past.actions))]
        return [ply for ply, then, tells in decisions if tells and then.to_move() != seat]

    def _weight(self, match: Match, world: Match, telling: list[int], seat: int) -> float:
        """How likely the observed moves of the others are in this world."""
        return math.prod(
            self._chance(self._then(match, ply, world, seat)[0], match.past.actions[ply]) for ply in telling
        )

    def _chance(self, then: Match, action: int) -> float:
        """The chance of a move, or of one that looks the same to its player."""
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
        """Measures the chance given to the cards that really lie where the seat cannot see them."""
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
