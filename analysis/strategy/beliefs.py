"""How much the other players' moves reveal about their hidden cards.

At a decision, worlds are sampled that the seat cannot tell from the real one. Each world is weighted as a reader does
(solver/players/reading): by how likely noisy thumbs would have made the observed moves in it. Two measures:
- the log score: by how many nats the real world outweighs an average one. Above 0 reading helps, below 0 it misleads.
- the chance given to the true card of a hidden place, with equal and with these weights, in games that say which card
  lies where.

The noise of the other players is that of the game's reader or, in games without a reader, that of its searches.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.analysis.players.experts import calibrated
from houle.analysis.stats.variance import Vector
from houle.solver.compiler.kernels import entry
from houle.solver.compiler.local_arrays import local_empty
from houle.solver.compiler.types import AllRules, Number, Players, Seat, States
from houle.solver.interface import blank, recall, to_move
from houle.solver.matches.match import Match
from houle.solver.players.names import parse
from houle.solver.players.player import MILLI, player_record, seat_strategies
from houle.solver.players.reading.beliefs import chance_of
from houle.solver.players.reading.memory import MOST_REMEMBERED, Memory, make_memory, remembered
from houle.solver.players.workspace import Scene, make_workspace
from houle.solver.rules import Setup

MEASURES = {
    "nats": "what the others' moves reveal, in nats",
    "card_even": "chance of guessing a hidden card",
    "card_read": "chance of guessing it from the others' moves",
}
SHARES = ("card_even", "card_read")
BELIEF = np.dtype([("telling", "i8"), ("cards", "i8"), *((name, "f8") for name in MEASURES)])
WORLDS = 40  # sampled at a decision
EVERY = 2  # one decision in so many is measured: neighbouring decisions are alike


@entry
def _weigh(
    now: States, worlds: States, all_rules: AllRules, players: Players, seat: Seat, scene: Scene, memory: Memory,
    weights: Vector,
) -> Number:  # fmt: skip
    """Writes how likely the others' moves are in each world; returns how many moves differ from world to world."""
    rules, telling, count = all_rules[0], local_empty(MOST_REMEMBERED, np.int64), 0
    for place in range(remembered(memory)):
        scene.worlds[1] = memory.states[place]
        if to_move(memory.states[place]) != seat and recall(scene.worlds[1], rules, seat, now[0], worlds[0]):
            telling[count] = place
            count += 1
    for number in range(len(worlds)):
        weights[number] = 1.0
        for i in range(count):
            place = telling[i]
            scene.worlds[1] = memory.states[place]
            recall(scene.worlds[1], rules, seat, now[0], worlds[number])
            action, noise = memory.actions[place], players[0].reads
            weights[number] *= chance_of(scene.worlds[1], rules, action, players[0], noise, scene)
    return count


class Reader:
    """Weights worlds as the reader of this setup does."""

    def __init__(self, setup: Setup, temperature: float) -> None:
        self.thumb, self.memory = player_record(parse("thumb"), setup), make_memory(setup, True)
        self.thumb[0].reads = max(1, round(MILLI * temperature))
        self.scene = make_workspace(setup, seat_strategies(setup, ["thumb"])).scene
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
        worlds, weights = blank(match.setup.game.STATE, WORLDS + 1), np.ones(WORLDS + 1)
        for number in range(WORLDS):
            worlds[number] = match.imagine(seat, key + number).states[0]
        worlds[-1] = match.states[0]  # the real one
        match.past.fill(self.memory)
        belief[0].telling = _weigh(
            match.states, worlds, match.setup.rules, self.thumb, seat, self.scene, self.memory, weights
        )  # fmt: skip
        if belief[0].telling:
            belief[0].nats = np.log(weights[-1] / weights[:-1].mean())
            self._compare(match, worlds[:-1], weights[:-1], belief[0])
        return belief

    def _compare(self, match: Match, worlds: States, weights: Vector, row: Any) -> None:
        """Measures the chance given to the cards that really lie where the seat cannot see them."""
        if self.places is None:
            return
        real = self.places(match.states, match.setup)[0]
        imagined = self.places(worlds, match.setup)
        hidden = (real != 0) & np.any(imagined != real, axis=0)
        row.cards = hidden.sum()
        if row.cards and weights.sum() > 0:
            right = imagined[:, hidden] == real[hidden]
            row.card_even = right.mean()
            row.card_read = (right * weights[:, None]).sum() / (weights.sum() * row.cards)
