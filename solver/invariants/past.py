"""The law of the past: what a seat takes earlier states for comes from what it knows and the world that it imagines."""

from __future__ import annotations

from copy import copy

import numpy as np

from houle.solver.invariants.broken import demand
from houle.solver.invariants.play import decisions
from houle.solver.match import Match
from houle.solver.ruleset import Setup
from houle.solver.strategies.reading.memory import Past
from houle.solver.types import States


def pasts_come_from_what_is_known(setup: Setup, games: int, seed: int, every: int = 5) -> int:
    """Earlier states, as they were if an imagined world is the real one, are what they must be (`recall`).

    The seat that imagines cannot tell them from the real ones, and to who decided there they are the same whichever
    hidden cards were really dealt.
    """
    if not setup.game.can_be_read:
        return 0
    checked = 0
    for table, seat in decisions(setup, games, seed, every):
        key = seed * 1_000_003 + 2 * checked
        here, there = table.imagine(seat, key), table.imagine(seat, key + 1).imagine(seat, key)
        earlier = [(each, in_a_row(each.past)) for each in (table, here, there)] if table.past.actions else []
        for place in range(len(table.past.actions)):
            real, imagined, again = (_then(each, states, place) for each, states in earlier)
            where = f"seat {seat}, world {key}, {table.ply - place} plies ago"
            demand(imagined.knows(seat) == real.knows(seat), table, f"{where}: the seat can tell it from the real one")
            if imagined.to_move() != seat:
                same = imagined.knows(imagined.to_move()) == again.knows(imagined.to_move())
                demand(same, table, f"{where}: it is not the same whichever hidden cards were dealt")
            checked += 1
    return checked


def in_a_row(past: Past) -> States:
    """What `Past.states` is: numpy puts records in a row field by field, which takes a hundred times as long."""
    row = bytearray().join(map(np.ndarray.tobytes, past.kept))
    states = np.frombuffer(row, past.kept[0].dtype)
    for number, recall in past.recalls:
        recall(states[:number])
    return states


def _then(match: Match, states: States, place: int) -> Match:
    """The table as it was before one of the decisions that are remembered."""
    other = copy(match)
    other.states = states[place : place + 1]
    return other
