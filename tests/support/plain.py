"""Prints the tallies of a few games of every case as JSON; with NUMBA_DISABLE_JIT=1 played without the compiler."""

from __future__ import annotations

import json
import sys

from houle.solver.kernels import JIT
from houle.solver.playout import play_chunk
from tests import cases

GAMES_PER_CASE = 4


def tallies(game: str) -> dict[str, object]:
    found: dict[str, object] = {"jit": JIT}
    for number, setup in enumerate(cases.setups(game)):
        tally = play_chunk(setup, ("random",) * setup.players, 17, number, GAMES_PER_CASE)
        found[f"{number} {cases.name(setup)}"] = tally.as_data()
    return found


if __name__ == "__main__":
    print(json.dumps(tallies(sys.argv[1])))
