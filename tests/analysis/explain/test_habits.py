"""Rules of thumb: how often players follow them, what leaving one out costs, the short list, and their words."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from houle.analysis.explain.ablation import Ablation, AblationRow, ablate, certain_cost, rule_sentence, without_rule
from houle.analysis.explain.few_rules import chosen_rules, contradict, in_order, play_list
from houle.analysis.explain.habits import Habit, Habits, _difference, habit, habits, wins_more
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.judged_positions import JudgedPosition, judged_positions, walk
from houle.analysis.stats.differences import pair_rates
from houle.analysis.stats.estimate import PERCENT, POINTS, Estimate
from houle.solver.errors import InputError
from houle.solver.matches.match import Match
from houle.solver.players.names import parse
from houle.solver.players.player import seat_strategies, weights_entry
from houle.solver.rules import game_names, make_setup
from tests.support.toys import toy, toy_player

pytestmark = pytest.mark.quick

WAVE = make_setup("wave", 3)


def planted(number: int, rule: np.ndarray, noise: float = 0.0, moves: int = 4) -> list[JudgedPosition]:
    """Positions whose gains follow a rule of features, with noise."""
    random = np.random.default_rng(7)
    number_of_features = len(WAVE.game.FEATURES)
    positions = []
    for game in range(number):
        features = random.integers(0, 4, (moves, number_of_features))
        gains = features @ rule + noise * random.normal(size=moves)
        names = tuple(f"play {i}" for i in range(moves))
        choices = {"family": int(np.argmin(gains))}
        positions.append(JudgedPosition(game, 0, 0, tuple(range(moves)), names, features, gains - gains[0], choices))
    return positions


@pytest.mark.compiled
def test_habits_separate_players() -> None:
    positions = planted(100, -np.eye(len(WAVE.game.FEATURES))[3])
    rule = habit(WAVE, positions, 3, ["family"], 10)
    assert rule is not None
    assert (rule.feature, rule.sign) == ("next_choice", -1)  # by the sign of its weight
    assert rule.more["family"].low > 0.8  # they differ in all 100 positions
    assert rule.more["random"].value == pytest.approx(1 - rule.followed["random"].value)
    assert rule.followed["search"].value == 1.0
    assert rule.followed["family"].value < 0.1
    assert 0.2 < rule.followed["random"].value < 0.6
    # A rule that search goes against is left out.
    assert habit(WAVE, planted(100, np.eye(len(WAVE.game.FEATURES))[3]), 3, [], 10) is None
    assert habit(WAVE, positions, 3, [], 1000) is None


def test_chance_differences_are_not_reported() -> None:
    """40 rules that search and family follow equally often: one by one two seem to differ, together none does."""
    draws, alarms, alone = np.random.default_rng(5), 0, 0
    asked: Any = [SimpleNamespace(game=game) for game in range(200)]
    for _ in range(60):
        rows = []
        for rule in range(40):
            gap = (draws.random(200) < 0.4) * 1.0 - (draws.random(200) < 0.4)
            alone += pair_rates(float(gap.mean()), float(gap.var(ddof=1)), 200).low > 0
            rows.append(Habit(f"rule {rule}", "", 1, 200, {}, {"family": _difference(asked, gap, 40)}))
        alarms += bool(Habits(WAVE, tuple(rows), (), 200, 200, 1).telling("family"))
    assert alone > 20
    assert alarms <= 5  # half of 5% is expected: rules that the family follows more often are not reported


@pytest.mark.compiled
def test_positions_of_real_games() -> None:
    players = ("thumb", "thumb[forgets=50]")
    positions = judged_positions(WAVE, RunSpec(12, 3, 100), "flat:8", players)
    again = judged_positions(WAVE, RunSpec(12, 3, 100, threads=1), "flat:8", players)
    assert [one.names for one in positions] == [one.names for one in again]
    assert all((one.gains == two.gains).all() for one, two in zip(positions, again, strict=True))
    for one in positions:
        assert len(one.actions) > 1
        assert one.gains[one.choices["thumb"]] == 0.0  # gains are relative to the thumb
        assert walk(WAVE, 3, one.game, one.ply).moves() == list(one.actions)
    result = habits(WAVE, positions, players[1:], 3, 1, 20, 2)
    assert result.positions == 12
    assert {who for one in result.habits for who in one.followed} == {"random", "thumb[forgets=50]", "search"}
    first = judged_positions(WAVE, RunSpec(4, 3), "flat:8", openings=True)
    assert {one.ply for one in first} == {0}


def test_a_game_without_rules_of_thumb_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houle.analysis.sampling.judged_positions.weights_of", lambda name: [])
    with pytest.raises(InputError, match="no rules of thumb"):
        judged_positions(WAVE, RunSpec(1))


@pytest.mark.compiled
@pytest.mark.parametrize(("game", "players", "side"), [("wave", 3, 0), ("land-unter", 3, 1), ("sea-change", 1, 0)])
def test_wins_of_a_move_match_playing_on(game: str, players: int, side: int) -> None:
    """`wins_more` gives what playing on move by move gives."""
    setup, worlds = make_setup(game, players), 8
    thumbs = seat_strategies(setup, ["thumb"])
    match = walk(setup, 7, 3, 4)
    better, worse = match.moves()[0], match.moves()[-1]
    assert better != worse

    def played(move: int, world: int) -> float:
        other: Match = match.imagine(match.to_move(), 99 + world)
        other.apply(move)
        while other.to_move() >= 0:
            other.apply(other.decide(thumbs))
        return float(other.result()["shares"][side]) / 840

    wins = wins_more(match, better, worse, 99, worlds)
    differences = np.array([played(better, world) - played(worse, world) for world in range(worlds)])
    assert wins == pair_rates(float(differences.mean()), float(differences.var(ddof=1)), worlds)


NAMES = [name for name, _ in WAVE.game.FEATURES]


def rule(name: str, points: float, half: float = 1.0) -> AblationRow:
    cost = Estimate(points / 100, (points - half) / 100, (points + half) / 100, 1_000, POINTS)
    return AblationRow(name, f"Mind {name}.", None, cost, None, "", stands=cost.differs)


def found(*rows: AblationRow) -> Ablation:
    return Ablation(WAVE, Estimate(0.2, 0.19, 0.21, 1_000, PERCENT), rows, 1_000, 1, 0, "")


def test_costs_that_cannot_be_told_apart_keep_the_order_of_the_game() -> None:
    """So another seed, which swaps them by chance, shows the same list."""
    rows = [rule("room", 5.0), rule("next_risk", 5.5), rule("from_back", 9.0), rule("lone", 2.0)]
    ordered = [row.name for row in in_order(WAVE, rows)]
    assert ordered == ["from_back", *sorted(["room", "next_risk"], key=NAMES.index), "lone"]
    swapped = [rule("room", 5.5), rule("next_risk", 5.0), *rows[2:]]
    assert [row.name for row in in_order(WAVE, swapped)] == ordered


def test_the_list_has_only_certain_and_large_costs() -> None:
    rows = found(rule("room", 5.0), rule("lone", 0.5, 0.1), rule("awkward", 3.0, 4.0), rule("reverses", -6.0))
    assert [row.name for row in chosen_rules(rows, [])] == ["room"]


def test_rules_that_ask_for_other_moves_contradict() -> None:
    """Two rules on the same feature, one wants more and one less of it: no move follows both."""
    first, second = NAMES.index("room"), NAMES.index("next_risk")
    positions = planted(60, np.eye(len(NAMES))[0])
    opposed = [replace(one, features=one.features.copy()) for one in positions]
    for one in opposed:
        one.features[:, second] = -one.features[:, first]
    weights = {"room": -5, "next_risk": -5}
    assert contradict(WAVE, opposed, weights, "room", "next_risk")
    for one in (alike := [replace(one, features=one.features.copy()) for one in positions]):
        one.features[:, second] = one.features[:, first]
    assert not contradict(WAVE, alike, weights, "room", "next_risk")
    rows = found(rule("room", 9.0), rule("next_risk", 3.0))
    assert [row.name for row in chosen_rules(rows, opposed)] == ["room"]
    assert [row.name for row in chosen_rules(rows, alike)] == ["room", "next_risk"]


@pytest.mark.compiled
def test_what_the_list_wins_is_between_random_and_all_rules() -> None:
    result = ablate(WAVE, parse("thumb"), RunSpec(60, seed=3, threads=1))
    few = play_list(WAVE, result.rows[:4], RunSpec(200, first=200, threads=1))
    assert few.wins["thumb"].value > few.wins["random"].value
    assert few.worth_following == (few.kept is not None and few.kept >= 0.5)
    assert few.as_json()["rules"][0]["name"] == result.rows[0].name


@pytest.mark.parametrize("game", game_names())
def test_every_rule_of_thumb_is_worded_both_ways(game: str) -> None:
    setup = make_setup(game)
    for feature, _ in setup.game.FEATURES:
        more, less = rule_sentence(setup, feature, 1), rule_sentence(setup, feature, -1)
        assert more != less
        assert more.endswith(".")
        assert less.endswith(".")


def test_the_sign_of_the_weight_decides() -> None:
    assert rule_sentence(WAVE, "room", 0.5).startswith("Lay the card that most of the remaining cards ")
    assert rule_sentence(WAVE, "room", -378).startswith("Lay the card that the fewest cards ")
    assert rule_sentence(WAVE, "room", 0) == dict(WAVE.game.FEATURES)["room"]
    assert rule_sentence(toy("solved"), "right", 3) == "Make the right move."
    assert rule_sentence(toy("solved"), "right", -3) == "The other way round: Make the right move."


@pytest.mark.compiled
def test_ablation_words_rules_by_their_weight() -> None:
    weights = weights_entry(parse("thumb"), WAVE)["weights"]
    assert weights["room"] < 0 < weights["awkward"]
    result = ablate(WAVE, parse("thumb"), RunSpec(20, seed=3, threads=1))
    texts = {one["name"]: one["text"] for one in result.as_json()["rows"]}
    assert texts == {name: rule_sentence(WAVE, name, weights.get(name, 0)) for name, _ in WAVE.game.FEATURES}


def named(result: Ablation, name: str) -> AblationRow:
    return next(row for row in result.rows if row.name == name)


@pytest.mark.compiled
def test_forgetting_the_right_move_loses_nearly_everything() -> None:
    """Two players who always see the right move share every win; one who does not know it is nearly lost."""
    result = ablate(toy("solved"), toy_player("thumb"), RunSpec(100, threads=1))
    assert result.full.value == pytest.approx(0.5)
    blind = result.rows[0]
    assert (blind.name, blind.stands) == ("right", True)
    assert blind.cost is not None
    assert 0.4 < blind.cost.value < 0.5
    assert named(result, "idle").remark == "changed nothing in 100 deals"


@pytest.mark.compiled
def test_rules_cost_nothing_where_moves_are_equal() -> None:
    result = ablate(toy("equal"), toy_player("thumb"), RunSpec(50, threads=1))
    assert {row.remark for row in result.rows} == {"changed nothing in 50 deals"}
    assert result.sentences() == []


@pytest.mark.quick
def test_largest_certain_cost_comes_first() -> None:
    seems, surely, nothing, helps = (
        Estimate(*ends, 100) for ends in ((0.5, 0.01, 0.99), (0.2, 0.1, 0.3), (0.3, -0.1, 0.7), (-0.2, -0.3, -0.1))
    )
    costs = [helps, nothing, seems, surely]
    assert sorted(costs, key=certain_cost, reverse=True) == [surely, seems, nothing, helps]


@pytest.mark.compiled
def test_certain_costs_hold_for_all_rules_together() -> None:
    known = make_setup("wave", settings={"talk": "known"})
    result = ablate(known, parse("thumb"), RunSpec(60, seed=3, threads=1))
    alone = [row.name for row in result.rows if row.cost and (row.cost.low > 0 or row.cost.high < 0)]
    assert alone == ["awkward", "next_risk", "keeps_awkward"]
    assert [row.name for row in result.rows if row.stands] == ["awkward", "next_risk"]


@pytest.mark.compiled
def test_a_whole_team_plays_without() -> None:
    setup = make_setup("wave", 3)
    result, again = (ablate(setup, parse("thumb"), RunSpec(200, seed=3, threads=threads)) for threads in (1, 2))
    assert again.digest == result.digest
    awkward = named(result, "awkward")
    assert awkward.cost is not None
    assert awkward.score is not None
    assert awkward.cost.low > 0
    assert awkward.score.low > 0  # more cards are left
    assert result.as_json()["rows"][0]["stands"]
    assert without_rule(parse("thumb"), "room") == parse("thumb[without=room]")
