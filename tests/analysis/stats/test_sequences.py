"""Confidence sequences miss the truth at any look in at most 5% of the streams."""

from __future__ import annotations

import math

import numpy as np
import pytest

from houle.analysis.stats.confidence_sequences import (
    CENTRE,
    Bernstein,
    BetTuning,
    Prefix,
    Start,
    boundaries,
    is_look,
    rate_evidence,
    rate_sequence,
)
from houle.analysis.stats.intervals import WHOLE_WIN, wilson
from houle.analysis.stats.width import FIRST_LOOK, looks
from houle.solver import interface
from houle.solver.rules import make_setup
from houle.solver.run.tally import MOMENTS, TOTALS, Tally
from tests.support.repeated import repeated

pytestmark = pytest.mark.quick

MOST = 300_000
TUNING = BetTuning(0.3)
LOOKS = [*list(looks(MOST))[::16], MOST]  # where one happens to look
BOUNDARIES = [CENTRE, *LOOKS]


def ever_missed(steps: np.ndarray, truth: float) -> int:
    """How many of the streams (rows: sums of shares from look to look) that rule the truth out at some look."""
    missed = 0
    for number, row in enumerate(steps):
        totals = [float(total) for total in np.cumsum(row)]
        start = Start(LOOKS[0], totals[0])
        out = [rate_evidence(truth, total, n, TUNING, start) >= 0 for total, n in zip(totals, LOOKS, strict=True)]
        if number < 10:
            found = [rate_sequence(total, n, TUNING, start) for total, n in zip(totals, LOOKS, strict=True)]
            assert out == [not interval.low <= truth <= interval.high for interval in found]
        missed += any(out)
    return missed


def stretches() -> np.ndarray:
    return np.diff([0, *LOOKS])


@pytest.mark.compiled
@repeated(200, 1_000)
@pytest.mark.parametrize("truth", [0.5, 0.1, 0.003])
def test_wins_are_covered_at_every_look(truth: float, runs: int) -> None:
    rng = np.random.default_rng(5)
    steps = rng.binomial(stretches(), truth, size=(runs, len(stretches())))
    assert ever_missed(steps, truth) <= 0.05 * runs


@pytest.mark.compiled
@pytest.mark.parametrize("odds", [[0.6, 0.1, 0.2, 0.1], [0.0, 0.5, 0.0, 0.5]])
@repeated(200, 1_000)
def test_shared_wins_are_covered_at_every_look(odds: list[float], runs: int) -> None:
    """Shares 0, 1/3, 1/2 and 1, as tallies count them."""
    rng = np.random.default_rng(6)
    shares = np.array([0, WHOLE_WIN // 3, WHOLE_WIN // 2, WHOLE_WIN]) / WHOLE_WIN
    counts = np.stack([rng.multinomial(n, odds, size=runs) for n in stretches()], axis=1)
    assert ever_missed(counts @ shares, float(np.dot(odds, shares))) <= 0.05 * runs


def test_fixed_intervals_fail_if_looked_at_repeatedly() -> None:
    """The reason for sequences."""
    rng = np.random.default_rng(5)
    steps = rng.binomial(stretches(), 0.5, size=(200, len(stretches())))
    missed = 0
    for row in steps:
        found = [wilson(total / n, n) for total, n in zip(np.cumsum(row), LOOKS, strict=True)]
        missed += any(not interval.low <= 0.5 <= interval.high for interval in found)
    assert missed / 200 > 0.15


@pytest.mark.compiled
@repeated(200, 1_000)
def test_means_are_covered_at_every_look(runs: int) -> None:
    rng = np.random.default_rng(7)
    values, odds = np.array([0.0, 0.05, 0.1, 0.9]), [0.3, 0.4, 0.25, 0.05]
    truth = float(np.dot(values, odds))
    counts = np.stack([rng.multinomial(n, odds, size=runs) for n in np.diff([0, *BOUNDARIES])], axis=1)
    missed = 0
    for number, stream in enumerate(counts):
        sequence, out = Bernstein(TUNING), False
        for row, end in zip(stream, BOUNDARIES, strict=True):
            deviation = float(np.dot(row, (values - sequence.centre) ** 2))
            sequence.add(int(row.sum()), float(np.dot(row, values)), deviation)
            ruled_out = sequence.evidence(truth) >= 0
            if number < 10:
                interval = sequence.interval()
                assert ruled_out == (not interval.low <= truth <= interval.high)
            out |= is_look(end, MOST) and ruled_out
        missed += out
    assert missed <= 0.05 * runs


def tally(shares: np.ndarray, scores: list[np.ndarray]) -> Tally:
    """One side, its share of every game and the scores of every game's rounds, from 0 to 10."""
    points = np.array([int(rounds.sum()) for rounds in scores])
    entries = np.array([len(rounds) for rounds in scores])
    histogram = np.bincount(np.concatenate(scores), minlength=11).reshape(1, 11)
    totals = interface.blank(TOTALS)
    totals[0] = len(shares), 0, entries.sum(), (entries**2).sum(), 0
    moments = interface.blank(MOMENTS)
    moments[0] = shares.sum(), (shares**2).sum(), (points**2).sum(), (points * entries).sum()
    return Tally(("moves",), 0, totals, np.zeros(1, np.int64), moments, histogram.astype(np.int64))


def blank() -> Tally:
    return tally(np.zeros(0, np.int64), [np.zeros(0, np.int64)])


@pytest.mark.compiled
@repeated(15, 60)
@pytest.mark.parametrize("rounds", [(1, 2), (3, 4), (1, 5)], ids=["one round", "three rounds", "some rounds"])
def test_scores_of_a_prefix_are_covered(rounds: tuple[int, int], runs: int) -> None:
    """One round a game, several, or as many as the game happens to have; streams of 2,000 games."""
    rng = np.random.default_rng(8)
    missed = 0
    for _ in range(runs):
        prefix, out, done = Prefix(1.0, blank()), False, 0
        for end in (CENTRE, 1_000, 1_200, 1_440, 1_728, 2_000):
            numbers = rng.integers(*rounds, size=end - done)
            # Games with more rounds score higher: rounds of a game are not independent.
            scores = [rng.binomial(10, 0.1 + 0.1 * number, size=number) for number in numbers]
            prefix.add(tally(np.full(end - done, WHOLE_WIN // 2), scores))
            done = end
            span = np.arange(*rounds)
            truth = float((span * (1 + span)).sum() / span.sum())
            interval = prefix.score(0).interval
            out |= is_look(end, 2_000) and not interval.low <= truth <= interval.high
        assert prefix.tally.games == 2_000
        missed += out
    assert missed <= 0.05 * runs


def test_looks_are_at_fixed_counts() -> None:
    assert list(looks(1_100)) == [1_000, 1_020, 1_040, 1_060, 1_081, 1_100]
    assert list(looks(700)) == [700]
    assert boundaries(2_000)[:2] == [CENTRE, 1_000]
    assert boundaries(50) == [50]
    assert not is_look(CENTRE, 2_000)
    assert is_look(50, 50)


def test_intervals_hold_their_estimates() -> None:
    for total, n in [(0, 1), (1, 1), (0, 1000), (1000, 1000), (0.5, 1), (3, 10**12), (5 * 10**11, 10**12)]:
        found = rate_sequence(total, n, TUNING)
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert found.low < found.high
    assert math.isnan(rate_sequence(0, 0, TUNING).value)


def test_open_games_raise_the_high_end() -> None:
    """1,000 games, 150 of them won and 760 open: the truth may be 91%, and no further game makes that narrower."""
    tally = Tally.empty(make_setup("wave", 3))
    tally.totals[0].games, tally.moments[0].share = 1000, 150 * 840
    decided, opened = Prefix(3, Tally.empty(make_setup("wave", 3))), Prefix(3, Tally.empty(make_setup("wave", 3)))
    decided.add(tally)
    tally.totals[0].unresolved = 760
    opened.add(tally)
    assert opened.win(0).low == decided.win(0).low
    assert decided.win(0).high < 0.2
    assert opened.win(0).high > 0.91
    assert opened.half == decided.half


def test_values_not_ruled_out_form_an_interval() -> None:
    """Also with the second bet: every value outside the ends is ruled out, none inside."""
    rng = np.random.default_rng(3)
    for _ in range(60):
        truth, n = float(10 ** rng.uniform(-3, -0.3)), int(10 ** rng.uniform(3.1, 6))
        first = int(rng.binomial(FIRST_LOOK, truth))
        total, start = first + int(rng.binomial(n - FIRST_LOOK, truth)), Start(FIRST_LOOK, first)
        found = rate_sequence(total, n, TUNING, start)
        for value in np.linspace(1e-4, 0.999, 40):
            ruled_out = rate_evidence(float(value), total, n, TUNING, start) >= 0
            assert ruled_out == (not found.low <= value <= found.high)


@pytest.mark.parametrize(("rate", "wider"), [(0.5, 1.75), (0.3, 1.7), (0.05, 1.7), (0.002, 1.9)])
def test_a_sequence_is_tuned_to_its_rate(rate: float, wider: float) -> None:
    """How much wider than an interval for a single look, at the stop on width."""
    n = max(5_000, round(4.02 * rate * (1 - rate) / 0.003**2))
    start = Start(FIRST_LOOK, rate * FIRST_LOOK)
    tuned = rate_sequence(rate * n, n, TUNING, start).half
    assert tuned / wilson(rate, n).half < wider
    assert tuned < 1.08 * rate_sequence(rate * n, n, TUNING).half


@pytest.mark.parametrize("spread", [0.002, 0.02, 0.1])
def test_means_are_tuned_to_their_spread(spread: float) -> None:
    sequence = Bernstein(TUNING)
    for number in (CENTRE, FIRST_LOOK - CENTRE, 29_000):
        sequence.add(number, 0.3 * number, spread * number)
    once = 1.96 * (spread / 30_000) ** 0.5
    assert sequence.interval().half / once < 1.95
