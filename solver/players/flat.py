"""Determinized Monte Carlo search, flat:N: every move is played out in the same N imagined worlds (best_move_race.py).

The imagined players are noisy thumbs. A search against deterministic opponents learns to exploit them and loses to
players it did not expect. Forbidden moves (`never`) bind only the player itself.

With flat:N[judge=NODES] the game's exact solver, which sees all cards of a world, judges it. A move counts as a win if
the solver finds a win after it within its nodes; otherwise the line is played out. This separates moves that keep a win
possible from moves that lose it, which playouts by noisy thumbs blur. It assumes that the others find the win too,
which is nearly true for readers. With `plays`, a part of the win depends on how often noisy thumbs reach it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver import interface
from houle.solver.cards.bits import U8, has
from houle.solver.cards.streams import derive
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.types import Action, Categories, Flag, Number, Player, Rules, Seat, State
from houle.solver.interface import MAX_SIDES, UTILITY
from houle.solver.players.allowed_moves import act, bound_to
from houle.solver.players.evaluation import evaluated, seen_enough
from houle.solver.players.kinds import CLAIRVOYANT
from houle.solver.players.thumb import careless_move, thumb_move
from houle.solver.players.workspace import Scene, Workspace


@kernel
def far_enough(line: State, player: Player, scene: Scene) -> Flag:
    """Whether a playout ends here: where `search_over` says so, or with the round for a clairvoyant."""
    if player.kind == CLAIRVOYANT:
        return interface.round_over(line)
    return interface.search_over(line, scene.worlds[0]) or seen_enough(line, scene.worlds[0], player)


@kernel
def imagined_move(line: State, rules: Rules, player: Player, never: Categories, scene: Scene) -> Action:
    """The move of a noisy thumb; a random move for a seat that is careless in this world."""
    if interface.has_careless_players(line) and has(scene.counters[0].careless, interface.to_move(line)):
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
    interface.utility(line, rules, scene.utilities)
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
    while interface.to_move(line) >= 0:
        act(line, rules, imagined_move(line, rules, player, bound_to(line, player, seat), scene))
    shares = local_zeros(MAX_SIDES, np.int64)
    interface.outcome(line, rules, shares)
    return shares[rules.side[seat]]


TIMES = 4  # playouts of a win, in the same world with different luck
UNKNOWN = -1
ALWAYS = 100_000  # thousandths of a percent


@outlined
def judged(rules: Rules, player: Player, seat: Seat, action: Action, work: Workspace, solver: Any) -> Number:
    """The utility of a move if the solver finds a win after it; else UNKNOWN, with the line reset."""
    worlds, counters = work.scene.worlds, work.scene.counters[0]
    act(worlds[1], rules, action)
    status, _, _ = interface.solve(worlds[1], rules, player.judge, work.line, solver)
    if status != 1:
        worlds[1] = worlds[0]
        return UNKNOWN
    counters.plies += 1
    counters.playouts += 1
    return UTILITY if player.plays == 0 else UTILITY - _lost_in_play(rules, player, seat, action, work) // ALWAYS


@outlined
def _lost_in_play(rules: Rules, player: Player, seat: Seat, action: Action, work: Workspace) -> Number:
    """The part of a win that is lost because noisy thumbs do not find it, times ALWAYS."""
    worlds, counters, utilities = work.scene.worlds, work.scene.counters[0], work.scene.utilities
    lost: Number = 0
    for time in range(TIMES):
        worlds[1] = worlds[0]
        worlds[1].choice = derive(worlds[0].choice, U8(time))
        act(worlds[1], rules, action)
        counters.plies += 1 + play_out(worlds[1], rules, player, seat, work.scene)
        counters.playouts += 1
        interface.utility(worlds[1], rules, utilities)
        lost += UTILITY - utilities[rules.side[seat]]
    return lost // TIMES * player.plays
