"""Determinized Monte Carlo, flat:N: every move is played out in the same N imagined worlds, see race.py.

The imagined players are noisy thumbs: against a deterministic opponent a search learns to exploit it, and loses to
players it did not expect. The player itself keeps to what it may never do; the others may do anything.
"""

from __future__ import annotations

import numpy as np

from houle.solver.bitset import has
from houle.solver.interface import (
    MAX_SIDES,
    has_careless_players,
    has_tricks,
    outcome,
    round_over,
    search_over,
    to_move,
    tricks_to_come,
    utility,
)
from houle.solver.kernels import kernel, outlined
from houle.solver.local_arrays import local_zeros
from houle.solver.strategies.moves import act, bound_to
from houle.solver.strategies.names import CLAIRVOYANT
from houle.solver.strategies.thumb import careless_move, thumb_move
from houle.solver.strategies.workspace import Scene
from houle.solver.types import Action, Categories, Flag, Number, Player, Rules, Seat, State


@kernel
def far_enough(line: State, player: Player, scene: Scene) -> Flag:
    """Whether a line ends here: as far as the game says a search should look, or for a clairvoyant can be scored.

    Where the last tricks are played exactly (see ends.py) it ends before them.
    """
    if player.kind == CLAIRVOYANT:
        return round_over(line)
    if has_tricks(line) and tricks_to_come(line) <= player.ends:
        return True
    return search_over(line, scene.worlds[0])


@kernel
def imagined_move(line: State, rules: Rules, player: Player, never: Categories, scene: Scene) -> Action:
    """What a noisy thumb does in the line, or at random a seat that is careless in its world."""
    if has_careless_players(line) and has(scene.counters[0].careless, to_move(line)):
        return careless_move(line, rules, never, scene.buffer)
    return thumb_move(line, rules, player.weights[:], player.noise, never, scene.buffer, scene.table)


@outlined
def play_out(line: State, rules: Rules, player: Player, seat: Seat, scene: Scene) -> Number:
    """Imagined players in all seats, as far as a search looks; returns how many plies that took."""
    plies = 0
    while not far_enough(line, player, scene):
        plies += 1
        act(line, rules, imagined_move(line, rules, player, bound_to(line, player, seat), scene))
    return plies


@outlined
def play_candidate(rules: Rules, player: Player, seat: Seat, action: Action, scene: Scene) -> Number:
    """Plays a move and what follows in the line's world; returns what it came to for the seat's side."""
    line, counters = scene.worlds[1], scene.counters[0]
    act(line, rules, action)
    counters.plies += 1 + play_out(line, rules, player, seat, scene)
    counters.playouts += 1
    utility(line, rules, scene.utilities)
    return scene.utilities[rules.side[seat]]


@outlined
def play_on(rules: Rules, player: Player, seat: Seat, scene: Scene) -> Number:
    """Plays the line that was just searched to the end of the game; returns the own side's share of the win."""
    line = scene.worlds[1]
    while to_move(line) >= 0:
        act(line, rules, imagined_move(line, rules, player, bound_to(line, player, seat), scene))
    shares = local_zeros(MAX_SIDES, np.int64)
    outcome(line, rules, shares)
    return shares[rules.side[seat]]
