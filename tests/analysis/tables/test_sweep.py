"""Sweeps: cells agree with simulate, targets, batches and forecasts."""

from __future__ import annotations

import pytest

from houle import Simulation, grid, setup, simulate, sweep
from houle.analysis.blocks import sentence
from houle.analysis.measures.targets import INSIDE, OUTSIDE, PERHAPS, parse_target
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.engine import play_line_up
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.analysis.stats.looks import confidence_at, doublings
from houle.analysis.tables.findings import Finding, finding_texts, findings
from houle.analysis.tables.sweep import is_settled
from houle.solver.errors import InputError
from houle.solver.rules import make_setup
from houle.solver.run.tally import Tally

pytestmark = pytest.mark.compiled


def test_cells_agree_with_simulate() -> None:
    result = sweep(grid("wave", players=[3, 4], set={"hand.back": [1, 2]}), strategies="random", games=600, seed=4)
    frame = result.frame()
    assert len(frame[frame["measure"] == "win"]) == 4
    for row in frame[frame["measure"].isin(["win", "score"])].to_dict("records"):
        wave = setup("wave", players=row["players"], set={"hand.back": int(row["set.hand.back"])})
        other = simulate(wave, strategies="random", games=600, seed=4).frame().iloc[0]
        assert row["result_digest"] == other["result_digest"]
        name = row["measure"]
        ends = (other[name], other[f"{name}_low"], other[f"{name}_high"])
        assert (row["value"], row["value_low"], row["value_high"], row["n"]) == (*ends, 600)


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
    assert [(row.number, row.target) for row in result.of("win")] == [
        (1, "inside"),
        (0, "outside"),
    ]  # those that fit first


def test_the_best_cell_is_confirmed_on_fresh_games() -> None:
    facts = {"strategies": "thumb", "games": 1_000, "targets": ["win=25%..100%"]}
    result = sweep(grid("wave", set={"hand.back": [0, 2, 3, 4]}), **facts)
    again = result.confirmed
    assert again is not None
    assert again.row.number == 3  # of those inside the one nearest to 62.5%
    assert again.picked["win"] in [row.value for row in result.of("win") if row.number == 3]
    fresh = Simulation(play_line_up(again.row.arm.line_up, RunSpec(1_000, first=1_000)))
    assert again.digest == fresh.digest
    assert again.fresh["win"].value == fresh.sides[0].win.value != again.picked["win"].value
    assert again.again
    said = sentence(again.sentence())
    assert said.endswith("38% (35 to 41) on 1,000 new games, 39% (36 to 42) on the games that picked it")
    assert result.as_json()["confirmed"]["fresh"]["win"]["value"] == again.fresh["win"].value
    assert sweep("wave", strategies=["thumb", "random"], games=100, targets=["win=99%"]).confirmed is None


def test_a_lucky_cell_is_not_confirmed() -> None:
    """The target is a narrow range around the result of 400 games; fresh games are outside of it."""
    cells = grid("wave", set={"hand.back": [0, 2]})
    lucky = sweep(cells, strategies="thumb", games=400).of("win")[1].value
    wanted = f"win={lucky.low - 0.0001:.4f}..{lucky.high + 0.0001:.4f}"
    result = sweep(cells, strategies="thumb", games=400, targets=[wanted])
    assert result.confirmed is not None
    assert not result.confirmed.again
    assert result.confirmed.sentence()["label"] == "not confirmed"
    assert [row.target for row in result.of("win") if row.number == 1] == [PERHAPS]  # so that no page says two things


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
    hits = {row.label: row.target for row in result.of("win")}
    assert list(hits.values()) == ["inside", "inside", "inside", "outside"]
    assert [row.note.partition(" by ")[0] for row in result.of("win")] == ["", "", "", "too hard"]
    assert result.of("win")[-1].strategy == "thumb"
    with pytest.raises(InputError, match="nobody plays flat:200; in the grid: random, thumb"):
        sweep(cells, targets=["win=40%@flat"])


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
    rates = {"a": Estimate(0.1, 0, 1, n=9, unit=PERCENT), "b": Estimate(0.3, 0, 1, n=9, unit=PERCENT)}
    several = finding_texts([Finding(arm, "x", rate) for arm, rate in rates.items()])
    assert several == ["10% (a) to 30% (b) of x, in 2 variants"]


def test_most_games_go_to_cells_near_an_edge() -> None:
    """Cells far from an edge end at the first look; every cell plays the first games of its setup."""
    cells = grid("wave", set={"hand.back": [0, 2, 4]})
    targets = ["score=10..22.8", "win=0%..50%"]
    facts = {"strategies": "random", "targets": targets, "until_sure": True, "margin": 0.5, "games": 12_800}
    result = sweep(cells, **facts)
    games = [result.sample.deals(cell) for cell in range(3)]
    assert games[0] < games[1] > games[2]
    assert set(games) <= set(doublings(12_800))
    assert not result.interrupted
    assert result.as_json()["until_sure"] == {"most": 12_800, "looks": 7, "differences": 6, "reached": True}
    assert result.until is not None
    assert result.until.confidence == confidence_at(7, 6)
    for cell, number in enumerate(games):
        alone = simulate(result.arms[cell].setup, strategies="random", games=number)
        assert result.sample.digest_of(cell) == alone.digest
    assert sweep(cells, **facts, threads=1).digest == result.digest


@pytest.mark.quick
def test_a_cell_near_an_edge_is_settled() -> None:
    target = parse_target("win=30%..50%")
    for value, hit in ((0.3005, PERHAPS), (0.4, INSIDE), (0.6, OUTSIDE)):
        assert not is_settled(target, Estimate(value, value - 0.11, value + 0.11, 100), 0.01)
        near = Estimate(value, value - 0.004, value + 0.004, 60_000)
        assert is_settled(target, near, 0.01)
        assert target.holds(near) == hit
    assert is_settled(parse_target("win=0%..10%"), Estimate(0.0, 0.0, 0.002, 5_000), 0.001)  # no rate is below 0
    with pytest.raises(InputError, match="--until-sure: there is nothing to find out; give a target"):
        sweep("wave", strategies="random", until_sure=True)
