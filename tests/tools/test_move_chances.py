"""Chances of moves: exact where they can be, else counted; equal to how often players make the moves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import chi2

import houle
from houle.solver.matches.match import Match
from houle.solver.players.player import seat_strategies
from tools.people.move_chances import chances_at

pytestmark = pytest.mark.compiled

DECISIONS = 120
LEAST = 5.0  # expected decisions for a move; rarer moves are put together
CERTAINLY = 1e-4  # a chi-square test fails by chance so rarely


def some_positions(game: str, number: int, players: int) -> list[Match]:
    """Decisions with a choice, from games by random players."""
    found: list[Match] = []
    for deal in range(10 * number):
        match = Match(houle.setup(game, players=players), 11, deal)
        for _ in range(deal % 7 + 1):
            if match.to_move() >= 0:
                match.apply(match.random_move())
        if match.to_move() >= 0 and len(match.moves()) > 1:
            found.append(match)
        if len(found) == number:
            return found
    raise AssertionError("too few positions")


def counted(match: Match, strategy: str, places: Sequence[int], first: int) -> list[int]:
    """How often a player makes each move in decisions one by one, each in a fresh copy of the match."""
    seated, counts = seat_strategies(match.setup, [strategy]), [0] * len(places)
    for number in range(DECISIONS):
        here = match.copied()
        luck = np.uint64((first + number) * 0x9E37_79B9_7F4A_7C15 % 2**64)
        here.states[0].choice = here.states[0].root = luck  # random signals are drawn from the root
        action = here.decide(seated, key=first + number)
        counts[places.index(match.seen(action, match.to_move())[1])] += 1
    return counts


def test_chances_equal_counted_frequencies() -> None:
    """Ten positions of two games, for random play, a temperature, lapses and a search."""
    games = [("wave", 3), ("land-unter", 3)]
    total, freedom, positions = 0.0, 0, 0
    for number, (game, players) in enumerate(games):
        searches = ["flat:2[heeds=0]"] if game == "wave" else []
        for strategy in ("random", "thumb[temperature=500]", "thumb[forgets=20,nearsighted=30]", *searches):
            matches = some_positions(game, 5, players)
            positions += len(matches) * (strategy == "random")
            chances = chances_at(matches, strategy, 4 * DECISIONS, floor=0.0, seed=1)
            for place, here in enumerate(chances):
                kinds = [here.match.seen(int(action), here.seat)[1] for action in here.actions]
                seen = counted(here.match, strategy, kinds, 10_000 * (number + 10 * place))
                square, free = chi_square(np.array(seen), here.chances, here.repeats)
                total, freedom = total + square, freedom + free
    assert positions == 10
    assert freedom > 20
    assert chi2.sf(total, freedom) > CERTAINLY


def chi_square(seen: np.ndarray, chances: np.ndarray, repeats: int) -> tuple[float, int]:
    """Pearson's sum over the moves, with rare ones put together, and its degrees of freedom."""
    often = chances * DECISIONS >= LEAST
    groups = [[place] for place in np.flatnonzero(often)] + [[*np.flatnonzero(~often)]]
    rows = [(seen[group].sum(), chances[group].sum() * DECISIONS) for group in groups if len(group)]
    assert all(count == 0 for count, expected in rows if expected == 0)
    widen = 1 + DECISIONS / repeats if repeats else 1.0  # counted chances vary too
    rows = [(count, expected) for count, expected in rows if expected >= 1]
    return sum((count - expected) ** 2 / (expected * widen) for count, expected in rows), len(rows) - 1


def test_chances_depend_only_on_what_the_seat_knows() -> None:
    """In worlds that the seat cannot tell apart, with other luck, every chance is the same."""
    for match in some_positions("wave", 3, 3):
        worlds = [match.imagine(match.to_move(), key) for key in range(3)]
        for strategy in ("thumb[temperature=500]", "family", "flat:2[heeds=0]"):
            rows = [
                dict(zip(here.moves, here.chances, strict=True))
                for here in (chances_at([one], strategy, repeats=30, floor=0.01, seed=1)[0] for one in (match, *worlds))
            ]
            assert all(row == rows[0] for row in rows)
