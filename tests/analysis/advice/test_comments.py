"""Reasons and chances of moves: parts add up to the rating, and nothing of it touches the game."""

from __future__ import annotations

import pytest

import houle
from houle.analysis.advice.chances import chance
from houle.analysis.advice.reasons import reasons
from houle.solver.match import Match
from houle.solver.ruleset import game_names, make_setup
from houle.solver.strategies.player import seat_strategies


@pytest.mark.parametrize("game", game_names())
def test_the_parts_of_the_rules_add_up(game: str) -> None:
    """The thumb's move is never rated below another; the parts sum to what it is ahead."""
    setup = make_setup(game)
    table, thumbs = Match(setup, 5), seat_strategies(setup, ["thumb"])
    asked = 0
    while table.to_move() >= 0 and table.ply < 60:
        action = table.decide(thumbs)
        why = reasons(table, thumbs, action)
        if why is not None:
            asked += 1
            assert sum(reason.points for reason in why.reasons) == why.margin >= 0
            assert why.rival != why.action == action
            assert why.decided is None or why.decided.points == max(reason.points for reason in why.reasons)
        table.apply(action)
    assert asked > 3


def test_a_random_player_has_no_reasons() -> None:
    setup = make_setup("wave")
    match = Match(setup, 5)
    assert reasons(match, seat_strategies(setup, ["random"]), match.moves()[0]) is None


@pytest.mark.parametrize("game", ["land-unter", "wave"])
def test_comments_leave_the_game_as_it_is(game: str) -> None:
    plain = houle.trace(game, seed=5)
    told = houle.trace(game, seed=5, why=True, chances=4)
    assert [ply.action for ply in told.plies] == [ply.action for ply in plain.plies]
    assert told.result == plain.result
    assert all(ply.chances is None for ply in plain.plies)
    for ply in told.plies:
        assert ply.chances is not None
        assert all(found.n == 4 or found.low == found.high for found in ply.chances)


def test_a_chance_is_certain_at_the_end_and_the_same_when_asked_again() -> None:
    setup = make_setup("wave")
    table, thumbs = Match(setup, 5), seat_strategies(setup, ["thumb"])
    first = chance(table, 0, 40)
    assert chance(table, 0, 40) == first
    assert first.low < first.value < first.high
    while table.to_move() >= 0:
        table.apply(table.decide(thumbs))
    assert chance(table, 0, 40).value == table.result()["shares"][0] / 840
