"""Lists whose moves a tree search learns: those of its own seat, or of others too.

Runs with NUMBA_DISABLE_JIT=1, where kernels are plain functions that can be replaced.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from houle.solver.interface import to_move
from houle.solver.matches.match import Match
from houle.solver.players import ismcts
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup

learned_move = ismcts._learned_move


def main(game: str, strategy: str, players: int) -> None:
    """Prints `own` if the search learned moves of its own seat, and `others` if it learned moves of other seats."""
    setup = make_setup(game, players, settings={"talk": "open"})
    match = Match(setup, 5)
    whose = set()

    def listen(line: Any, *rest: Any) -> Any:
        whose.add("own" if to_move(line) == seat else "others")
        return learned_move(line, *rest)

    ismcts._learned_move = listen
    while (seat := match.to_move()) >= 0 and len(match.moves()) == 1:
        match.apply(match.moves()[0])
    match.decide(seat_strategies(setup, [strategy]))
    print(json.dumps(sorted(whose)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
