"""Advice at a position: moves are ranked by wins, and losses are paired."""

from __future__ import annotations

import numpy as np
import pytest

import houle
from houle.analysis.advice.advise import gain_sequence, is_certain, losses, world_counts
from houle.analysis.measures.goal import Goal
from houle.analysis.stats.estimate import POINTS, Estimate
from tests.support.repeated import repeated

pytestmark = pytest.mark.compiled

WINS = Goal(houle.setup("wave", players=3))
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
    assert advice.rival not in advice.equal
    assert advice.rival == advice.moves[len(advice.equal)]
    assert (advice.why.action, advice.why.rival) == (advice.moves[0].action, advice.rival.action)
    assert sum(reason.points for reason in advice.why.reasons) == advice.why.margin


def test_the_only_move_does_not_matter() -> None:
    here = "game: wave; players: 3; set talk: known; seat: 1; top: sky 4; seat 1 front: white 3, yellow 2, white 2; \
seat 1 back: white 1, navy 0; seat 2 back: navy 1, sky 3; seat 3 back: yellow 1, red 2"
    advice = houle.advise(here, worlds=20, players=False)
    assert [move.name for move in advice.moves] == ["play navy 0"]
    assert not advice.matters
    assert advice.why is None


@pytest.mark.quick
def test_certain_stops_when_the_best_is_known() -> None:
    """If one of two moves always wins, a hundred worlds are enough; equal moves need many more."""
    sure = np.zeros((2000, 2))
    sure[:, 0] = 1.0
    at = [100]
    assert is_certain(WINS, losses(WINS, sure[:100], 0, at), 0)
    rng = np.random.default_rng(1)
    coins = rng.integers(0, 2, (2000, 2)).astype(float)
    best = int(coins[:100].sum(axis=0).argmax())
    assert not is_certain(WINS, losses(WINS, coins[:100], best, at), best)


@repeated(40, 200)
def test_gain_sequences_hold_at_all_looks(runs: int) -> None:
    """Of runs with small gains, at most 5% of the sequences ever miss the truth."""
    rng = np.random.default_rng(5)
    missed = 0
    for _ in range(runs):
        gains = rng.choice([-1.0, 0.0, 1.0], 1000, p=[0.1, 0.78, 0.12])
        seen: list[int] = []
        for look in world_counts(1000):
            seen.append(look)
            gain = gain_sequence(WINS, gains, seen, 0.95)
            if not gain.low <= 0.02 <= gain.high:
                missed += 1
                break
    assert missed <= 0.05 * runs
