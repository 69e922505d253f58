"""The strategies that look ahead: their luck, what a clairvoyant foresees, and which strategy decides."""

from __future__ import annotations

from houle.solver.bitset import U8
from houle.solver.interface import has_solver, random_move, solve
from houle.solver.kernels import kernel
from houle.solver.strategies.names import CLAIRVOYANT, RANDOM, THUMB
from houle.solver.strategies.race import race
from houle.solver.strategies.thumb import thumb_decision
from houle.solver.strategies.workspace import Workspace
from houle.solver.streams import SEARCH, derive
from houle.solver.types import Action, Features, Key, Moves, Number, Player, Players, Rules, Seat, State


@kernel
def search_key(seed: Key, game: Number, replay: Number) -> Key:
    """Searches have streams of their own: nothing of the real game's luck can leak into a decision."""
    return derive(derive(derive(U8(seed), SEARCH), game), replay)


@kernel
def foresee(state: State, rules: Rules, players: Players, work: Workspace) -> Number:
    """Lets a clairvoyant table look for a winning line; 1 if the game's solver left it open within its limit."""
    if players[0].kind != CLAIRVOYANT or not has_solver(state):
        return 0
    status, length, _ = solve(state, rules, players[0].budget, work.line, work.solver)
    if status == 1:
        work.scene.counters[0].foreseen = length
    return 1 if status < 0 else 0


@kernel
def any_move(
    state: State, rules: Rules, player: Player, seat: Seat, key: Key, moves: Moves, table: Features,
    work: Workspace | None,
) -> Action:  # fmt: skip
    """The move of a player; a clairvoyant without a winning line plays as a thumb."""
    if work is None:  # nobody at the table searches
        return thumb_decision(state, rules, player, moves, table)
    if player.kind == RANDOM:  # at a table where somebody reads what it does
        return random_move(state, rules)
    if player.kind == THUMB or (player.kind == CLAIRVOYANT and has_solver(state)):
        return thumb_decision(state, rules, player, moves, table)
    return race(state, rules, player, seat, key, moves, work)
