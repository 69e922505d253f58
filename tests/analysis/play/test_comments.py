"""Reasons and chances of moves: parts add up to the rating."""

from __future__ import annotations

import pytest

from houle.analysis.play.playouts import chance
from houle.analysis.play.reasons import reasons
from houle.solver.matches.match import Match
from houle.solver.players.player import seat_strategies
from houle.solver.rules import game_names, make_setup

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize("game", game_names())
def test_the_parts_of_the_rules_add_up(game: str) -> None:
    """The thumb's move is never rated below another; the parts sum to its margin."""
    setup = make_setup(game)
    match, thumbs = Match(setup, 5), seat_strategies(setup, ["thumb"])
    asked = 0
    while match.to_move() >= 0 and match.ply < 60:
        action = match.decide(thumbs)
        why = reasons(match, thumbs, action)
        if why is not None:
            asked += 1
            assert sum(reason.points for reason in why.reasons) == why.margin >= 0
            assert why.rival != why.action == action
            assert why.decided is None or why.decided.points == max(reason.points for reason in why.reasons)
        match.apply(action)
    assert asked > 3


def test_a_random_player_has_no_reasons() -> None:
    setup = make_setup("wave")
    match = Match(setup, 5)
    assert reasons(match, seat_strategies(setup, ["random"]), match.moves()[0]) is None


def test_a_chance_is_exact_at_the_end() -> None:
    setup = make_setup("wave")
    match, thumbs = Match(setup, 5), seat_strategies(setup, ["thumb"])
    first = chance(match, 0, 40)
    assert chance(match, 0, 40) == first
    assert first.low < first.value < first.high
    while match.to_move() >= 0:
        match.apply(match.decide(thumbs))
    assert chance(match, 0, 40).value == match.result()["shares"][0] / 840
