"""Prints the results of a few games of every game as JSON; with NUMBA_DISABLE_JIT=1 played without the compiler.

Random games of every fourth case, one game of thumbs, and one decision of each search near the end of a game, where
playouts are short: without the compiler a move takes thousands of times as long. In all cases the compiled games are
compared with the reference, which is plain Python (tests/solver/test_golden.py).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from houle.analysis.players.line_ups import line_up
from houle.solver.compiler.kernels import JIT
from houle.solver.matches.match import Match
from houle.solver.players.player import seat_strategies
from houle.solver.rules import Setup, game_names, make_setup
from houle.solver.run.playout import play_chunk
from tests import cases
from tests.support import digests

CHOICES: dict[str, tuple[cases.Choice, int]] = {  # cases, games of each
    "few": (lambda game: cases.few(game)[::4], 1),
    "all": (cases.setups, 4),
}
SEARCHES = ("flat:2", "ismcts:12")
LEVELS, GAMES = "levels", 20  # the choice that plays people and thumbs, and its games of each setup


def results(game: str, choice: str) -> dict[str, object]:
    if choice == LEVELS:
        return {"jit": JIT, **people(game)}
    setups, games = CHOICES[choice]
    made: dict[str, object] = {"jit": JIT}
    for number, setup in enumerate(setups(game)):
        tally = play_chunk(seat_strategies(setup, ("random",) * setup.players), 17, number, games)
        made[f"{number} {cases.name(setup)}"] = tally.as_data()
    usual = make_setup(game)
    made["thumb"] = play_chunk(seat_strategies(usual, ("thumb",)), 17, 0, 1).as_data()
    return made | late_decisions(usual, SEARCHES)


def people(game: str) -> dict[str, object]:
    """Games of thumbs in every setup, of people with slips in the usual one, and decisions of those who think."""
    usual = make_setup(game)
    made = {name: play_chunk(line_up(setup, "thumb"), 17, 0, GAMES).as_data() for name, setup in digests.setups(game)}
    made["habit"] = play_chunk(line_up(usual, digests.HABIT), 17, 0, GAMES).as_data()
    return made | late_decisions(usual, ("family", *SEARCHES))


def late_decisions(setup: Setup, strategies: Sequence[str]) -> dict[str, str]:
    """The move of each search at one of the last real choices of a game of thumbs, which ends late."""
    match, thumbs = Match(setup, 17), line_up(setup, "thumb")
    choices = [match.copied()]
    while (seat := match.to_move()) >= 0:
        if len({match.seen(action, seat) for action in match.moves()}) > 2:
            choices.append(match.copied())
        match.apply(match.decide(thumbs))
    late = choices[-2:][0]
    return {
        strategy: f"ply {late.ply}: {late.name(late.copied().decide(line_up(setup, strategy)))}"
        for strategy in strategies
    }


if __name__ == "__main__":
    print(json.dumps({game: results(game, sys.argv[1]) for game in game_names()}))
