"""What is learned from judged positions: planted rules are found, habits are read, the gap is measured."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.sampling.positions import JudgedPosition, judged_positions, walk
from houle.analysis.sampling.same_deals import COLUMNS, Deals
from houle.analysis.strategy.habits import habit, habits
from houle.analysis.strategy.shortlist import as_strategy, distil, mean_gain, shortlist, spreads
from houle.analysis.strategy.skill_gap import share_of_gap
from houle.solver.ruleset import RulesetError, make_setup

WAVE = make_setup("wave", 3)


def planted(number: int, rule: np.ndarray, noise: float = 0.0, moves: int = 4) -> list[JudgedPosition]:
    """Positions whose gains follow a rule of features, with noise."""
    random = np.random.default_rng(7)
    features = len(WAVE.game.FEATURES)
    found = []
    for game in range(number):
        table = random.integers(0, 4, (moves, features))
        gains = table @ rule + noise * random.normal(size=moves)
        names = tuple(f"play {i}" for i in range(moves))
        best = {"novice": int(np.argmin(gains))}
        found.append(JudgedPosition(game, 0, 0, tuple(range(moves)), names, table, gains - gains[0], best))
    return found


def test_a_planted_list_is_found() -> None:
    rule = np.zeros(len(WAVE.game.FEATURES))
    rule[5], rule[2] = 1.0, -0.25
    positions = planted(400, rule, noise=0.05)
    found = distil(positions, 4.0)
    assert [(feature, sign) for feature, sign, _ in found[:2]] == [(5, 1), (2, -1)]
    assert [gained for _, _, gained in found] == sorted(gained for _, _, gained in found)
    assert len(found) <= 7
    strategy = as_strategy(WAVE, found[:2], spreads(positions), 4.0)
    weights = (strategy.entry or {})["weights"]
    assert weights["awkward"] > 0 > weights["next_risk"]


def test_nothing_is_found_where_nothing_matters() -> None:
    assert distil(planted(200, np.zeros(len(WAVE.game.FEATURES))), 4.0) == []


def test_gains_are_over_random_moves_and_ties_are_a_toss() -> None:
    positions = planted(50, np.eye(len(WAVE.game.FEATURES))[0])
    assert mean_gain(positions, np.zeros(len(WAVE.game.FEATURES))) == pytest.approx(0.0)
    assert mean_gain(positions, np.eye(len(WAVE.game.FEATURES))[0]) > 0.5


def deals_of(*arms: list[int]) -> Deals:
    """Deals in which each arm wins (1) or loses (0)."""
    table = np.zeros((len(arms[0]), len(COLUMNS) * len(arms)), np.int64)
    for i, wins in enumerate(arms):
        table[:, len(COLUMNS) * i + COLUMNS.index("share")] = 840 * np.array(wins)
    return Deals.of((1,) * len(arms), table)


def test_the_share_that_is_kept() -> None:
    number = 400
    low, middle, high = [0] * number, [1, 0] * (number // 2), [1] * number
    found = share_of_gap(deals_of(low, middle, high), 1, 0, 2)
    assert found is not None
    assert found.value == pytest.approx(0.5)
    assert found.low < 0.5 < found.high
    assert found.high - found.low < 0.12
    assert share_of_gap(deals_of(low, middle, low), 1, 0, 2) is None


def test_intervals_of_the_share_cover_the_truth() -> None:
    random = np.random.default_rng(3)
    missed = 0
    for _ in range(300):
        low, middle, high = (list((random.random(150) < rate).astype(int)) for rate in (0.1, 0.4, 0.7))
        found = share_of_gap(deals_of(low, middle, high), 1, 0, 2)
        assert found is not None
        missed += not found.low <= 0.5 <= found.high
    assert missed <= 30  # 5% of 300, and what chance may add


def test_habits_tell_players_apart() -> None:
    positions = planted(100, -np.eye(len(WAVE.game.FEATURES))[3])
    found = habit(WAVE, positions, 3, ["novice"], 10)
    assert found is not None
    assert (found.feature, found.sign) == ("next_choice", -1)  # as its weight has it
    assert found.tells_apart("novice")
    assert found.followed["search"].value == 1.0
    assert found.followed["novice"].value < 0.1
    assert 0.2 < found.followed["random"].value < 0.6
    # Search that goes against a rule of thumb is no habit to be taught beside it.
    assert habit(WAVE, planted(100, np.eye(len(WAVE.game.FEATURES))[3]), 3, [], 10) is None
    assert habit(WAVE, positions, 3, [], 1000) is None


def test_positions_of_real_games() -> None:
    found = judged_positions(WAVE, 12, "flat:8", 3, 100, ("thumb", "greedy"))
    again = judged_positions(WAVE, 12, "flat:8", 3, 100, ("thumb", "greedy"))
    assert [one.names for one in found] == [one.names for one in again]
    assert all((one.gains == two.gains).all() for one, two in zip(found, again, strict=True))
    for one in found:
        assert len(one.actions) > 1
        assert one.gains[one.choices["thumb"]] == 0.0  # the yardstick
        assert walk(WAVE, 3, one.game, one.ply).moves() == list(one.actions)
    read = habits(WAVE, found, ["greedy"], 3, 1, 20, 2)
    assert read.positions == 12
    assert set(read.frame()["player"]) == {"random", "greedy", "search"}
    first = judged_positions(WAVE, 4, "flat:8", 3, openings=True)
    assert {one.ply for one in first} == {0}


def test_a_list_is_measured_on_fresh_deals() -> None:
    positions = judged_positions(WAVE, 40, "flat:8", 3, 1000)
    found = shortlist(WAVE, positions, "flat:4", 12, 3, 0, 1)
    assert 1 <= len(found.lines) <= 7
    assert set(found.wins) == {"random", "list", "thumb", "search"}
    assert all(win.n == 12 for win in found.wins.values())
    assert found.as_json()["deals"] == 12


def test_a_game_without_rules_of_thumb_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houle.analysis.sampling.positions.weights_of", lambda name: [])
    with pytest.raises(RulesetError, match="no rules of thumb"):
        judged_positions(WAVE, 1)
