"""Predictions for groups of people: the long-run rate with what is not known about the group, and the next games."""

from __future__ import annotations

from pathlib import Path

import pytest

import houle
from houle.analysis.difficulty.prediction import likely_wins, places_of, predict
from houle.analysis.players.groups import Group, save_group
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.solver.rules import make_setup

pytestmark = pytest.mark.quick

FLAT = (0.0,) * 61


def group(level: float, low: float, high: float, beyond: int = 0) -> Group:
    return Group("my-group", level, low, high, beyond, 50, FLAT)


def straight(one: Group, half: float = 0.0) -> dict[float, Estimate]:
    """A tenth of a win for each level."""
    return {
        place: Estimate(place / 10, place / 10 - half, place / 10 + half, 1000, PERCENT) for place in places_of(one)
    }


def test_the_interval_holds_all_levels_of_the_group() -> None:
    one = group(1.2, 0.7, 2.1)
    rate = predict(one, straight(one), 10).rate
    assert (rate.value, rate.low, rate.high) == (pytest.approx(0.12), pytest.approx(0.07), pytest.approx(0.21))


def test_noise_of_the_simulation_widens_it() -> None:
    one = group(1.2, 0.7, 2.1)
    rate = predict(one, straight(one, 0.05), 10).rate
    assert (rate.low, rate.high) == (pytest.approx(0.02), pytest.approx(0.26))


def test_a_group_above_the_line_reaches_to_the_expert() -> None:
    one = group(3, 2.5, 3, beyond=1)
    expert = Estimate(0.7, 0.6, 0.8, 100, PERCENT)
    guess = predict(one, straight(one), 10, expert)
    assert (guess.rate.value, guess.rate.high) == (pytest.approx(0.3), 0.8)
    assert guess.wins == (1, 9)
    assert "above the levels" in guess.sentence
    low = predict(group(0, 0, 0.2, beyond=-1), straight(group(0, 0, 0.2)), 10, Estimate(0.0, 0.0, 0.01, 9, PERCENT))
    assert low.rate.low == 0.0


@pytest.mark.parametrize(
    ("chance", "games", "wins"), [(0.5, 10, (2, 8)), (0.0, 10, (0, 0)), (1.0, 10, (10, 10)), (0.1, 1, (0, 1))]
)
def test_a_known_chance_gives_the_binomial_range(chance: float, games: int, wins: tuple[int, int]) -> None:
    assert likely_wins([chance], [1.0], games) == wins


def test_an_unknown_chance_widens_the_range() -> None:
    low, high = likely_wins([0.1, 0.5], [1.0, 1.0], 20)
    assert (low, high) == (0, 14)  # half of the weight has 14 or fewer with 98%


@pytest.mark.compiled
def test_difficulty_predicts_for_a_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOULE_CONFIG_DIR", str(tmp_path))
    save_group(group(1.5, 0.5, 2.5))
    own = make_setup("wave", 3, (), {"hand.back": 3})
    result = houle.difficulty(own, strategies="family,my-group", games=400, next_games=5)
    family, mine = result.levels
    assert family.predicted is None
    assert mine.predicted is not None
    assert mine.rate.low < mine.win.low <= mine.win.high < mine.rate.high
    assert mine.predicted.sentence in result.verdict
    assert result.as_json()["predictions"]["my-group"]["next"]["games"] == 5
    assert result.repeat().count("my-group") == 1
    assert "thumb[" not in str(result.as_json())
