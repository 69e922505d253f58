"""Sweeps: cells agree with simulate, targets, batches, forecasts, and assumptions."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

from houle import assumptions, grid, setup, simulate, sweep
from houle.analysis.blocks import sentence
from houle.analysis.comparison.assumptions import Assumptions
from houle.analysis.comparison.findings import Finding, finding_texts, findings
from houle.analysis.comparison.open_rules import UNSETTLED, Turn, by_rule, turned_grids, turns_of
from houle.analysis.comparison.power import plan_arms, plan_differences
from houle.analysis.comparison.sweep import TargetTest
from houle.analysis.measures.measures import by_player, check_decidable
from houle.analysis.measures.targets import INSIDE, OUTSIDE, PERHAPS, parse_target
from houle.analysis.measures.verdicts import margins_of
from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling import paired_arms as played_arms
from houle.analysis.sampling.grid import make_grid
from houle.analysis.sampling.paired_arms import STRETCH
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.stats.intervals import wilson
from houle.analysis.stats.sequential_tests import AT_STOP, looks
from houle.solver.errors import InputError
from houle.solver.rules import game_names, load, make_setup
from houle.solver.run.tally import Tally
from tests.support.call import good
from tests.support.repeated import repeated

pytestmark = pytest.mark.compiled


def test_cells_agree_with_simulate() -> None:
    result = sweep(grid("wave", players=[3, 4], set={"hand.back": [1, 2]}), strategies="random", games=600, seed=4)
    frame = result.frame()
    assert len(frame) == 4
    for row in frame.to_dict("records"):
        wave = setup("wave", players=row["players"], set={"hand.back": int(row["set.hand.back"])})
        other = simulate(wave, strategies="random", games=600, seed=4).frame().iloc[0]
        assert row["result_digest"] == other["result_digest"]
        assert (row["win"], row["win_low"], row["win_high"]) == (other["win"], other["win_low"], other["win_high"])
        assert (row["score"], row["score_low"], row["n"]) == (other["score"], other["score_low"], 600)


def test_the_json_holds_the_frame() -> None:
    result = sweep(
        grid("vague-verte", players=2, set={"road": [3, 4]}), strategies="random", games=200, targets=["draws=0..0.5"]
    )
    data = json.loads(json.dumps(result.as_json()))
    for cell, row in zip(data["cells"], result.frame().to_dict("records"), strict=True):
        for name, estimate in cell["measures"].items():
            key = name.replace("-", "_")
            assert (estimate["value"], estimate["low"], estimate["high"], estimate["n"]) == (
                row[key], row[f"{key}_low"], row[f"{key}_high"], row[f"{key}_n"],
            )  # fmt: skip
        assert cell["target"] == row["target"]
    assert data["axes"] == {"road": [3, 4]}


def test_threads_and_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = grid("wave", players=[2, 3], set={"hand.back": [1, 2]}, strategies="random")
    whole = sweep(cells, games=500, threads=1).frame()
    monkeypatch.setattr(played_arms, "BATCH_SIZE", 3)
    parts = sweep(cells, games=500, threads=3)
    assert [len(batch.arms) for batch in parts.played.batches] == [3, 1]
    assert parts.frame().equals(whole)


@pytest.mark.quick
def test_targets_are_ranges_of_a_measure() -> None:
    target = parse_target("win=35%..45%")
    assert (target.measure, target.low, target.high) == ("win", 0.35, 0.45)
    kinds = [
        target.holds(Estimate(0.4, low, high, 9)) for low, high in ((0.36, 0.44), (0.3, 0.4), (0.3, 0.5), (0.1, 0.2))
    ]
    assert kinds == ["inside", "perhaps", "perhaps", "outside"]
    assert parse_target("score = 2 .. 3.5").high == 3.5
    assert parse_target("win=35..45").low == parse_target("win = 0.35 .. 0.45").low == 0.35
    assert parse_target("win=35..45%").high == 0.45
    assert parse_target("first-seat=-5..5").low == -0.05
    for text, line in (
        ("win", "write MEASURE=VALUE or MEASURE=LOW..HIGH, as win=40%"),
        ("win=many", "write MEASURE=VALUE"),
        ("win=3500%", "win lies from 0% to 100%"),
        ("win=-1", "win lies from 0% to 100%"),
        ("score=5%", "score is not a rate: write it without %"),
        ("win=40%@thmb", "unknown strategy 'thmb'; did you mean 'thumb'"),
        ("wim=1%..2%", "unknown measure 'wim'; did you mean 'win'?"),
        ("win=45%..35%", "is empty"),
        ("win=0.35..45%", "both ends with %"),
    ):
        with pytest.raises(InputError, match=line):
            parse_target(text)


def test_all_targets_must_hold() -> None:
    cells = grid("wave", set={"hand.back": [0, 4]})
    result = sweep(cells, strategies="thumb", games=2_000, targets=["win=20%..100%", "score=0..33"])
    assert [cell.target for cell in result.cells] == ["outside", "inside"]
    assert [cell.targets for cell in result.cells] == [("outside", "inside"), ("inside", "inside")]


def test_the_best_cell_is_confirmed_on_fresh_games() -> None:
    facts = {"strategies": "thumb", "games": 1_000, "targets": ["win=25%..100%"]}
    result = sweep(grid("wave", set={"hand.back": [0, 2, 3, 4]}), **facts)
    again = result.confirmed
    assert again is not None
    assert again.arm is result.arms[3]  # of those inside the one nearest to 62.5%
    assert again.picked["win"] == result.cells[3].measures["win"]
    fresh = simulate(again.arm.setup, strategies="thumb", games=1_000, first=1_000)
    assert again.digest == fresh.digest
    assert again.fresh["win"].value == fresh.sides[0].win.value != again.picked["win"].value
    assert again.again
    assert result.as_json()["confirmed"]["fresh"]["win"]["value"] == again.fresh["win"].value
    shown = result.frame()["win_fresh"]
    assert list(shown.isna()) == [True, True, True, False]
    plain = sweep(grid("wave", set={"hand.back": [0, 2, 3, 4]}), confirm=False, **facts)
    assert plain.confirmed is None
    assert plain.digest == result.digest
    assert "--no-confirm" in plain.repeat()
    assert "--no-confirm" not in result.repeat()
    assert sweep("wave", strategies=["thumb", "random"], games=100, targets=["win=99%"]).confirmed is None


def test_a_lucky_cell_is_not_confirmed() -> None:
    """The target is a narrow range around the result of 400 games; fresh games are outside of it."""
    cells = grid("wave", set={"hand.back": [0, 2]})
    lucky = sweep(cells, strategies="thumb", games=400).cells[1].measures["win"]
    wanted = f"win={lucky.low - 0.0001:.4f}..{lucky.high + 0.0001:.4f}"
    result = sweep(cells, strategies="thumb", games=400, targets=[wanted]).confirmed
    assert result is not None
    assert result.target == PERHAPS
    assert not result.again


@pytest.mark.quick
def test_a_single_value_is_a_range() -> None:
    """2 points for a rate, however it is written; 2% of any other value; never beyond what is possible."""
    for text in ("win=40%", "win=40", "win=0.4"):
        target = parse_target(text)
        assert (target.low, target.high) == pytest.approx((0.38, 0.42))
    assert parse_target("win=1%").low == 0
    score = parse_target("score=50")
    assert (score.low, score.high) == pytest.approx((49, 51))
    assert parse_target("win=40%").off(Estimate(0.5, 0.4, 0.6, 9)) == pytest.approx(0.08)
    assert parse_target("win=40%").off(Estimate(0.3, 0.2, 0.4, 9)) == pytest.approx(-0.08)


def test_a_target_may_be_for_one_player() -> None:
    cells = grid("wave", set={"hand.back": [0, 4]}, strategies=["random", "thumb"])
    result = sweep(cells, games=1_000, targets=["win=30..60@thumb", "score=0..33"])
    assert [cell.targets for cell in result.cells] == [
        (None, "inside"), (None, "inside"), ("outside", "inside"), ("inside", "inside"),
    ]  # fmt: skip
    assert [cell.target for cell in result.cells] == ["inside", "inside", "outside", "inside"]
    ((target, off),) = result.off(result.cells[2])
    assert target.player == "thumb"
    assert off < 0
    with pytest.raises(InputError, match="nobody plays flat:200; in the grid: random, thumb"):
        sweep(cells, targets=["win=40%@flat"])


def test_cells_in_json_describe_their_setups() -> None:
    result = sweep(grid("wave", variants=["base", "virage"], set={"hand.back": [1, 2]}), strategies="random", games=50)
    data = result.as_json()
    cell = data["cells"][3]
    assert (cell["variants"], cell["strategies"], cell["set.hand.back"]) == (["virage"], ["random"] * 3, 2)
    assert list(cell["measures"]["win"]) == ["value", "low", "high", "n"]
    assert (data["variants"], data["games"], data["rules_digest"]) == ([], 50, data["cells"][0]["rules_digest"])
    words = (
        "houle sweep wave -v base -v virage -s random --set hand.back=1,2 --measure win --measure score -n 50 --seed 1"
    )
    assert result.repeat() == words


@pytest.mark.quick
def test_one_side_has_no_spread() -> None:
    with pytest.raises(
        InputError, match=r"spread: not a measure of wave, 3 players, hand\.back=1; allowed: win, score"
    ):
        sweep(grid("wave", set={"hand.back": [1, 2]}), measures=["spread"])


def test_the_forecast_plays_few_games() -> None:
    arms = make_grid("wave", [3], strategies=["random"], settings={"hand.back": [1, 2]}).arms
    one, two = (plan_arms(arms, games, pairs=False) for games in (10**7, 10**9))
    assert one.games == 2 * 10**7
    seconds = one.seconds(RunSpec(threads=1))
    assert 0.2 < seconds < 2000
    assert two.seconds(RunSpec(threads=1)) > 10 * seconds


@pytest.mark.parametrize("game", game_names())
def test_every_open_rule_has_alternatives(game: str) -> None:
    """In the setups in which it applies, with playable values; only cards that are not in the deck are left out."""
    ruleset = load(game)
    for players in ruleset.players:
        setup = make_setup(game, players)
        grids, left_out = turned_grids(setup)
        turned = {turn.knob.name for turns, _ in grids for turn in turns}
        assert turned == {
            knob.name for knob in ruleset.knobs.values() if knob.provenance in UNSETTLED or knob.ambiguous
        }
        assert all("no such card" in why for _, why in left_out)
        for turns, one in grids:
            assert len(one.arms) == len(turns) + 1
            assert all(arm.setup.digest != one.arms[0].setup.digest for arm in one.arms[1:])


@pytest.mark.quick
def test_open_rules_of_other_decks_are_left_out() -> None:
    """A deck with a card out cannot build the columns of a variant that is not played."""
    setup = make_setup("wave", 3, (), {"deck.missing": ["white 0", "navy 5", "sky 5"], "hand.front": 4})
    grids, left_out = turned_grids(setup)
    turned = {turn.knob.name for turns, _ in grids for turn in turns}
    assert turned == {"talk", "dummy_swaps", "virage_must_fit"}
    assert {label.partition("=")[0] for label, _ in left_out} == {"heights", "facedown", "facedown_reverses"}
    assert all("your rules cannot be played there" in why for _, why in left_out)
    assert {turn.source for turns, _ in grids for turn in turns} == {"assumed", "unclear in print"}


@pytest.mark.quick
def test_measures_may_name_their_players() -> None:
    assert by_player(["win@family", "length:p90@seasoned", "draws"]) == {
        "family": ["win", "draws"], "seasoned": ["length:p90", "draws"],
    }  # fmt: skip
    assert by_player(["win", "length:p90"]) == {"": ["win", "length:p90"]}
    assert margins_of()["length:p90"] == margins_of()["length"]
    with pytest.raises(InputError, match="until_decided: length:p90 has no such test"):
        check_decidable(["win", "length:p90"])


@pytest.mark.quick
def test_sea_change_alternatives_keep_the_printed_sums() -> None:
    for turn in turns_of(load("sea-change"), 8):
        assert isinstance(turn, Turn)
        assert turn.value[7] + turn.value[12] == 1
        assert 2 * turn.value[11] + turn.value[15] == 3


@pytest.mark.quick
def test_default_alternatives_of_a_knob() -> None:
    knobs = load("vague-attaque").knobs
    assert by_rule(knobs["chest_limit"], 7) == [6, 8]
    assert by_rule(knobs["max_turns"], 600) == [300, 1200]
    assert by_rule(knobs["ship_stealable"], False) == [True]
    assert by_rule(load("wave").knobs["talk"], "known") == ["silent", "points", "open"]


def test_assumptions_are_ranked_and_judged() -> None:
    result = assumptions("wave", games=1_500, strategies="thumb", measures=["win"])
    sizes = [one.size(one.most) for one in result.ranked]
    assert sizes == sorted(sizes, reverse=True)
    assert result.ranked[0].turn.knob.name == "talk"
    again = result.confirmed
    assert again is not None
    assert again.turn is result.ranked[0].turn
    assert again.comparison.first == 1_500  # games that did not pick it
    assert again.picked != again.fresh
    assert again.again
    assert result.as_json()["confirmed"]["fresh"]["value"] == again.fresh.value
    assert "--no-confirm" not in result.words()
    ((measure, depends, unknown),) = result.conclusions
    assert measure == "win"
    assert "talk" in depends
    assert not set(depends) & set(unknown)
    assert "another reading of talk" in sentence(result.sentences()[0])
    frame = result.frame()
    assert list(frame["rank"]) == sorted(frame["rank"])
    assert set(frame["knob"]) == {one.turn.knob.name for one in result.ranked}
    assert json.loads(json.dumps(result.as_json()))["turns"][0]["knob"] == "talk"
    labels = [one.turn.label for one in result.ranked]
    assert "dummy_swaps=true (2 players, virage)" in labels
    assert "facedown=free (nazare)" in labels


@pytest.mark.quick
def test_rules_that_matter_are_not_called_unknown() -> None:
    """A rule that certainly changes one measure may be open for another."""
    result = Assumptions(line_up(setup("wave", players=3), "random"), (), (), ())
    vars(result)["conclusions"] = [("win", ["heights"], ["talk"]), ("score", [], ["heights", "talk"])]
    assert [sentence(block) for block in result.not_known()] == [
        "Not known yet, for lack of games: the effect of talk."
    ]


def test_assumptions_play_the_games_asked_for() -> None:
    facts = {"strategies": "random", "measures": ["score"], "games": 40, "confirm": False}
    one, other = (assumptions("wave", first=first, **facts) for first in (0, 40))
    assert (one.digest != other.digest, other.first) == (True, 40)
    assert {comparison.first for comparison in other.comparisons} == {40}
    assert other.repeat().endswith("-n 40 --seed 1 --first 40")


def test_rules_that_the_setup_changes_stay() -> None:
    wave = setup("wave", set={"talk": "open"})
    result = assumptions(wave, strategies="random", games=30, measures=["score"])
    assert "talk" not in {one.turn.knob.name for one in result.ranked}
    assert result.setup is wave
    assert [sentence(block) for block in result.sentences()] == ["The rulebook leaves no rule in play here open."]
    assert result.repeat() == "houle assumptions wave -p 3 --set talk=open --measure score -s random -n 30 --seed 1"


def test_rules_that_a_strategy_ignores_change_nothing() -> None:
    result = assumptions("wave", games=2_000, strategies="random", measures=["score"], confirm=False)
    assert result.confirmed is None
    assert "--no-confirm" in result.words()
    talk = [one for one in result.ranked if one.turn.knob.name == "talk"]
    verdicts = {one.turn.value: one.most.verdict and one.most.verdict.text for one in talk}
    assert verdicts == dict.fromkeys(("silent", "known"), "no game changed")
    assert "talk" not in result.conclusions[0][1]


@pytest.mark.quick
def test_findings_are_sentences() -> None:
    setup = make_setup("vague-verte", 3)
    tally = Tally.empty(setup)
    tally.totals[0].games, tally.totals[0].draws = 200, 30
    assert finding_texts(findings(setup, tally, "base")) == [
        "base: 15% (11 to 21) of the games have no winner when the turn limit of 300 is reached"
    ]
    wave = make_setup("wave", 3)
    tally = Tally.empty(wave)
    tally.totals[0].games, tally.totals[0].unresolved = 100, 1
    tally.histogram[0, [0, 33]] = 96, 4
    lines = finding_texts(findings(wave, tally))
    assert "could not be solved within the limit of the solver" in lines[0]
    assert lines[1].startswith("4% (2 to 10) of the deals are lost before they start: the first player cannot move")
    rates = {"a": Estimate(0.1, 0, 1, 9, PERCENT), "b": Estimate(0.3, 0, 1, 9, PERCENT)}
    several = finding_texts([Finding(arm, "x", rate) for arm, rate in rates.items()])
    assert several == ["10% (a) to 30% (b) of x, in 2 variants"]


def test_most_games_go_to_cells_near_an_edge() -> None:
    """Cells far from an edge are decided after a few games; every cell plays the first games of its setup."""
    cells = grid("wave", set={"hand.back": [0, 2, 4]})
    facts = {"strategies": "random", "targets": "score=10..22.8", "until_decided": True, "margins": {"score": 0.5}}
    result = sweep(cells, **facts)
    games = [result.played.tally(cell).games for cell in range(3)]
    assert games[0] < games[1] > games[2]
    assert not result.interrupted
    assert result.as_json()["until_decided"] == {"most": STRETCH, "reached": True}
    for cell, number in zip(result.cells, games, strict=True):
        alone = simulate(cell.arm.setup, strategies="random", games=number)
        assert cell.digest == alone.digest
    assert sweep(cells, **facts, threads=1).digest == result.digest
    assert json.loads(good(*shlex.split(result.repeat())[1:], "--json"))["result_digest"] == result.digest


@pytest.mark.quick
def test_a_cell_near_an_edge_ends_as_perhaps() -> None:
    target = parse_target("win=30%..50%")
    at_edge, inside, outside = (TargetTest(target, 0.01) for _ in range(3))
    for value, test in ((0.3005, at_edge), (0.4, inside), (0.6, outside)):
        test.look(Estimate(value, value - 0.1, value + 0.1, 100))
        assert test.kind is None
        test.look(Estimate(value, value - 0.004, value + 0.004, 60_000))
    assert (at_edge.kind, inside.kind, outside.kind) == (PERHAPS, INSIDE, OUTSIDE)
    rare = TargetTest(parse_target("win=0%..10%"), 0.01)  # no rate is below 0
    rare.look(Estimate(0.0, 0.0, 0.002, 5_000))
    assert rare.kind == INSIDE
    with pytest.raises(InputError, match="until_decided: there is nothing to decide; give a target"):
        sweep("wave", strategies="random", until_decided=True)


@pytest.mark.quick
@repeated(50, 200)
def test_cells_at_an_edge_are_rarely_misjudged(runs: int) -> None:
    draws, wrong = np.random.default_rng(4), 0
    for _ in range(runs):
        test, before, won = TargetTest(parse_target("win=30%..50%"), 0.01), 0, 0
        for n in looks(2_000_000):
            won += int(draws.binomial(n - before, 0.3))
            before = n
            test.look(wilson(won / n, n, AT_STOP))
            if test.kind:
                break
        wrong += test.kind != PERHAPS
    assert wrong <= 0.08 * runs


def test_cells_that_search_play_fewer_games() -> None:
    result = sweep("wave", strategies=["random", "flat:1"], games=300, search_games=10, measures=["win"])
    assert [result.played.tally(cell).games for cell in range(2)] == [300, 10]
    assert result.repeat().endswith("--measure win -n 300 --search-games 10 --seed 1")
    assert not result.interrupted
    assert list(result.frame()["games"]) == [300, 10]


def test_planned_differences_agree_with_detectable_ones() -> None:
    cells = grid("wave", set={"hand.back": [2, 3]}, strategies="thumb")
    planned = {part.measure: part for part in plan_differences(cells.arms, 4_000, 1, ["win", "score"], pairs=False)}
    result = sweep(cells, strategies="thumb", games=4_000)
    for measure, part in planned.items():
        after = [cell.detectable(measure) for cell in result.cells]
        assert part.least == pytest.approx(min(after), rel=0.2)
        assert part.greatest == pytest.approx(max(after), rel=0.2)
    rate = result.cells[0].measures["win"].value
    assert result.cells[0].detectable("win") == pytest.approx(2.8 * (2 * rate * (1 - rate) / 4_000) ** 0.5, rel=0.02)
    assert result.as_json()["cells"][0]["detectable"]["win"] == result.cells[0].detectable("win")
