"""Observations hold all that a seat knows and nothing else."""

from __future__ import annotations

import pytest

from houle.solver.invariants.play import decisions
from houle.solver.invariants.shown import observations_show_what_the_seat_sees
from houle.solver.matches.match import Match, observation_size
from houle.solver.matches.record.position import words_of
from houle.solver.matches.seen_moves import after
from houle.solver.rules import Setup, game_names, make_setup
from tests import cases

pytestmark = pytest.mark.compiled

GAMES = game_names()
EVERY = 23  # plies between two that are compared


@pytest.mark.parametrize("choice", cases.KNOWLEDGE)
@pytest.mark.parametrize("game", GAMES)
def test_hidden_cards_change_no_observation(game: str, choice: cases.Choice) -> None:
    assert sum(observations_show_what_the_seat_sees(setup, 1, 5, EVERY) for setup in choice(game)) > 100


def near(match: Match, seat: int) -> list[Match]:
    """The match, its neighbours after different moves, and worlds that other seats imagine."""
    others = [other for other in range(match.setup.players) if other != seat]
    worlds = [match.imagine(other, match.ply + 1) for other in others]
    return [match, *worlds, *(after(match, action) for action in match.moves()[:4])]


def compare(setup: Setup, seed: int) -> int:
    """Whatever differs for a seat, in words or in what it knows, differs in its observation."""
    words, told = words_of(setup), dict[tuple[int, bytes], tuple[object, int]]()
    for match, _ in decisions(setup, 1, seed, EVERY):
        for seat in range(setup.players):
            for other in near(match, seat):
                lines = {name: sorted(line) for name, line in words.write(other.state, setup, seat).items()}
                knows = lines if other.to_move() >= 0 else None, other.knows(seat)
                assert told.setdefault((seat, other.observe(seat).tobytes()), knows) == knows
    return len(told)


@pytest.mark.parametrize("choice", cases.CHOICES)
@pytest.mark.parametrize("game", GAMES)
def test_observations_hold_all_that_is_known(game: str, choice: cases.Choice) -> None:
    assert sum(compare(setup, 7) for setup in choice(game)) > 100


@pytest.mark.parametrize("game", GAMES)
def test_seats_are_counted_from_the_observer(game: str) -> None:
    """Every seat finds its own hand in the same place, and only its owner sees it there."""
    setup = make_setup(game)
    match, size = Match(setup, 3), observation_size(setup)
    first = [match.observe(seat) for seat in range(setup.players)]
    assert [int(numbers[0]) for numbers in first] == list(range(setup.players))
    assert {len(numbers) for numbers in first} == {size}
    assert len({numbers[1:].tobytes() for numbers in first}) == setup.players
