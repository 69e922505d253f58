"""Knowledge vectors are equal in worlds that a seat cannot tell apart, and differ when it knows something else."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.adapters.knowledge_vector import SIZE, knowledge_vector, relative
from houle.solver.matches.match import Match
from houle.solver.rules import load, make_setup

pytestmark = pytest.mark.quick

GAMES = ["wave", "sea-change", "land-unter", "vague-verte", "vague-attaque"]
PLIES = 40


@pytest.mark.compiled
@pytest.mark.parametrize("game", GAMES)
def test_a_vector_holds_all_that_a_seat_knows(game: str) -> None:
    match = Match(make_setup(game, max(load(game).players)), 5)
    vectors: dict[int, set[bytes]] = {}
    for ply in range(PLIES):
        seat = match.to_move()
        if seat < 0:
            break
        vector = knowledge_vector(match, seat)
        assert vector.shape == (SIZE,)
        assert np.array_equal(vector, knowledge_vector(match.imagine(seat, ply), seat))
        vectors.setdefault(match.knows(seat), set()).add(vector.tobytes())
        match.apply(match.random_move())
    assert len(vectors) > PLIES // 2
    assert len(set().union(*vectors.values())) == len(vectors)


@pytest.mark.parametrize("game", [game for game in GAMES if game != "land-unter"])  # there all choose at once
def test_a_waiting_seat_has_its_own_vector(game: str) -> None:
    """In a world that differs in the mover's hand only the mover's vector differs."""
    match = Match(make_setup(game), 5)
    mover = match.to_move()
    waiting = (mover + 1) % match.setup.players
    world = match.imagine(waiting, 1)
    assert np.array_equal(knowledge_vector(match, waiting), knowledge_vector(world, waiting))
    assert not np.array_equal(knowledge_vector(match, mover), knowledge_vector(world, mover))


def test_seats_are_named_from_the_observer() -> None:
    assert relative("seat 1 hand", 0, 3) == "own hand"
    assert relative("seat 1 hand", 1, 3) == "next 2 hand"
    assert relative("card 2 known to seat 3", 1, 3) == "card 2 known to next 1"
