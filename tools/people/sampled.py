"""Ratings and decisions of players at many positions in one call."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from houle.solver.cards.bits import U8
from houle.solver.cards.streams import CHOICE, derive
from houle.solver.compiler.kernels import entry
from houle.solver.compiler.types import AllRules, Features, Key, Moves, Number, Numbers, Players, States
from houle.solver.interface import blank, kind, legal, to_move
from houle.solver.players.allowed_moves import permitted
from houle.solver.players.any_move import any_move
from houle.solver.players.best_move_race import search_key
from houle.solver.players.player import LineUp
from houle.solver.players.thumb import LOWEST, RATING, rate
from houle.solver.players.workspace import Search, Thinking, Workspace, move_buffers


@entry
def rate_moves(
    states: States, all_rules: AllRules, players: Players, moves: Moves, table: Features, actions: Numbers,
    labels: Numbers, ratings: Numbers, sizes: Numbers,
) -> None:  # fmt: skip
    """Writes the legal actions of each state, a row each: their kinds, and their ratings by the player to move.

    Actions that are forbidden to the player (`never`) are rated LOWEST. `sizes` gets the number of legal actions.
    """
    rules = all_rules[0]
    for row in range(len(states)):
        state = states[row]
        player = players[to_move(state)]
        n = legal(state, rules, moves)
        sizes[row] = n
        for i in range(n):
            actions[row, i] = moves[i]
            labels[row, i] = kind(state, rules, moves[i])
            ratings[row, i] = LOWEST
        kept = permitted(state, rules, player.never, moves, n)
        rate(state, rules, player.weights[:], moves, kept, table)
        place = 0
        for i in range(n):  # `permitted` keeps the order
            if place < kept and actions[row, i] == moves[place]:
                ratings[row, i] = table[place, RATING]
                place += 1


@entry
def _decide_often(
    states: States, openings: States, all_rules: AllRules, players: Players, work: Workspace | None,
    search: Search | None, solver: Any, moves: Moves, table: Features, seed: Key, first: Number, chosen: Numbers,
) -> None:  # fmt: skip
    """Writes the moves of equally many decisions at each opening, one after the other."""
    state, rules = states[0], all_rules[0]
    for row in range(len(chosen)):
        number = first + row
        states[0] = openings[row * len(openings) // len(chosen)]
        state.choice = derive(derive(seed, CHOICE), number)
        if work is not None:
            work.scene.counters[0].foreseen = 0
        seat = to_move(state)
        key = derive(search_key(seed, number, 0), U8(0))
        chosen[row] = any_move(state, rules, players[seat], seat, key, moves, table, work, search, solver, False)


def sample_moves(
    line_up: LineUp, states: States, times: int, seed: int, first: int, thinking: Thinking
) -> NDArray[np.int64]:
    """The moves that the seats to move make in `times` decisions with fresh luck at each state: states by times.

    Decisions are numbered from `first`; each number of a seed has luck of its own. Nobody who plays may be random.
    `thinking` is what the line-up thinks with, and remembers.
    """
    setup, chosen = line_up.setup, np.zeros(len(states) * times, np.int64)
    moves, table = move_buffers(setup)
    board, key = blank(setup.game.STATE), U8(seed)
    _decide_often(board, states, setup.rules, line_up.records, *thinking, moves, table, key, first, chosen)
    return chosen.reshape(len(states), times)
