"""Tree search begins as flat search and learns from its simulations."""

from __future__ import annotations

import pytest

from houle.solver.matches.match import Match
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup

pytestmark = pytest.mark.compiled


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
