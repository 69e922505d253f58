"""Counts the forbidden moves in a search: those of the player itself and those of the others it imagines.

Runs with NUMBA_DISABLE_JIT=1, where kernels are plain functions that can be replaced.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

import numpy as np

from houle.solver.interface import category_bits, legal, to_move
from houle.solver.matches.match import Match
from houle.solver.players import flat, ismcts
from houle.solver.players.allowed_moves import act
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup


def main(game: str, strategy: str, category: str, players: int) -> None:
    """Prints for the plies of a search: who moved, whether the move was of the category, and whether it was forced."""
    setup = make_setup(game, players)
    bit = 1 << [name for name, _ in setup.game.CATEGORIES].index(category)
    line_up = seat_strategies(setup, [f"{strategy}[never={category}]"])
    made: Counter[str] = Counter()
    match = Match(setup, 5)
    seat = match.to_move()
    moves = np.zeros(setup.game.MAX_MOVES, np.int64)

    def listen(state: Any, rules: Any, action: Any) -> None:
        who = "own" if to_move(state) == seat else "others"
        others = [
            move for move in moves[: legal(state, rules, moves)] if not int(category_bits(state, rules, move)) & bit
        ]
        if int(category_bits(state, rules, action)) & bit:
            made[f"{who} {'by choice' if others else 'forced'}"] += 1
        made[who] += 1
        act(state, rules, action)

    flat.act = ismcts.act = listen  # type: ignore[attr-defined]
    match.decide(line_up)
    print(json.dumps(made))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
