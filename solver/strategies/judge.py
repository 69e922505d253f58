"""The game's exact solver as judge of imagined worlds.

A move is as good as a win where the solver, who sees all cards of a world, finds one after it; only where it finds none
in its nodes is the line played out. So worlds tell moves that keep a win possible from those that throw it away, which
noisy thumbs blur. It believes that the others would find that win too: at a table of readers they nearly do.
"""

from __future__ import annotations

from houle.solver.contract import by_game, solve
from houle.solver.kernels import kernel, outlined
from houle.solver.strategies.moves import act
from houle.solver.strategies.workspace import Workspace
from houle.solver.types import Action, Flag, Player, Rules, State


@outlined
def _can_win(state: State, rules: Rules, player: Player, action: Action, work: Workspace) -> Flag:
    """Whether the solver finds a win after a move in the line's world; where it does not, the line is as it was."""
    worlds = work.scene.worlds
    act(worlds[1], rules, action)
    status, _, _ = solve(worlds[1], rules, player.judge, work.line, work.solver)
    if status == 1:
        work.scene.counters[0].plies += 1
        work.scene.counters[0].playouts += 1
        return True
    worlds[1] = worlds[0]
    return False


@kernel
def _nobody_knows(state: State, rules: Rules, player: Player, action: Action, work: Workspace) -> Flag:
    return False


# (state, rules, player, action, work): see `_can_win`; False in games without a solver
can_win = by_game(lambda game: _can_win if game.has_solver else _nobody_knows)
