"""Determinized Monte Carlo search, flat:N: every move is played out in the same N imagined worlds (race.py).

The imagined players are noisy thumbs. A search against deterministic opponents learns to exploit them and loses to
players it did not expect. Forbidden moves (`never`) bind only the player itself.
"""

from __future__ import annotations

import numpy as np

from houle.solver.cards.bits import has
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.types import Action, Categories, Flag, Number, Player, Rules, Seat, State
from houle.solver.interface import (
    MAX_SIDES,
    has_careless_players,
    outcome,
    round_over,
    search_over,
    to_move,
    utility,
)
from houle.solver.players.allowed_moves import act, bound_to
from houle.solver.players.evaluation import evaluated, seen_enough
from houle.solver.players.names import CLAIRVOYANT
from houle.solver.players.thumb import careless_move, thumb_move
from houle.solver.players.workspace import Scene


@kernel
def far_enough(line: State, player: Player, scene: Scene) -> Flag:
    """Whether a playout ends here: where `search_over` says so, or with the round for a clairvoyant."""
    if player.kind == CLAIRVOYANT:
        return round_over(line)
    return search_over(line, scene.worlds[0]) or seen_enough(line, scene.worlds[0], player)


@kernel
def imagined_move(line: State, rules: Rules, player: Player, never: Categories, scene: Scene) -> Action:
    """The move of a noisy thumb; a random move for a seat that is careless in this world."""
    if has_careless_players(line) and has(scene.counters[0].careless, to_move(line)):
        return careless_move(line, rules, never, scene.buffer)
    return thumb_move(line, rules, player.weights[:], player.noise, never, scene.buffer, scene.table)


@outlined
def play_out(line: State, rules: Rules, player: Player, seat: Seat, scene: Scene) -> Number:
    """Plays on with imagined players in all seats until the playout ends; returns the number of plies."""
    plies = 0
    while not far_enough(line, player, scene):
        plies += 1
        act(line, rules, imagined_move(line, rules, player, bound_to(line, player, seat), scene))
    return plies


@kernel
def finish(plies: Number, rules: Rules, player: Player, seat: Seat, scene: Scene) -> Number:
    """Plays out the line, in which `plies` moves were made; returns the utility for the seat's side."""
    line, counters = scene.worlds[1], scene.counters[0]
    counters.plies += plies + play_out(line, rules, player, seat, scene)
    counters.playouts += 1
    if player.ahead > 0:
        return evaluated(line, rules, player, rules.side[seat])
    utility(line, rules, scene.utilities)
    return scene.utilities[rules.side[seat]]


@outlined
def play_candidate(rules: Rules, player: Player, seat: Seat, action: Action, scene: Scene) -> Number:
    """Plays a move and a playout after it in the line's world; returns the utility for the seat's side."""
    act(scene.worlds[1], rules, action)
    return finish(1, rules, player, seat, scene)


@outlined
def play_on(rules: Rules, player: Player, seat: Seat, scene: Scene) -> Number:
    """Plays the finished playout on to the end of the game; returns the share of the win of the seat's side."""
    line = scene.worlds[1]
    while to_move(line) >= 0:
        act(line, rules, imagined_move(line, rules, player, bound_to(line, player, seat), scene))
    shares = local_zeros(MAX_SIDES, np.int64)
    outcome(line, rules, shares)
    return shares[rules.side[seat]]
