"""The move of any player: which kind of decision is made where."""

from __future__ import annotations

from typing import Any

from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Action, Features, Flag, Key, Moves, Player, Rules, Seat, State
from houle.solver.interface import has_solver, is_signal, legal, random_move
from houle.solver.players.best_move_race import race
from houle.solver.players.kinds import CLAIRVOYANT, LEVEL, RANDOM, THUMB
from houle.solver.players.person import person_move
from houle.solver.players.thumb import thumb_decision
from houle.solver.players.workspace import Search, Workspace


@kernel
def any_move(
    state: State,
    rules: Rules,
    player: Player,
    seat: Seat,
    key: Key,
    moves: Moves,
    table: Features,
    work: Workspace | None,
    search: Search | None,
    solver: Any,
    rating: Flag,
) -> Action:
    """The move of a player. A clairvoyant without a winning line plays as a thumb.

    Searches signal as a thumb, unless signals are to be rated for advice: the others read signals as a thumb's, and a
    signal that playouts rate best misleads them.
    """
    if work is None:  # nobody searches
        return thumb_decision(state, rules, player, moves, table)
    if player.kind == LEVEL:
        return person_move(state, rules, player, seat, key, moves, work)
    if player.kind == RANDOM:  # reached only where somebody reads its moves
        return random_move(state, rules)
    if search is not None:  # not compiled where nobody searches
        if is_signal(state) and player.kind == CLAIRVOYANT:  # it needs no signals and gives none
            legal(state, rules, moves)
            return moves[0]
        solved = player.kind == CLAIRVOYANT and has_solver(state)
        if player.kind != THUMB and not solved and not (is_signal(state) and (not rating or len(search.log) == 0)):
            return race(state, rules, player, seat, key, moves, work, search, solver)
    return thumb_decision(state, rules, player, moves, table)
