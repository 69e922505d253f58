"""The last tricks of an imagined world played exactly, with all cards open: flat:N[ends=TRICKS].

Noisy thumbs play up to the last tricks. From there everybody plays best for their own side: with two sides by
alpha-beta search on the difference of utilities, with more sides by max^n (each player maximises the utility of its
own side). The search keeps only the current line of states.
"""

from __future__ import annotations

import numpy as np

from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, Number, Player, Rules, Seat, State
from houle.solver.interface import by_game, legal, search_over, to_move, utility
from houle.solver.players.flat import play_candidate
from houle.solver.players.moves import act
from houle.solver.players.workspace import Ends, Workspace

BOUND = np.int64(1 << 40)  # greater than any utility


@outlined
def _open(depth: Number, low: Number, high: Number, rules: Rules, ends: Ends) -> None:
    """Starts a ply of the line: lists its moves and takes over the bounds alpha (low) and beta (high)."""
    ply = ends.plies[depth]
    ply.moves = legal(ends.states[depth], rules, ends.moves[depth])
    ply.next = 0
    ply.low, ply.high = low, high


@outlined
def _update(depth: Number, rules: Rules, ends: Ends) -> None:
    """Keeps the move just tried if it is the first, or better for the side that moves."""
    ply, tried = ends.plies[depth], ends.plies[depth + 1].utilities
    side = rules.side[to_move(ends.states[depth])]
    gain, best = tried[side], ply.utilities[side]
    if rules.sides == 2:
        gain, best = gain - tried[1 - side], best - ply.utilities[1 - side]
        if side == 0:
            ply.low = max(ply.low, gain)
        else:
            ply.high = min(ply.high, -gain)
    if ply.next == 1 or gain > best:
        for i in range(rules.sides):
            ply.utilities[i] = tried[i]


@outlined
def _play_exactly(root: State, rules: Rules, ends: Ends) -> Number:
    """Solves the first state of the line and writes the utilities into its ply; returns the number of plies tried."""
    depth, tried = 0, 0
    _open(depth, -BOUND, BOUND, rules, ends)
    while True:
        ply = ends.plies[depth]
        if ply.next < ply.moves and ply.low < ply.high:
            ends.states[depth + 1] = ends.states[depth]
            act(ends.states[depth + 1], rules, ends.moves[depth, ply.next])
            ply.next += 1
            tried += 1
            if search_over(ends.states[depth + 1], root):
                utility(ends.states[depth + 1], rules, ends.plies[depth + 1].utilities)
                _update(depth, rules, ends)
            else:
                depth += 1
                _open(depth, ply.low, ply.high, rules, ends)
        elif depth == 0:
            return tried
        else:
            depth -= 1
            _update(depth, rules, ends)


@outlined
def _exact_end(state: State, rules: Rules, player: Player, seat: Seat, action: Action, work: Workspace) -> Number:
    """The utility of a move for the seat's side: thumbs play up to the last tricks, exact play follows."""
    scene, ends = work.scene, work.ends
    reached = play_candidate(rules, player, seat, action, scene)
    if search_over(scene.worlds[1], scene.worlds[0]):
        return reached
    ends.states[0] = scene.worlds[1]
    scene.counters[0].plies += _play_exactly(scene.worlds[0], rules, ends)
    return ends.plies[0].utilities[rules.side[seat]]


@kernel
def _no_end(state: State, rules: Rules, player: Player, seat: Seat, action: Action, work: Workspace) -> Number:
    return 0


# (state, rules, player, seat, action, work): `_exact_end`; never called in games without tricks
exact_end = by_game(lambda game: _exact_end if game.has_tricks else _no_end)
