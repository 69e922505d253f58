"""The strategies that look ahead: what they share, and which one decides."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from houle.solver.bitset import U8
from houle.solver.contract import MAX_LINE, blank, has_solver, solve
from houle.solver.kernels import kernel
from houle.solver.ruleset import Setup
from houle.solver.strategies.decision_log import NOTE_COLUMNS, PLAYOUTS
from houle.solver.strategies.flat import flat_move
from houle.solver.strategies.ismcts import ARM, NODE, NODES_PER_SIMULATION, ismcts_move
from houle.solver.strategies.player import CLAIRVOYANT, ISMCTS, THUMB, LineUp
from houle.solver.strategies.thumb import thumb_move
from houle.solver.streams import SEARCH, derive


class Trees(NamedTuple):
    """Memory that searches work in, allocated once."""

    nodes: Any
    arms: Any
    buffer: Any  # of moves, beside the list of those to choose from
    line: Any  # the winning line that the clairvoyant found
    foreseen: Any  # its length, 0 if there is none
    memory: Any  # of the game's own exact solver
    gain: Any  # flat search: by how much each of its moves was better than the thumb's own, summed over worlds
    notes: Any  # a row for every decision of flat search, see stakes.py; no rows: nothing is noted
    place: Any  # where the game is, and what searches did so far, see stakes.py


def make_trees(setup: Setup, players: LineUp, notes: Any = None) -> Trees:
    """Memory for a line-up; `foreseen` is empty until a game begins."""
    records, game = players.records, setup.game
    budget = max((int(player.budget) for player in records if player.kind == ISMCTS), default=0)
    memory = game.solver_memory(setup) if game.solver_memory else np.zeros(1, np.int64)
    return Trees(
        blank(NODE, NODES_PER_SIMULATION * budget + 1),
        blank(ARM, budget + 1),
        np.zeros(game.MAX_MOVES, np.int64),
        np.zeros(MAX_LINE, np.int64),
        np.zeros(1, np.int64),
        memory,
        np.zeros(game.MAX_MOVES),
        np.zeros((0, NOTE_COLUMNS)) if notes is None else notes,
        np.zeros(PLAYOUTS + 1, np.int64),
    )


@kernel
def search_key(seed: Any, game: Any, take: Any) -> Any:
    """Searches have streams of their own: nothing of the real game's luck can leak into a decision."""
    return derive(derive(derive(U8(seed), SEARCH), game), take)


@kernel
def foresee(state: Any, rules: Any, players: Any, trees: Any) -> Any:
    """Lets a clairvoyant table look for a winning line; 1 if the game's solver left it open within its limit."""
    trees.foreseen[0] = 0
    if players[0].kind != CLAIRVOYANT or not has_solver(state):
        return 0
    status, length, _ = solve(state, rules, players[0].budget, trees.line, trees.memory)
    if status == 1:
        trees.foreseen[0] = length
    return 1 if status < 0 else 0


@kernel
def any_move(
    state: Any, rules: Any, player: Any, seat: Any, key: Any, scratch: Any, trees: Any, moves: Any, table: Any
) -> Any:
    """The move of a player that is not at random; a clairvoyant without a winning line plays as a thumb."""
    if trees is None:  # nobody at the table searches
        return thumb_move(state, rules, player.weights, player.temperature, player.never, moves, table)
    if player.kind == THUMB or (player.kind == CLAIRVOYANT and has_solver(state)):
        return thumb_move(state, rules, player.weights, player.temperature, player.never, moves, table)
    if player.kind == ISMCTS:
        return ismcts_move(
            state, rules, player, seat, key, scratch, trees.nodes, trees.arms, moves, trees.buffer, table, trees.place
        )
    return flat_move(
        state, rules, player, seat, key, scratch, moves, trees.buffer, table, trees.gain, trees.notes, trees.place
    )
