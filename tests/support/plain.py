"""Prints the results of a few games of every game as JSON; with NUMBA_DISABLE_JIT=1 played without the compiler.

Random games of the cases, one game of thumbs, and one decision of each search near the end of a game, where playouts
are short: without the compiler a move takes thousands of times as long.
"""

from __future__ import annotations

import json
import sys

from houle.solver.compiler.kernels import JIT
from houle.solver.matches.match import Match
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, game_names, make_setup
from houle.solver.run.playout import play_chunk
from tests import cases

CHOICES: dict[str, tuple[cases.Choice, int]] = {"few": (cases.few, 1), "all": (cases.setups, 4)}  # games of each case
SEARCHES = ("flat:2", "ismcts:12")


def results(game: str, choice: str) -> dict[str, object]:
    setups, games = CHOICES[choice]
    made: dict[str, object] = {"jit": JIT}
    for number, setup in enumerate(setups(game)):
        tally = play_chunk(seat_strategies(setup, ("random",) * setup.players), 17, number, games)
        made[f"{number} {cases.name(setup)}"] = tally.as_data()
    usual = make_setup(game)
    made["thumb"] = play_chunk(seat_strategies(usual, ("thumb",)), 17, 0, 1).as_data()
    return made | {strategy: late_decision(usual, strategy) for strategy in SEARCHES}


def late_decision(setup: Setup, strategy: str) -> str:
    """The move of a search at one of the last real choices of a random game."""
    match, choices = Match(setup, 17), [0]
    while (seat := match.to_move()) >= 0:
        if len({match.seen(action, seat) for action in match.moves()}) > 2:
            choices.append(match.ply)
        match.apply(match.random_move())
    match = Match(setup, 17)
    while match.ply < choices[-3:][0]:
        match.apply(match.random_move())
    return f"ply {match.ply}: {match.name(match.decide(seat_strategies(setup, [strategy])))}"


if __name__ == "__main__":
    print(json.dumps({game: results(game, sys.argv[1]) for game in game_names()}))
