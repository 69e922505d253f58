"""Comparisons: intervals keep their coverage, pairs save games, verdicts in words, effects of single changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from houle import compare, grid, setup
from houle.analysis.blocks import sentence
from houle.analysis.measures.measures import difference, estimate
from houle.analysis.measures.verdicts import judge, judge_unchanged, margins_of
from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.alternatives import combinations, parse_alternatives
from houle.analysis.sampling.experiment import BATCH_SIZE, STRETCH
from houle.analysis.sampling.grid import Arm, make_grid
from houle.analysis.stats.estimate import Estimate
from houle.analysis.stats.looks import confidence_at, doublings
from houle.analysis.tables.both_ways import both_ways
from houle.analysis.tables.effects import effects
from houle.solver.errors import InputError
from houle.solver.players.player import LineUp
from houle.solver.rules import load, make_setup
from tests.support.synthetic import played, rows_of

pytestmark = pytest.mark.compiled

GAMES = 300


@pytest.mark.quick
def test_few_changed_games_widen_the_interval() -> None:
    """Three of five hundred games have another score: the plain t interval would be far too narrow."""
    score = np.random.default_rng(9).integers(0, 20, 500)
    other = score.copy()
    other[[7, 70, 400]] += 4
    gap = difference(played([rows_of(score == 0, score), rows_of(other == 0, other)]), 1, "score")
    assert gap.changed == 3
    assert not gap.unchanged
    bare = 1.96 * np.std(other - score) / 500**0.5
    assert gap.interval.low < 0 < gap.interval.value < gap.interval.high
    assert gap.interval.half > 2 * bare


@pytest.mark.quick
def test_each_arm_has_its_own_equal_share() -> None:
    """The same wins: with four sides an equal share is a quarter, with two teams a half."""
    wins = rows_of(np.arange(GAMES) % 2, np.zeros(GAMES, np.int64))
    setups = [make_setup("sea-change", 4), make_setup("sea-change", 4, ("2v2",))]
    gap = difference(played([wins, wins], setups=setups), 1, "first-seat").interval
    assert gap.value == 1 / 4 - 1 / 2
    assert gap.low < gap.value < gap.high


@pytest.mark.quick
@pytest.mark.parametrize(
    ("ends", "text"),
    [
        ((0.02, 0.04), "easier"),
        ((-0.04, -0.02), "harder"),
        ((0.001, 0.003), "easier, but by less than 0.50 points"),
        ((-0.002, 0.003), "no difference larger than 0.30 points"),
        ((-0.01, 0.03), "not yet known: about 3,100 more games tell the sign"),
        ((-0.02, 0.02), "not yet known: about 63,000 more games tell whether it is above 0.50 points"),
        ((0.0, 0.034), "not yet known: about 1,000 more games tell the sign"),
        ((-0.0001, 0.0051), "not yet known: about 1,000 more games tell whether it is above 0.50 points"),
        ((-np.inf, np.inf), "not yet known: too few games"),
    ],
)
def test_verdicts_follow_the_interval(ends: tuple[float, float], text: str) -> None:
    gap = Estimate(sum(ends) / 2 if np.isfinite(ends[0]) else 0.0, *ends, 1000)
    assert judge("win", gap, margins_of()["win"], "easier", less="harder").text == text


@pytest.mark.quick
def test_a_quantile_of_named_players_has_the_margin_of_its_measure() -> None:
    assert margins_of()["length:p90@family"] == margins_of()["length"]
    assert margins_of(2)["win@expert"] == 0.02
    with pytest.raises(KeyError):
        margins_of()["colour"]


@pytest.mark.quick
def test_the_recommended_games_settle_it() -> None:
    """Within the margin, games are planned for the margin: whatever the difference is, it is then known."""
    gap = Estimate(0.004, -0.006, 0.014, 1000)
    asked = judge("win", gap, margin=0.005, more="easier", less="harder").more_games
    half = gap.half * (1000 / (1000 + asked)) ** 0.5
    for value in np.linspace(-0.02, 0.02, 81):
        assert (
            judge("win", Estimate(value, value - half, value + half, 0), margin=0.005, more="", less="").kind
            != "unknown"
        )
    assert asked == 15_000


def test_until_sure_ends_and_can_be_repeated() -> None:
    setups = grid("wave", set={"hand.back": [2, 3, 4]})
    facts = {"strategies": "random", "measures": ["score"], "until_sure": True, "margin": 0.5, "games": 12_800}
    result = compare(setups, **facts)
    games = [result.sample.deals(arm) for arm in range(3)]
    assert games[0] == max(games)
    assert set(games) <= set(doublings(12_800))
    assert not result.interrupted
    assert [row.verdict.kind for row in result.rows[1:]] == ["less", "less"]
    facts_of_looks = {"most": 12_800, "looks": 7, "differences": 2, "reached": True}
    assert result.as_json()["until_sure"] == facts_of_looks
    assert result.until is not None
    assert result.until.confidence == confidence_at(7, 2)
    again = compare(setups, **facts, threads=1)
    assert (again.digest, again.repeat()) == (result.digest, result.repeat())
    for arm in (1, 2):  # the games are the first ones, as many as were needed
        same = compare([setups.arms[0].setup, setups.arms[arm].setup], strategies="random", games=games[arm])
        assert estimate(result.sample, arm, "win") == estimate(same.sample, 1, "win")
        assert difference(result.sample, arm, "score").interval == difference(same.sample, 1, "score").interval


def test_ctrl_c_shows_the_last_look() -> None:
    """Games after it are dropped; before the first look, all that were played are shown."""
    facts = {"strategies": "random", "measures": ["win"], "until_sure": True, "margin": 0.0001, "games": 640_000}
    for stop, looks in ((50_000, doublings(640_000)[:-1]), (1, range(1, 10_000))):

        def progress(games: int, seconds: float, stop: int = stop) -> None:
            if games >= 2 * stop:
                raise KeyboardInterrupt

        result = compare([setup("wave"), setup("wave")], **facts, threads=1, progress=progress)
        assert result.interrupted
        assert result.until is not None
        assert not result.until.reached
        assert result.games in looks


@pytest.mark.quick
def test_unchanged_games_ask_for_more_games() -> None:
    """A change that was missed must be rarer the more games there are; the recommended number is enough."""
    score = np.random.default_rng(9).integers(0, 20, 500)
    gap = difference(played([rows_of(score == 0, score)] * 2), 1, "score")
    assert gap.unchanged
    half = gap.interval.half
    assert half == pytest.approx(34 * 3 / 500, rel=0.01)  # the range of the score, by the rule of three
    first = judge_unchanged(gap.interval, half / 3)
    assert (first.kind, first.more_games) == ("unknown", 1000)
    assert judge_unchanged(Estimate(0.0, -half / 3, half / 3, 1500), half / 3).text == "the same in every game"


def test_other_numbers_of_players_are_not_paired() -> None:
    result = compare(grid("wave", players=[3, 4]), strategies="random", games=500)
    assert [row.difference.paired for row in result.rows if row.difference] == [False, False]
    gap, (three, four) = difference(result.sample, 1, "win"), (row.value for row in result.of("win"))
    assert gap.interval.value == pytest.approx(four.value - three.value)
    assert result.sample.firsts == [0, STRETCH]
    assert any(block.get("label") == "unpaired" for block in result.remarks)
    frame = result.frame()
    assert list(frame["paired"].dropna()) == [False, False]
    assert result.as_json()["arms"][1]["first"] == STRETCH


def test_scores_of_two_kinds_are_not_compared() -> None:
    result = compare([setup("wave"), setup("wave", variants="nazare")], strategies="random", games=200)
    texts = [row.verdict.text for row in result.rows if row.measure == "score" and row.against]
    assert texts == ["another score: facedown, not cards_left"]


@pytest.mark.quick
def test_a_grid_combines_all_alternatives() -> None:
    ruleset = load("wave")
    values = parse_alternatives(ruleset, ["hand.back=0..2,4", "talk=silent,open", "deck.missing=[],[white 0,navy 5]"])
    assert values["hand.back"] == [0, 1, 2, 4]
    assert values["deck.missing"] == [[], ["white 0", "navy 5"]]
    setups = make_grid("wave", [2, 3], ["base", "virage+nazare"], ["thumb"], rules=[], settings={"hand.back": [2, 3]})
    assert len(setups.arms) == 8
    assert setups.arms[0].label == "2 players, base, hand.back=2"
    assert list(setups.axes) == ["players", "variants", "hand.back"]
    assert setups.arms[-1].columns["set.hand.back"] == "3"


@pytest.mark.quick
def test_impossible_combinations_are_listed(tmp_path: Path) -> None:
    setups = make_grid("wave", [3, 4], settings={"hand.front": [3, 9]})
    assert len(setups.arms) == 3
    assert setups.left_out[0][0] == "4 players, hand.front=9"
    assert "the deal needs" in setups.left_out[0][1]
    with pytest.raises(InputError, match="the deal needs"):
        make_grid("wave", [3, 4], settings={"hand.front": [3, 9]}, strict=True)
    with pytest.raises(InputError, match="none of the 2 combinations"):
        make_grid("wave", [4], settings={"hand.front": [9, 10]})
    with pytest.raises(InputError, match="a comparison needs 2 to 64 variants, this has 1; give several"):
        compare("wave")
    with pytest.raises(InputError, match=r"absent\.toml: No such file"):
        make_grid("wave", rules=["base", "absent.toml"])


def test_setups_are_labelled_by_what_differs() -> None:
    wave = setup("wave", variants="virage", set={"hand.front": 4})
    result = compare([setup("wave"), wave], strategies="random", games=50, measures="win")
    assert [arm.label for arm in result.arms] == ["base, hand.front=3", "virage, hand.front=4"]
    several = compare("wave", strategies=["random", "thumb,random,random"], games=50, measures=["win"])
    assert [arm.label for arm in several.arms] == ["random", "thumb,random,random"]
    with pytest.raises(InputError, match="setups: give setups of one game; given: wave, sea-change"):
        compare([setup("wave"), "sea-change"])


@pytest.mark.quick
def test_deals_are_counted_by_who_wins_them() -> None:
    nothing = np.zeros(300, np.int64)
    before, now = np.arange(300) < 60, (np.arange(300) >= 40) & (np.arange(300) < 70)  # 20 shared of 60 and 30
    pair = both_ways(played([rows_of(before, nothing), rows_of(now, nothing)], labels=["printed rules", "Storm"]), 1)
    assert pair is not None
    assert [round(300 * one.value) for one in (pair.both, pair.only_before, pair.only_now, pair.never)] == [
        20,
        40,
        10,
        230,
    ]
    assert pair.counts == (7, 13, 3, 77)
    said = sentence(pair.sentence())
    assert all(
        words in said for words in ("7 with both", "13 only with the printed", "3 only with Storm", "77 in neither")
    )
    assert pair.sentence()["n"] == 300
    assert "13 only with hand.back=2, 3" in sentence(replace(pair, before="hand.back=2").sentence())
    rivals = played([rows_of(nothing, nothing)] * 2, setups=[make_setup("land-unter", 3)] * 2)
    assert both_ways(rivals, 1) is None


def arm(**settings: object) -> Arm:
    return Arm(line_up(setup("wave", players=3, set=settings), "random"))


@pytest.mark.compiled
def test_changes_are_played_in_batches() -> None:
    base, front = arm(), [arm(**{"hand.front": 4}) for _ in range(BATCH_SIZE)]
    found = effects(base, front, ("win", "length"), RunSpec(120))
    assert len({row.by["length"] for row in found.rows}) == 1  # the same deals in both batches
    assert found.games == 120 * (BATCH_SIZE + 1)
    assert found.confidence == confidence_at(1, 2 * BATCH_SIZE)
    assert (found.rows[0].idle, effects(base, [base], ("win",), RunSpec(120)).rows[0].idle) == (False, True)
    assert found.rows[0].size[0] <= found.rows[0].size[1]


@pytest.mark.compiled
def test_more_games_of_the_unchanged_rules_make_effects_surer() -> None:
    """The difference stays where it was, and its interval becomes narrower."""
    base, front = arm(), [arm(**{"hand.front": 4})]
    few = effects(base, front, ("win", "score", "length"), RunSpec(400)).rows[0].by
    found = effects(base, front, ("win", "score", "length"), RunSpec(400), base_games=4_000)
    assert [found.sample.deals(number) for number in (0, 1)] == [4_000, 400]
    for measure, surer in found.rows[0].by.items():
        assert surer.half < 0.9 * few[measure].half
        assert few[measure].low < surer.value < few[measure].high


@pytest.mark.compiled
def test_pairing_gain_is_one_where_deals_share_no_luck() -> None:
    result = compare(
        grid("wave", set={"hand.front": [3, 4]}), strategies="random", measures=["win", "score"], games=4_000
    )
    (words,) = result.pairing()
    assert words["values"]["gains"].startswith("hand.front=4 (win) 1.0")


@pytest.mark.compiled
def test_combinations_are_line_ups_or_errors() -> None:
    axes = {"players": [3, 4], "strategies": ["random", "thumb"], "hand.front": [3, 9]}
    every = list(combinations("wave", axes, "set"))
    assert [tuple(values.values()) for values, _ in every[:3]] == [(3, "random", 3), (3, "random", 9), (3, "thumb", 3)]
    seated = [found for _, found in every if isinstance(found, LineUp)]
    assert [(one.setup.players, one.setup.options["hand.front"], one.names[0]) for one in seated[:2]] == [
        (3, 3, "random"),
        (3, 9, "random"),
    ]
    faults = [(values["players"], values["hand.front"]) for values, found in every if isinstance(found, InputError)]
    assert faults == [(4, 9)] * 2
