"""Decisions: the random keys of searches, the winning line of a clairvoyant, and which strategy decides."""

from __future__ import annotations

from houle.solver.cards.bits import U8
from houle.solver.cards.streams import SEARCH, derive
from houle.solver.compiler.kernels import entry, kernel
from houle.solver.compiler.types import Action, Features, Flag, Key, Moves, Number, Player, Players, Rules, Seat, State
from houle.solver.interface import has_solver, is_signal, legal, random_move, solve
from houle.solver.players.best_move_race import race
from houle.solver.players.names import CLAIRVOYANT, RANDOM, THUMB
from houle.solver.players.thumb import thumb_decision
from houle.solver.players.workspace import Workspace


@kernel
def search_key(seed: Key, game: Number, replay: Number) -> Key:
    """The random key of a game's searches. It is independent of the game's own luck, which must not leak."""
    return derive(derive(derive(U8(seed), SEARCH), game), replay)


@entry
def decision_key(seed: Key, game: Number, replay: Number, ply: Number) -> Key:
    """The key of the search at one ply."""
    return derive(search_key(seed, game, replay), ply)


@kernel
def foresee(state: State, rules: Rules, players: Players, work: Workspace) -> Number:
    """Lets clairvoyant players look for a winning line; returns 1 if the solver reached its limit undecided."""
    if players[0].kind != CLAIRVOYANT or not has_solver(state):
        return 0
    status, length, _ = solve(state, rules, players[0].budget, work.line, work.solver)
    if status == 1:
        work.scene.counters[0].foreseen = length
    return 1 if status < 0 else 0


@kernel
def any_move(
    state: State, rules: Rules, player: Player, seat: Seat, key: Key, moves: Moves, table: Features,
    work: Workspace | None, rating: Flag,
) -> Action:  # fmt: skip
    """The move of a player. A clairvoyant without a winning line plays as a thumb.

    Searches signal as a thumb, unless signals are to be rated for advice: the others read signals as a thumb's, and a
    signal that playouts rate best misleads them.
    """
    if work is None:  # nobody searches
        return thumb_decision(state, rules, player, moves, table)
    if player.kind == RANDOM:  # reached only where somebody reads its moves
        return random_move(state, rules)
    if is_signal(state) and player.kind == CLAIRVOYANT:  # it needs no signals and gives none
        legal(state, rules, moves)
        return moves[0]
    solved = player.kind == CLAIRVOYANT and has_solver(state)
    if player.kind == THUMB or solved or (is_signal(state) and (not rating or len(work.log) == 0)):
        return thumb_decision(state, rules, player, moves, table)
    return race(state, rules, player, seat, key, moves, work)
