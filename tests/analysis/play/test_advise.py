"""Advice at a position: moves are ranked by wins, and losses are paired."""

from __future__ import annotations

import pytest

import houle
from houle.analysis.stats.estimate import POINTS, Estimate

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
