"""Black Hole: the laws that every game obeys, and the kernels beside the plain version."""

from copy import copy
from functools import cache
from pathlib import Path

import numpy as np

from houle.analysis.checks.check import FAILED, check_game
from houle.solver.match import Match
from houle.solver.ruleset import make_setup
from houle.solver.ruleset.homes import look_in


def test_the_laws_hold() -> None:
    look_in(Path(__file__).parents[1] / "black_hole")
    assert [one for one in check_game("black-hole") if one.verdict == FAILED] == []


def test_what_the_solver_says_is_true() -> None:
    """Along lines that it finds, and one move beside them, a plain search of everything says the same."""
    look_in(Path(__file__).parents[1] / "black_hole")
    setup = make_setup("black-hole")
    clairvoyant = setup.game.file("clairvoyant")
    memory, line = clairvoyant.solver_memory(setup), np.zeros(128, np.int64)
    told = []
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
                    found = clairvoyant.solve(beside.state, setup.rules[0], 100_000, np.zeros(128, np.int64), memory)[0]
                    assert found == winnable(piles, seen["hole"] // 4, True)
                    told.append(found)
            match.apply(action)
        assert status != 1 or match.result()["shares"] == [840]
    assert set(told) == {0, 1}


@cache
def winnable(piles: tuple[tuple[int, ...], ...], hole: int | None, wrap: bool) -> bool:
    """Everything is tried."""
    if not any(piles):
        return True
    for i, pile in enumerate(piles):
        if pile and (hole is None or abs(pile[-1] - hole) == 1 or (wrap and abs(pile[-1] - hole) == 12)):
            rest = tuple(sorted([*piles[:i], pile[:-1], *piles[i + 1 :]]))
            if winnable(rest, pile[-1], wrap):
                return True
    return False
