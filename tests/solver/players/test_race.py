"""The race at the root of searches: forbidden moves are not planned, and habits count beside gains."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from houle.solver.interface import blank
from houle.solver.matches.match import Match
from houle.solver.players.best_move_race import winner
from houle.solver.players.kinds import MILLI
from houle.solver.players.player import seat_strategies
from houle.solver.players.workspace import CANDIDATE
from houle.solver.rules import make_setup
from tests.support.amounts import some
from tests.support.call import said_without_compiler

pytestmark = pytest.mark.compiled


@cache
def plans() -> Any:
    """What searches plan, from one process, because each new process imports everything again."""
    return said_without_compiler("-m", "tests.support.planning")


@pytest.mark.parametrize("strategy", ["flat:2", "ismcts:16"])
def test_searches_plan_no_forbidden_moves_of_their_own(strategy: str) -> None:
    made = plans()[strategy]
    assert made["own"] > 50
    assert "own by choice" not in made
    assert made["own forced"] > 0  # nothing else was left in the hand
    assert made["others by choice"] > 0


@pytest.mark.parametrize("strategy", ["flat:30", "ismcts:90"])
def test_caution_without_end_is_the_thumb(strategy: str) -> None:
    setup = make_setup("wave", 3)
    thumb, bold, careful = (
        seat_strategies(setup, [text]) for text in ("thumb", f"{strategy}[caution=0]", f"{strategy}[caution=1000000]")
    )
    departed = 0
    for game in range(some(6)):
        match = Match(setup, 7, game)
        while (seat := match.to_move()) >= 0:
            if len(match.moves()) > 1:
                choices = [match.seen(match.decide(line_up, 5), seat) for line_up in (thumb, bold, careful)]
                assert choices[2] == choices[0]
                departed += choices[1] != choices[0]
            match.apply(match.random_move())
    assert departed > 3


def chosen(caution: float, worlds: int, unit: int = 1000) -> int:
    """The winner of a race: habit rates move 0 2,000 points above move 1, which gains more in three of four worlds."""
    gains = np.resize([unit, unit, unit, -unit], worlds)
    candidates = blank(CANDIDATE, 2)
    candidates.alive = True
    candidates.rating = [2000, 0]
    candidates.gain = [0, gains.sum()]
    candidates.gain_squared = [0, (gains**2).sum()]
    return int(winner(candidates, 2, worlds, 0, round(caution * MILLI)))


def test_habit_counts_less_with_more_worlds() -> None:
    """The gain of n worlds is n / 2 usual differences, the habit counts 2 x 3 of them."""
    assert [chosen(3, worlds) for worlds in (4, 8, 16, 64)] == [0, 0, 1, 1]


def test_search_without_caution_ignores_the_habit() -> None:
    assert chosen(0, 4) == 1


def test_the_unit_of_utility_does_not_matter() -> None:
    """So one caution suits games with small and with large differences between moves."""
    assert [chosen(3, worlds, 5) for worlds in (8, 16)] == [chosen(3, worlds) for worlds in (8, 16)] == [0, 1]


def test_tree_search_plans_only_for_its_own_seat() -> None:
    """Partners keep to their habits: only the searching seat's moves are learned, and no signals."""
    assert plans()["learned"] == [["own"], ["own"]]


def decisions(worlds: int) -> tuple[int, int]:
    """At how many decisions of a random game flat and tree search differ with so many worlds, and of how many."""
    setup = make_setup("land-unter", 3)
    flat = seat_strategies(setup, [f"flat:{worlds}"])
    different = decided = 0
    match = Match(setup, 7, 0)
    while (seat := match.to_move()) >= 0:
        kinds = {match.seen(action, seat)[1] for action in match.moves()}
        if len(kinds) > 1:
            tree = seat_strategies(setup, [f"ismcts:{worlds * len(kinds)}"])
            different += match.seen(match.decide(tree, 5), seat) != match.seen(match.decide(flat, 5), seat)
            decided += 1
        match.apply(match.random_move())
    return different, decided


def test_tree_search_that_has_learned_nothing_is_flat_search() -> None:
    different, decided = decisions(1)
    assert different == 0
    assert decided > 20


def test_tree_search_learns() -> None:
    different, decided = decisions(20)
    assert 0 < different < decided
