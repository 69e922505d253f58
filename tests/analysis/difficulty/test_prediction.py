"""Predictions for groups of people: the long-run rate with what is not known about the group, and the next games."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import houle
from houle.analysis.difficulty.prediction import likely_wins, predict
from houle.analysis.players.groups import Group, save_group
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.solver.rules import make_setup

pytestmark = pytest.mark.quick

POINTS = tuple((30.0 - one, 0.5 + one / 10) for one in range(20))


def group(beyond: int = 0) -> Group:
    return Group("my-group", 20, 1.5, POINTS, beyond, 50)


def rates(half: float = 0.0) -> list[Estimate]:
    """From 5 to 24%."""
    return [Estimate(one / 100, one / 100 - half, one / 100 + half, 100, PERCENT) for one in range(5, 5 + len(POINTS))]


def test_the_interval_holds_all_points_of_the_group() -> None:
    rate = predict(group(), rates(), 10).rate
    assert (rate.value, rate.low, rate.high) == (
        pytest.approx(0.145),
        pytest.approx(0.0433, abs=1e-3),
        pytest.approx(0.288, abs=1e-3),
    )


def test_the_interval_is_never_narrower_than_the_noise() -> None:
    same = [Estimate(0.2, 0.1, 0.4, 25, PERCENT)] * 16
    rate = predict(group(), same, 10).rate
    assert (rate.low, rate.high, rate.n) == (pytest.approx(0.1274, abs=1e-3), pytest.approx(0.3105, abs=1e-3), 400)


def test_rare_wins_are_predicted_less_surely() -> None:
    """The allowance for groups at no point of the plane is larger, in log odds, where hardly any game is won."""

    def away(rate: float) -> float:
        found = predict(group(), [Estimate(rate, rate, rate, 100, PERCENT)] * len(POINTS), 10).rate
        assert found.low < rate < found.high
        return math.log(found.high / (1 - found.high)) - math.log(rate / (1 - rate))

    assert away(0.5) == pytest.approx(0.3)
    assert away(0.02) > 1


def test_a_group_above_the_plane_reaches_to_the_expert() -> None:
    guess = predict(group(beyond=1), rates(), 10, Estimate(0.7, 0.6, 0.8, 100, PERCENT))
    assert (guess.rate.value, guess.rate.low, guess.rate.high) == (
        pytest.approx(0.145),
        pytest.approx(0.0433, abs=1e-3),
        0.8,
    )
    assert guess.wins[1] >= 7
    assert "above the levels" in guess.sentence
    assert predict(group(beyond=-1), rates(), 10, Estimate(0.0, 0.0, 0.01, 9, PERCENT)).rate.low == 0.0


@pytest.mark.parametrize(
    ("chance", "games", "wins"), [(0.5, 10, (2, 8)), (0.0, 10, (0, 0)), (1.0, 10, (10, 10)), (0.1, 1, (0, 1))]
)
def test_a_known_chance_gives_the_binomial_range(chance: float, games: int, wins: tuple[int, int]) -> None:
    assert likely_wins([chance], [1.0], games) == wins


def test_an_unknown_chance_widens_the_range() -> None:
    low, high = likely_wins([0.1, 0.5], [1.0, 1.0], 20)
    assert (low, high) == (0, 14)  # half of the weight has 14 or fewer with 98%


@pytest.mark.compiled
def test_difficulty_shows_what_is_not_known_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOULE_CONFIG_DIR", str(tmp_path))
    save_group(group())
    own = make_setup("wave", 3, (), {"hand.back": 3})
    result = houle.difficulty(own, strategies="family,my-group", games=100, next_games=5)
    family, mine = result.levels
    assert family.predicted is None
    assert mine.predicted is not None
    assert mine.rate == mine.predicted.rate
    assert mine.printed is not None
    assert mine.more is not None
    assert mine.more.value == pytest.approx(mine.rate.value - mine.printed.value)
    assert mine.more.half > 0.05  # 20 points, 50 deals each
    assert mine.predicted.sentence in result.verdict
    assert result.as_json()["predictions"]["my-group"]["next"]["games"] == 5
    assert result.repeat().count("my-group") == 1
    assert "level[" not in str(result.as_json())
