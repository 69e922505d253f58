"""Advice at a position: moves ranked by wins, paired losses, and reasons that add up to the rating."""

from __future__ import annotations

import pytest

import houle
from houle.analysis.play.playouts import chance
from houle.analysis.play.reasons import reasons
from houle.analysis.stats.estimate import POINTS, Estimate
from houle.solver.matches.match import Match
from houle.solver.players.player import seat_strategies
from houle.solver.rules import game_names, make_setup

pytestmark = pytest.mark.compiled

HERE = {"seed": 7, "game": 3, "ply": 5}


@pytest.fixture(scope="module")
def advice() -> houle.Advice:
    return houle.advise(houle.position("wave", **HERE), worlds=100)


def test_moves_are_ranked_with_paired_losses(advice: houle.Advice) -> None:
    wins = [move.win.value for move in advice.moves]
    assert wins == sorted(wins, reverse=True)
    assert advice.best.loss == Estimate(0.0, 0.0, 0.0, 100, POINTS)
    for move in advice.moves[1:]:
        assert move.loss.value == pytest.approx(advice.best.win.value - move.win.value)
        assert move.loss.low < move.loss.value < move.loss.high
        assert sum(move.ends.values()) == pytest.approx(1)
    named = [name for move in advice.moves for name in move.players]
    assert sorted(named) == ["thumb", "tree-searcher"]  # experts read the others here, but the position has no notes
    assert advice.headline.startswith(f"{'so far' if advice.contenders else 'best'}: {advice.best.name}, wins ")


def test_a_position_as_text_gives_the_same_advice(advice: houle.Advice) -> None:
    again = houle.advise(advice.position.as_text(), worlds=100)
    assert again.digest == advice.digest
    assert [move.players for move in again.moves] == [move.players for move in advice.moves]
    other = houle.advise(advice.position, worlds=100, seed=2, players=False)
    assert other.digest != advice.digest


def test_reasons_compare_with_the_next_worse_move(advice: houle.Advice) -> None:
    assert advice.why is not None
    assert advice.rival is not None
    worse = [move for move in advice.moves[1:] if move not in advice.contenders]
    assert advice.rival == (worse or list(advice.moves[1:]))[0]
    assert (advice.why.action, advice.why.rival) == (advice.moves[0].action, advice.rival.action)
    assert sum(reason.points for reason in advice.why.reasons) == advice.why.margin


def test_the_only_move_does_not_matter() -> None:
    here = "game: wave; players: 3; set talk: known; seat: 1; top: sky 4; seat 1 front: white 3, yellow 2, white 2; \
seat 1 back: white 1, navy 0; seat 2 back: navy 1, sky 3; seat 3 back: yellow 1, red 2"
    advice = houle.advise(here, worlds=20, players=False)
    assert [move.name for move in advice.moves] == ["play navy 0"]
    assert not advice.matters
    assert advice.why is None


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
