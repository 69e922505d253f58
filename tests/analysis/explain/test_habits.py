"""Rules of thumb: how often players follow them, what they cost, their words; and decisions, judged by search."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from houle.analysis.blocks import sentence
from houle.analysis.explain.ablation import Ablation, AblationRow, ablate, certain_cost, rule_sentence
from houle.analysis.explain.decisions import Decisions, check_judge, decisions
from houle.analysis.explain.few_rules import chosen_rules, contradict, in_order, play_list
from houle.analysis.explain.habits import Habit, Habits, _difference, habit, habits, wins_more
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.judged_positions import JudgedPosition, judged_positions, walk
from houle.analysis.stats.clusters import clustered_mean, per_cluster
from houle.analysis.stats.differences import pair_rates
from houle.analysis.stats.estimate import PERCENT, POINTS, Estimate
from houle.analysis.stats.intervals import ratio
from houle.solver.errors import InputError, StrategyError
from houle.solver.matches.match import Match
from houle.solver.players.decision_log import blank_log
from houle.solver.players.names import parse
from houle.solver.players.player import seat_strategies
from houle.solver.rules import game_names, make_setup
from tests.support.amounts import check_coverage, repeated
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
        positions.append(
            JudgedPosition(
                game,
                ply=0,
                seat=0,
                actions=tuple(range(moves)),
                names=names,
                features=features,
                gains=gains - gains[0],
                choices=choices,
            )
        )
    return positions


@pytest.mark.compiled
def test_habits_separate_players() -> None:
    positions = planted(100, -np.eye(len(WAVE.game.FEATURES))[3])
    rule = habit(WAVE, positions, feature=3, who=["family"], least=10)
    assert rule is not None
    assert (rule.feature, rule.sign) == ("next_choice", -1)  # by the sign of its weight
    assert rule.more["family"].low > 0.8  # they differ in all 100 positions
    assert rule.more["random"].value == pytest.approx(1 - rule.followed["random"].value)
    assert rule.followed["search"].value == 1.0
    assert rule.followed["family"].value < 0.1
    assert 0.2 < rule.followed["random"].value < 0.6
    # A rule that search goes against is left out.
    assert habit(WAVE, planted(100, np.eye(len(WAVE.game.FEATURES))[3]), feature=3, who=[], least=10) is None
    assert habit(WAVE, positions, feature=3, who=[], least=1000) is None


def test_chance_differences_are_not_reported() -> None:
    """40 rules that search and family follow equally often: one by one two seem to differ, together none does."""
    draws, alarms, alone = np.random.default_rng(5), 0, 0
    asked: Any = [SimpleNamespace(game=game) for game in range(200)]
    for _ in range(60):
        rows = []
        for rule in range(40):
            gap = (draws.random(200) < 0.4) * 1.0 - (draws.random(200) < 0.4)
            alone += pair_rates(float(gap.mean()), float(gap.var(ddof=1)), 200).low > 0
            rows.append(
                Habit(
                    feature=f"rule {rule}",
                    sentence="",
                    sign=1,
                    asked=200,
                    followed={},
                    more={"family": _difference(asked, gap, 40)},
                )
            )
        alarms += bool(
            Habits(WAVE, habits=tuple(rows), mistakes=(), positions=200, games=200, seed=1).telling("family")
        )
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
    result = habits(WAVE, positions, who=players[1:], seed=3, examples=1, worlds=20, least=2)
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

    wins = wins_more(match, better, worse, key=99, worlds=worlds)
    differences = np.array([played(better, world) - played(worse, world) for world in range(worlds)])
    assert wins == pair_rates(float(differences.mean()), float(differences.var(ddof=1)), worlds)


NAMES = [name for name, _ in WAVE.game.FEATURES]


def rule(name: str, points: float, half: float = 1.0) -> AblationRow:
    cost = Estimate(points / 100, (points - half) / 100, (points + half) / 100, n=1_000, unit=POINTS)
    return AblationRow(name, f"Mind {name}.", win=None, cost=cost, score=None, remark="", stands=cost.differs)


def found(*rows: AblationRow) -> Ablation:
    return Ablation(
        WAVE, full=Estimate(0.2, 0.19, 0.21, n=1_000, unit=PERCENT), rows=rows, deals=1_000, seed=1, first=0, digest=""
    )


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
    assert contradict(WAVE, opposed, weights, "room", other="next_risk")
    for one in (alike := [replace(one, features=one.features.copy()) for one in positions]):
        one.features[:, second] = one.features[:, first]
    assert not contradict(WAVE, alike, weights, "room", other="next_risk")
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


FLAT = toy_player("flat:40")


@pytest.mark.quick
def test_clustered_means_are_ratio_estimates() -> None:
    draws = np.random.default_rng(3)
    sizes = draws.integers(0, 9, 50)
    cluster = np.repeat(np.arange(50), sizes)
    values = draws.integers(0, 4, len(cluster)).astype(float)
    points = np.bincount(cluster, values, minlength=50).astype(int)
    parts = (points.sum(), sizes.sum(), points @ points, points @ sizes, sizes @ sizes)
    plain, found = ratio(50, tuple(map(int, parts))), clustered_mean(values, cluster, 50)
    assert (found.value, found.low, found.high, found.n) == pytest.approx((plain.value, plain.low, plain.high, plain.n))
    assert per_cluster(values, cluster, 50).value == pytest.approx(points.mean())


@pytest.mark.compiled
@repeated(15, 60)
def test_equal_moves_do_not_matter(runs: int) -> None:
    """Moves that are equal on average but not in every world: every measure covers 0 as often as it says."""
    setup = toy("equal")
    hits = dict.fromkeys(("second", "random", "share"), 0)
    mistaken = 0.0
    for run in range(runs):
        whole = decisions(setup, FLAT, RunSpec(20, seed=run, threads=1)).whole
        assert (whole.decisions, whole.choices) == (120, 120)
        for name in hits:
            hits[name] += whole.estimates[name].low <= 0 <= whole.estimates[name].high
        mistaken += whole.estimates["matters"].value / runs
    check_coverage(min(hits.values()), runs, 0.92)
    assert mistaken < 0.01  # what a 99% interval of each decision allows


@pytest.mark.compiled
def test_the_right_move_is_all_that_matters() -> None:
    """Three moves of which one wins a point in six: it has 1/6 more utility than the others, in every world."""
    result = decisions(toy("solved"), FLAT, RunSpec(10, threads=1))
    whole = result.whole.estimates
    assert whole["second"].value == pytest.approx(1 / 6)
    assert whole["random"].value == pytest.approx(1 / 9)
    assert whole["matters"].value == pytest.approx(1)
    assert whole["matter_per_game"].value == pytest.approx(6)
    assert whole["per_game"].value == 6
    assert whole["forced"].value == 0
    (said,) = map(sentence, result.sentences())
    assert said.startswith("A game of players who follow every rule of thumb has 6.0 (4.4 to 7.6) decisions.")
    assert "Of the others at least 100% (66 to 100) matter" in said


@pytest.mark.compiled
def test_decisions_of_wave() -> None:
    setup = make_setup("wave", 3, settings={"talk": "known"})
    result = decisions(setup, parse("flat:20"), RunSpec(2, seed=5, threads=1))
    again = decisions(setup, parse("flat:20"), RunSpec(2, seed=5, threads=2))
    assert (result.log == again.log).all()
    assert result.digest == again.digest
    groups = {group.label: group for group in result.phases}
    assert sum(group.decisions for group in result.phases) == len(result.log)
    forced = (result.log.kinds == 1).mean()
    assert result.whole.estimates["forced"].value == pytest.approx(forced)
    assert groups["90 to 100%"].estimates["kinds"].value < groups["0 to 10%"].estimates["kinds"].value
    assert result.whole.estimates["random"].low > 0
    data = result.as_json()
    assert [group["group"] for group in data["groups"]][:2] == ["all", "0 to 10%"]
    assert data["groups"][0]["matters"]["n"] == result.whole.choices


@pytest.mark.quick
def test_a_gain_matters_by_its_standard_error() -> None:
    """A mean of 0.1 with a deviation of 0.18 is certain after 100 worlds, and not after 10."""
    log = blank_log(2)
    log.kinds, log.worlds, log.random, log.random_squared = 3, [10, 100], [1, 10], [0.4, 4]
    assert list(Decisions(WAVE, search=parse("flat:20"), games=1, seed=1, first=0, log=log, digest="")._matters) == [
        False,
        True,
    ]


@pytest.mark.quick
def test_only_flat_search_judges() -> None:
    with pytest.raises(StrategyError, match="'thumb' cannot judge moves; allowed: flat:N"):
        check_judge(parse("thumb"))
    with pytest.raises(StrategyError, match="flat:20 or more"):
        check_judge(parse("flat:8"))
