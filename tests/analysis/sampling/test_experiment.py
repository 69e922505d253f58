"""Experiments: seatings of a deal are summed, pairs are on the deals of both, and a sample goes on where it stopped."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from houle import simulate
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.measures import difference, estimate
from houle.analysis.players.line_ups import line_up
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling import experiment as module
from houle.analysis.sampling.experiment import STRETCH, Experiment, Sample, against, other_sides, play, play_arms
from houle.analysis.sampling.grid import Arm
from houle.analysis.stats.intervals import clustered_rate
from houle.solver.players.names import parse
from houle.solver.rules import make_setup
from tests.coverage.cells import several_plays

pytestmark = pytest.mark.compiled

WAVE = make_setup("wave", 3)


def arm(name: str, label: str = "", players: int = 3) -> Arm:
    return Arm(line_up(make_setup("wave", players), name), label=label or name)


def sums(sample: Sample) -> list[object]:
    """All whole numbers of a sample."""
    own = [[one.tally.as_data(), one.moments.as_data(), one.greatest.tolist()] for one in sample.sums]
    pairs = [[pair, both.moments.as_data(), both.changed.tolist()] for pair, both in sample.both.items()]
    return [own, pairs]


def test_only_equal_players_have_intervals_without_width() -> None:
    """Each deal gave one win of two: by chance, or because both players are the same."""
    always = estimate(several_plays(np.ones(100, np.int64), 2), 0, "win")
    assert always.value == 0.5
    assert 0.48 < always.low < 0.4855
    assert 0.5145 < always.high < 0.52
    setup = make_setup("land-unter", 3)
    arms = [against(setup, parse("random"), parse(name)) for name in ("random", "thumb")]
    sample = play(Experiment(tuple(arms)), RunSpec(20))
    equal, unlike = (estimate(sample, number, "win") for number in (0, 1))
    assert equal.low == equal.high == pytest.approx(1 / 3)
    assert unlike.low < unlike.high
    never, ever = (clustered_rate(rate, 0.0, 100) for rate in (0.0, 1.0))
    assert never.low == 0.0 < 0.03 < never.high < 0.05
    assert ever.high == 1.0


def test_seatings_are_summed_in_each_deal() -> None:
    """The mean over the seats is that of the seats played one by one."""
    setup = make_setup("land-unter", 3)
    among = against(setup, parse("thumb"), parse("random"))
    assert (
        [line_up.names.index("thumb") for line_up, _ in among.plays] == [side for _, side in among.plays] == [0, 1, 2]
    )
    sample = play(Experiment((among, other_sides(among)), ((0, 1),)), RunSpec(40, seed=3, threads=1))
    alone = [play_arms([replace(among, seatings=(one,))], RunSpec(40, seed=3, threads=1)) for one in among.plays]
    for measure in ("win", "score", "length"):
        each = [estimate(one, 0, measure).value for one in alone]
        assert estimate(sample, 0, measure).value == pytest.approx(np.mean(each))
    assert sample.games == 3 * 40  # the other sides have no games of their own
    wins = [estimate(sample, number, "win").value for number in (0, 1)]
    assert wins[0] + 2 * wins[1] == pytest.approx(1)
    assert difference(sample, 0, "win", other=1).interval.value == pytest.approx(wins[0] - wins[1])


def test_an_arm_agrees_with_simulate() -> None:
    sample = play_arms([arm("random"), arm("thumb")], RunSpec(60, seed=3, threads=1))
    for number, name in enumerate(("random", "thumb")):
        run = simulate(WAVE, strategies=name, games=60, seed=3, threads=1)
        side = run.sides[0]
        assert (estimate(sample, number, "win"), estimate(sample, number, "score")) == (side.win, side.score.interval)
        assert sample.digest_of(number) == run.digest


@pytest.mark.parametrize("pair", [(1, 0), (2, 0), (2, 1)])
def test_any_two_arms_can_be_a_pair(pair: tuple[int, int]) -> None:
    arms = tuple(arm(name) for name in ("random", "thumb", "thumb[forgets=50]"))
    sample = play(Experiment(arms, (pair,)), RunSpec(30, seed=2, threads=1))
    first, other = pair
    gap = difference(sample, first, "win", other=other)
    assert gap.paired
    expected = [estimate(sample, number, "win").value for number in pair]
    assert gap.interval.value == pytest.approx(expected[0] - expected[1])
    assert not difference(sample, other, "win", other=first).paired  # not asked for
    assert Goal(WAVE).gain(sample, first, other) == gap.interval
    alone = play_arms(arms, RunSpec(30, seed=2, threads=1))
    assert [alone.digest_of(number) for number in range(3)] == [sample.digest_of(number) for number in range(3)]
    assert alone.digest != sample.digest


def test_a_pair_is_on_the_deals_of_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search plays fewer deals; the difference is that of the first of them."""
    monkeypatch.setattr(module, "LEAST_SEARCHED", 20)
    arms = (arm("random"), arm("flat:1"))
    sample = play(Experiment.with_first(arms), RunSpec(50, seed=4, threads=1))
    assert [sample.deals(number) for number in (0, 1)] == [50, 20]
    assert sample.both[1, 0].deals == 20
    short = play(Experiment.with_first(arms), RunSpec(20, seed=4, threads=1))
    assert sample.both[1, 0].moments.as_data() == short.both[1, 0].moments.as_data()
    assert difference(sample, 1, "win").interval.n == 20


@pytest.mark.quick
@pytest.mark.parametrize(
    ("names", "games", "deals"),
    [
        (("random", "flat:1"), 10_000, [10_000, 500]),
        (("random", "flat:1"), 1_000, [1_000, 100]),
        (("random", "flat:1"), 60, [60, 60]),
        (("flat:2", "flat:1"), 60, [60, 60]),
        (("family", "flat:1"), 4_000, [4_000, 200]),
        (("random", "seasoned"), 4_000, [4_000, 4_000]),
    ],
)
def test_searches_play_a_twentieth(names: tuple[str, str], games: int, deals: list[int]) -> None:
    """At least a hundred, and all where everybody searches; people who think never count as searching."""
    experiment = Experiment(tuple(arm(name) for name in names))
    assert experiment.deals_of(games) == deals
    assert experiment.plan(games).games == sum(deals)


def test_a_sample_goes_on_where_it_stopped() -> None:
    """In stretches, some arms further than others, with any number of threads: the sums are those of one run."""
    experiment = Experiment.with_first([arm("random"), arm("thumb"), arm("thumb[forgets=50]")])
    grown = Sample(experiment, RunSpec(60, seed=3, threads=2))
    assert grown.play(20)
    assert grown.play(45)
    assert grown.play(60)
    assert sums(grown) == sums(play(experiment, RunSpec(60, seed=3, threads=1)))
    assert grown.digest == play(experiment, RunSpec(60, seed=3, threads=1)).digest
    grown.play(80, [0, 2])
    assert [grown.deals(number) for number in range(3)] == [80, 60, 80]
    assert [grown.both[pair].deals for pair in experiment.pairs] == [60, 80]
    assert not grown.play(60) or grown.deals(0) == 80  # deals that are there are not played again
    assert grown.sums[1].tally.games == 60


def test_groups_are_paired_like_arms_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST_SEARCHED", 20)
    arms = tuple(arm(name) for name in ("random", "thumb", "flat:1", "thumb[forgets=50]"))
    pairs = ((1, 0), (2, 1), (3, 1), (3, 0))
    together = play(Experiment(arms, pairs), RunSpec(30, seed=3, threads=1))
    for groups in (((0,), (1,), (2,), (3,)), ((0, 1), (2,), (3,)), ((0,), (1, 2, 3))):
        told = list[int]()

        def hear(one: int, _: Sample, told: list[int] = told) -> None:
            told.append(one)

        in_turn = play(Experiment(arms, pairs, groups), RunSpec(30, seed=3, threads=2), hear)
        assert sums(in_turn) == sums(together)
        assert in_turn.digest == together.digest
        assert told == [0, 1, 2, 3]


def test_batches_change_no_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = Experiment.with_first([arm("random", str(number)) for number in range(5)])
    whole = play(experiment, RunSpec(30, threads=1))
    monkeypatch.setattr(module, "BATCH_SIZE", 2)
    assert experiment.in_groups(30) == [(0, 1), (2, 3), (4,)]
    assert sums(play(experiment, RunSpec(30, threads=1))) == sums(whole)


@pytest.mark.quick
def test_other_numbers_of_players_have_deals_of_their_own() -> None:
    """Where a difference is asked for; without one, all play the same game numbers."""
    arms = (arm("random"), arm("random", players=4))
    compared = Sample(Experiment.with_first(arms), RunSpec(10))
    assert compared.firsts == [0, STRETCH]
    assert compared.both == {}
    assert Sample(Experiment(arms), RunSpec(10)).firsts == [0, 0]


def test_ctrl_c_keeps_whole_deals_and_looks() -> None:
    """Arms of a group have equally many deals; with `whole`, results are those of a look."""
    experiment = Experiment.with_first([arm("random"), arm("thumb")])
    for whole, deals in ((False, range(2_001, 60_000)), (True, [2_000])):

        def stop(games: int, seconds: float) -> None:
            if games > 2 * 5_000:
                raise KeyboardInterrupt

        sample = Sample(experiment, RunSpec(60_000, threads=1, progress=stop), whole)
        assert sample.play(2_000)
        assert not sample.play(60_000)
        assert sample.deals(0) == sample.deals(1) == sample.both[1, 0].deals
        assert sample.deals(0) in deals
        assert sample.interrupted
