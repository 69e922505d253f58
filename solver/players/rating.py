"""Ratings by the rules of thumb of every legal move, for many positions in one call."""

from __future__ import annotations

from houle.solver.compiler.kernels import entry
from houle.solver.compiler.types import AllRules, Features, Moves, Numbers, Players, States
from houle.solver.interface import kind, legal, to_move
from houle.solver.players.allowed_moves import permitted
from houle.solver.players.thumb import LOWEST, RATING, rate


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
