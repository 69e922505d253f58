"""Black Hole: the invariants of every game, and the solver against a plain search."""

from copy import copy
from functools import cache
from pathlib import Path

import numpy as np

from houle.analysis.checks.check import FAILED, check_game
from houle.solver.matches.match import Match
from houle.solver.rules import make_setup
from houle.solver.rules.game_folders import look_in


def test_invariants_hold() -> None:
    look_in(Path(__file__).parents[1] / "black_hole")
    assert [check for check in check_game("black-hole") if check.verdict == FAILED] == []


def test_solver_agrees_with_a_full_search() -> None:
    """Along winning lines of the solver, and one move beside them, a full search gives the same answers."""
    look_in(Path(__file__).parents[1] / "black_hole")
    setup = make_setup("black-hole")
    clairvoyant = setup.game.file("clairvoyant")
    memory, line = clairvoyant.solver_memory(setup), np.zeros(128, np.int64)
    answers = []
    for game in range(12):
        match = Match(setup, 3, game)
        status, length, _ = clairvoyant.solve(match.state, setup.rules[0], 1_000, line, memory)
        for number, action in enumerate(line[:length].tolist() if status == 1 else ()):
            if number in (34, 38, 42):
                for move in match.moves():
                    beside = copy(match)
                    beside.states = match.states.copy()
                    beside.apply(move)
                    seen = beside.snapshot()
                    piles = tuple(tuple(card // 4 for card in pile) for pile in seen["piles"])
                    answer = clairvoyant.solve(beside.state, setup.rules[0], 100_000, np.zeros(128, np.int64), memory)[
                        0
                    ]
                    assert answer == winnable(piles, seen["hole"] // 4, True)
                    answers.append(answer)
            match.apply(action)
        assert status != 1 or match.result()["shares"] == [840]
    assert set(answers) == {0, 1}


@cache
def winnable(piles: tuple[tuple[int, ...], ...], hole: int | None, wrap: bool) -> bool:
    """A full search."""
    if not any(piles):
        return True
    for i, pile in enumerate(piles):
        if pile and (hole is None or abs(pile[-1] - hole) == 1 or (wrap and abs(pile[-1] - hole) == 12)):
            rest = tuple(sorted([*piles[:i], pile[:-1], *piles[i + 1 :]]))
            if winnable(rest, pile[-1], wrap):
                return True
    return False
