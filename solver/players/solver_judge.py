"""The game's exact solver as judge of imagined worlds: flat:N[judge=NODES].

The solver sees all cards of a world. A move counts as a win if the solver finds a win after it within its nodes;
otherwise the line is played out. This separates moves that keep a win possible from moves that lose it, which playouts
by noisy thumbs blur. It assumes that the others find the win too, which is nearly true for readers. With `plays`, a
part of the win depends on how often noisy thumbs reach it.
"""

from __future__ import annotations

from houle.solver.cards.bits import U8
from houle.solver.cards.streams import derive
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, Number, Player, Rules, Seat, State
from houle.solver.interface import UTILITY, by_game, solve, utility
from houle.solver.players.allowed_moves import act
from houle.solver.players.flat import play_out
from houle.solver.players.workspace import Workspace

TIMES = 4  # playouts of a win, in the same world with different luck
UNKNOWN = -1
ALWAYS = 100_000  # thousandths of a percent


@outlined
def _judged(state: State, rules: Rules, player: Player, seat: Seat, action: Action, work: Workspace) -> Number:
    """The utility of a move if the solver finds a win after it; else UNKNOWN, with the line reset."""
    worlds, counters = work.scene.worlds, work.scene.counters[0]
    act(worlds[1], rules, action)
    status, _, _ = solve(worlds[1], rules, player.judge, work.line, work.solver)
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
        utility(worlds[1], rules, utilities)
        lost += UTILITY - utilities[rules.side[seat]]
    return lost // TIMES * player.plays


@kernel
def _nobody_knows(state: State, rules: Rules, player: Player, seat: Seat, action: Action, work: Workspace) -> Number:
    return UNKNOWN


# (state, rules, player, seat, action, work): `_judged`, or UNKNOWN in games without a solver
judged = by_game(lambda game: _judged if game.has_solver else _nobody_knows)
