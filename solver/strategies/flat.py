"""Determinized Monte Carlo, flat:N: every move is played out in the same N imagined worlds, see race.py.

The imagined players are noisy thumbs: against a deterministic opponent a search learns to exploit it, and loses to
players it did not expect. The player itself keeps to what it may never do; the others may do anything.
"""

from __future__ import annotations

import numpy as np

from houle.solver.contract import MAX_SIDES, round_over, worth
from houle.solver.kernels import outlined
from houle.solver.strategies.moves import act, bound_to
from houle.solver.strategies.thumb import thumb_move
from houle.solver.strategies.workspace import Workspace
from houle.solver.types import Action, Features, Moves, Number, Player, Real, Rules, Seat, State


@outlined
def play_out(line: State, rules: Rules, player: Player, seat: Seat, buffer: Moves, table: Features) -> Number:
    """Noisy thumbs in all seats, to the end of the round; returns how many plies that took."""
    plies = 0
    while not round_over(line):
        plies += 1
        never = bound_to(line, player, seat)
        action = thumb_move(line, rules, player.weights, player.noise, never, buffer, table)
        act(line, rules, action)
    return plies


@outlined
def play_candidate(rules: Rules, player: Player, seat: Seat, action: Action, work: Workspace) -> Real:
    """Plays a move and what follows in the line's world; returns what it came to for the seat's side."""
    line, counters = work.worlds[1], work.counters[0]
    act(line, rules, action)
    counters.plies += 1 + play_out(line, rules, player, seat, work.buffer, work.table)
    counters.playouts += 1
    worths = np.zeros(MAX_SIDES, np.float64)
    worth(line, rules, worths)
    return worths[rules.side[seat]]
