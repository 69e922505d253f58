"""Runs every invariant and strategy on the setups of a game; with NUMBA_BOUNDSCHECK=1 indices are checked too."""

from __future__ import annotations

import sys

from numba.core import config

from houle.solver.invariants import INVARIANTS
from houle.solver.matches.match import Match
from houle.solver.players.player import seat_strategies
from houle.solver.run.playout import play_chunk
from houle.solver.run.tally import blank_ledger
from tests import cases

LAPSES = "thumb[forgets=30,loses_count=20,nearsighted=40]"
STRATEGIES = ("random", "thumb[temperature=500]", LAPSES, "flat:6", "ismcts:40", "clairvoyant:20")


def main(game: str) -> None:
    for number, setup in enumerate(cases.setups(game)):
        for invariant in INVARIANTS.values():
            invariant(setup, 1, number)
        for strategy in STRATEGIES:
            searches = ":" in strategy
            ledger = blank_ledger(1, int(setup.rules[0].sides))
            play_chunk(seat_strategies(setup, (strategy,)), number, 0, 1 if searches else 50)
            play_chunk(seat_strategies(setup, (strategy,)), number, 0, 1, ledger=ledger)
        Match(setup, number).judge(seat_strategies(setup, ["flat:4"]))
    print("bounds checked" if config.BOUNDSCHECK else "bounds not checked")


if __name__ == "__main__":
    main(sys.argv[1])
