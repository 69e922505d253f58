"""Determinized Monte Carlo, flat:N: every move is played out in the same N imagined worlds, see race.py.

The imagined players are noisy thumbs: against a deterministic opponent a search learns to exploit it, and loses to
players it did not expect. The player itself keeps to what it may never do; the others may do anything.
"""

from __future__ import annotations

import numpy as np

from houle.solver.bitset import has
from houle.solver.contract import MAX_SIDES, WIN, outcome, round_over, search_over, to_move, worth
from houle.solver.kernels import kernel, outlined
from houle.solver.strategies.moves import act, bound_to
from houle.solver.strategies.names import CLAIRVOYANT
from houle.solver.strategies.thumb import thumb_move
from houle.solver.strategies.workspace import Workspace
from houle.solver.types import Action, Categories, Flag, Number, Player, Real, Rules, Seat, State


@kernel
def far_enough(line: State, player: Player, work: Workspace) -> Flag:
    """Whether a line ends here: as far as the game says a search should look, or for a clairvoyant can be scored."""
    return round_over(line) if player.kind == CLAIRVOYANT else search_over(line, work.worlds[0])


@kernel
def imagined_move(line: State, rules: Rules, player: Player, never: Categories, work: Workspace) -> Action:
    """What a noisy thumb does in the line, or at random a seat that is careless in its world."""
    careless = has(work.counters[0].careless, to_move(line))
    return thumb_move(line, rules, player.weights, player.noise, never, careless, work.buffer, work.table)


@outlined
def play_out(line: State, rules: Rules, player: Player, seat: Seat, work: Workspace) -> Number:
    """Imagined players in all seats, as far as a search looks; returns how many plies that took."""
    plies = 0
    while not far_enough(line, player, work):
        plies += 1
        act(line, rules, imagined_move(line, rules, player, bound_to(line, player, seat), work))
    return plies


@outlined
def play_candidate(rules: Rules, player: Player, seat: Seat, action: Action, work: Workspace) -> Real:
    """Plays a move and what follows in the line's world; returns what it came to for the seat's side."""
    line, counters = work.worlds[1], work.counters[0]
    act(line, rules, action)
    counters.plies += 1 + play_out(line, rules, player, seat, work)
    counters.playouts += 1
    worths = np.zeros(MAX_SIDES, np.float64)
    worth(line, rules, worths)
    return worths[rules.side[seat]]


@outlined
def play_on(rules: Rules, player: Player, seat: Seat, work: Workspace) -> Real:
    """Plays the line that was just searched to the end of the game; returns the own side's share of the win."""
    line = work.worlds[1]
    while to_move(line) >= 0:
        act(line, rules, imagined_move(line, rules, player, bound_to(line, player, seat), work))
    shares = np.zeros(MAX_SIDES, np.int64)
    outcome(line, rules, shares)
    return shares[rules.side[seat]] / WIN
