"""What is learned from judged positions: habits are read, and who follows a rule more often is told apart."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.sampling.positions import JudgedPosition, judged_positions, walk
from houle.analysis.stats.differences import pair_rates
from houle.analysis.stats.intervals import Interval
from houle.analysis.strategy.habits import Habit, Habits, habit, habits, wins_more
from houle.solver.errors import InputError
from houle.solver.match import Match
from houle.solver.ruleset import make_setup
from houle.solver.strategies.player import seat_strategies

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


def test_habits_tell_players_apart() -> None:
    positions = planted(100, -np.eye(len(WAVE.game.FEATURES))[3])
    found = habit(WAVE, positions, 3, ["novice"], 10)
    assert found is not None
    assert (found.feature, found.sign) == ("next_choice", -1)  # as its weight has it
    assert found.more["novice"].low > 0.8  # 100 positions, in all of which they differ
    assert found.more["random"].value == pytest.approx(1 - found.followed["random"].value)
    assert found.followed["search"].value == 1.0
    assert found.followed["novice"].value < 0.1
    assert 0.2 < found.followed["random"].value < 0.6
    # Search that goes against a rule of thumb is no habit to be taught beside it.
    assert habit(WAVE, planted(100, np.eye(len(WAVE.game.FEATURES))[3]), 3, [], 10) is None
    assert habit(WAVE, positions, 3, [], 1000) is None


def test_of_rules_that_tell_nothing_apart_none_is_told() -> None:
    """40 rules, search and novice choose at random in all: one by one two seem to differ, together none does."""
    draws, alarms, alone = np.random.default_rng(5), 0, 0
    for _ in range(60):
        rows = []
        for rule in range(40):
            gap = (draws.random(200) < 0.4) * 1.0 - (draws.random(200) < 0.4)
            more = {"novice": pair_rates(float(gap.mean()), float(gap.var(ddof=1)), 200)}
            rows.append(Habit(f"rule {rule}", "", 1, 200, {}, more))
        alarms += bool(Habits(WAVE, tuple(rows), (), 200, 200, 1).telling("novice"))
        alone += any(row.more["novice"].low > 0 for row in rows)
    assert alone > 20
    assert alarms <= 5  # half of 5% is expected: those in which the novice follows a rule more often are not told


def test_the_surest_difference_comes_first() -> None:
    rows = [
        Habit(name, "", 1, 200, {}, {"novice": Interval(*ends, 200)})
        for name, ends in (("less", (-0.3, -0.4, -0.2)), ("seems", (0.5, 0.1, 0.9)), ("sure", (0.3, 0.2, 0.4)))
    ]
    assert [one.feature for one in Habits(WAVE, tuple(rows), (), 200, 200, 1).telling("novice")] == ["sure", "seems"]


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


def test_a_game_without_rules_of_thumb_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houle.analysis.sampling.positions.weights_of", lambda name: [])
    with pytest.raises(InputError, match="no rules of thumb"):
        judged_positions(WAVE, 1)


@pytest.mark.parametrize(("game", "players", "side"), [("wave", 3, 0), ("land-unter", 3, 1), ("sea-change", 1, 0)])
def test_what_a_move_wins_more_is_what_playing_on_move_by_move_finds(game: str, players: int, side: int) -> None:
    setup, worlds = make_setup(game, players), 8
    thumbs = seat_strategies(setup, ["thumb"])
    table = walk(setup, 7, 3, 4)
    better, worse = table.moves()[0], table.moves()[-1]
    assert better != worse

    def played(move: int, world: int) -> float:
        other: Match = table.imagine(table.to_move(), 99 + world)
        other.apply(move)
        while other.to_move() >= 0:
            other.apply(other.decide(thumbs))
        return float(other.result()["shares"][side]) / 840

    found = wins_more(table, better, worse, 99, worlds)
    differences = np.array([played(better, world) - played(worse, world) for world in range(worlds)])
    assert found == pair_rates(float(differences.mean()), float(differences.var(ddof=1)), worlds)
