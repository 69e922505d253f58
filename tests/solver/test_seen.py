"""What a seat sees: all that it knows and nothing else, in numbers, texts and pages, from one table per game."""

from __future__ import annotations

import pytest

from houle.solver.invariants.knowledge import ratings
from houle.solver.invariants.play import decisions
from houle.solver.invariants.shown import seats_are_shown_what_they_know
from houle.solver.matches.known import observation_size
from houle.solver.matches.match import Match
from houle.solver.rules import Setup, game_names, make_setup
from tests import cases
from tests.support.amounts import rarely, some
from tests.support.call import said_without_compiler

pytestmark = pytest.mark.compiled

GAMES = game_names()
EVERY = rarely(23)  # plies between two that are compared
LONG = ("sea-change", "land-unter", "vague-verte", "vague-attaque")  # games with many plies and large pages


@pytest.mark.parametrize("choice", cases.KNOWLEDGE)
@pytest.mark.parametrize("game", GAMES)
def test_hidden_cards_change_nothing_that_is_shown(game: str, choice: cases.Choice) -> None:
    every = 4 * EVERY if game in LONG else EVERY
    assert sum(seats_are_shown_what_they_know(setup, some(1), 5, every) for setup in choice(game)) > 100


def near(match: Match) -> list[Match]:
    """Matches with the same seat to move: worlds that other seats imagine, and the match after different moves."""
    seat = match.to_move()
    worlds = [match.imagine(other, match.ply + 1) for other in range(match.setup.players) if other != seat]
    later = [match.after(action) for action in match.moves()[:4]]
    return [one for one in (match, *worlds, *later) if one.to_move() >= 0]


def compare(setup: Setup, seed: int) -> int:
    """Asserts that a seat which knows the same has the same moves with the same ratings; returns how many cases."""
    told = dict[tuple[int, int], object]()
    for match, _ in decisions(setup, 1, seed, EVERY):
        for one in near(match):
            seat = one.to_move()
            offered = ratings(one, seat)
            assert told.setdefault((seat, one.knows(seat)), offered) == offered
    return len(told)


@pytest.mark.parametrize("choice", cases.CHOICES)
@pytest.mark.parametrize("game", GAMES)
def test_moves_and_features_follow_from_what_is_known(game: str, choice: cases.Choice) -> None:
    assert sum(compare(setup, 7) for setup in choice(game)) > 50


@pytest.mark.parametrize("game", GAMES)
def test_seats_are_counted_from_the_observer(game: str) -> None:
    """Every seat finds its own hand in the same place, and only its owner sees it there."""
    setup = make_setup(game)
    match, size = Match(setup, 3), observation_size(setup)
    first = [match.known(seat).numbers for seat in range(setup.players)]
    assert [int(numbers[0]) for numbers in first] == list(range(setup.players))
    assert {len(numbers) for numbers in first} == {size}
    assert len({numbers[1:].tobytes() for numbers in first}) == setup.players


def test_a_changed_part_changes_all_forms() -> None:
    """One getter of each table is changed, without the compiler: numbers, hash, lines and page change with it."""
    changed = said_without_compiler("-m", "tests.support.changed_part", *GAMES)
    assert changed == {game: ["numbers", "hash", "lines", "page"] for game in GAMES}


def test_only_the_seat_to_move_knows_kinds_of_moves() -> None:
    match = Match(make_setup("vague-verte"), 1)
    seat = match.to_move()
    assert match.known(seat).kinds == list(dict.fromkeys(match.seen(move, seat)[1] for move in match.moves()))
    assert match.known(seat + 1).kinds == []
