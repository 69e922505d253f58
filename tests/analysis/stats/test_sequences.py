"""Confidence sequences: the truth is ever missed in at most 5% of 2,000 streams, at any of the looks."""

from __future__ import annotations

import math

import numpy as np
import pytest

from houle.analysis.stats.intervals import WHOLE_WIN, wilson
from houle.analysis.stats.sequences import (
    CENTRE,
    Bernstein,
    Prefix,
    Tuning,
    boundaries,
    forecast,
    is_look,
    looks,
    rate_evidence,
    rate_sequence,
)
from houle.solver import contract
from houle.solver.ruleset import make_setup
from houle.solver.tally import MOMENTS, TOTALS, Tally

STREAMS = 2_000
MOST = 300_000
TUNING = Tuning(0.3)


def ever_missed(steps: np.ndarray, truth: float) -> float:
    """Share of the streams (rows: sums of shares from look to look) that rule the truth out at some look."""
    counts = list(looks(MOST))
    missed = 0
    for number, row in enumerate(steps):
        totals = [float(total) for total in np.cumsum(row)]
        out = [rate_evidence(truth, total, n, TUNING) >= 0 for total, n in zip(totals, counts, strict=True)]
        if number < 20:
            found = [rate_sequence(total, n, TUNING) for total, n in zip(totals, counts, strict=True)]
            assert out == [not interval.low <= truth <= interval.high for interval in found]
        missed += any(out)
    return missed / len(steps)


def stretches() -> np.ndarray:
    return np.diff([0, *looks(MOST)])


@pytest.mark.parametrize("truth", [0.5, 0.1, 0.003])
def test_wins_are_covered_at_every_look(truth: float) -> None:
    rng = np.random.default_rng(5)
    steps = rng.binomial(stretches(), truth, size=(STREAMS, len(stretches())))
    assert ever_missed(steps, truth) <= 0.05


@pytest.mark.parametrize("odds", [[0.6, 0.1, 0.2, 0.1], [0.0, 0.5, 0.0, 0.5]])
def test_shared_wins_are_covered_at_every_look(odds: list[float]) -> None:
    """Shares 0, 1/3, 1/2 and 1, as tallies count them."""
    rng = np.random.default_rng(6)
    shares = np.array([0, WHOLE_WIN // 3, WHOLE_WIN // 2, WHOLE_WIN]) / WHOLE_WIN
    counts = np.stack([rng.multinomial(n, odds, size=STREAMS) for n in stretches()], axis=1)
    assert ever_missed(counts @ shares, float(np.dot(odds, shares))) <= 0.05


def test_a_fixed_interval_looked_at_again_misses_far_more_often() -> None:
    """Why sequences are needed at all."""
    rng = np.random.default_rng(5)
    steps = rng.binomial(stretches(), 0.5, size=(500, len(stretches())))
    counts = list(looks(MOST))
    missed = 0
    for row in steps:
        found = [wilson(total / n, n) for total, n in zip(np.cumsum(row), counts, strict=True)]
        missed += any(not interval.low <= 0.5 <= interval.high for interval in found)
    assert missed / 500 > 0.15


def test_means_are_covered_at_every_look() -> None:
    rng = np.random.default_rng(7)
    values, odds = np.array([0.0, 0.05, 0.1, 0.9]), [0.3, 0.4, 0.25, 0.05]
    truth = float(np.dot(values, odds))
    counts = np.stack([rng.multinomial(n, odds, size=STREAMS) for n in np.diff([0, *boundaries(MOST)])], axis=1)
    missed = 0
    for number, stream in enumerate(counts):
        sequence, out = Bernstein(TUNING), False
        for row, end in zip(stream, boundaries(MOST), strict=True):
            deviation = float(np.dot(row, (values - sequence.centre) ** 2))
            sequence.add(int(row.sum()), float(np.dot(row, values)), deviation)
            ruled_out = sequence.evidence(abs(sequence.total - sequence.n * truth)) >= 0
            if number < 20:
                interval = sequence.interval()
                assert ruled_out == (not interval.low <= truth <= interval.high)
            out |= is_look(end, MOST) and ruled_out
        missed += out
    assert missed / STREAMS <= 0.05


def tally(shares: np.ndarray, scores: list[np.ndarray]) -> Tally:
    """One side, its share of every game and the scores of every game's rounds, from 0 to 10."""
    points = np.array([int(rounds.sum()) for rounds in scores])
    entries = np.array([len(rounds) for rounds in scores])
    histogram = np.bincount(np.concatenate(scores), minlength=11).reshape(1, 11)
    totals = contract.blank(TOTALS)
    totals[0] = len(shares), 0, entries.sum(), (entries**2).sum(), 0
    moments = contract.blank(MOMENTS)
    moments[0] = shares.sum(), (shares**2).sum(), (points**2).sum(), (points * entries).sum()
    return Tally(("moves",), 0, totals, np.zeros(1, np.int64), moments, histogram.astype(np.int64))


def blank() -> Tally:
    return tally(np.zeros(0, np.int64), [np.zeros(0, np.int64)])


@pytest.mark.parametrize("rounds", [(1, 2), (3, 4), (1, 5)], ids=["one round", "three rounds", "some rounds"])
def test_scores_of_a_prefix_are_covered(rounds: tuple[int, int]) -> None:
    """One round a game, several, or as many as the game happens to have; 60 streams of 2,000 games."""
    rng = np.random.default_rng(8)
    missed = 0
    for _ in range(60):
        prefix, out, done = Prefix(1.0, blank()), False, 0
        for end in boundaries(2_000):
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
    assert missed <= 3


def test_looks_are_at_fixed_counts() -> None:
    assert list(looks(2_000)) == [1_000, 1_200, 1_440, 1_728, 2_000]
    assert list(looks(700)) == [700]
    assert boundaries(2_000)[:2] == [CENTRE, 1_000]
    assert boundaries(50) == [50]
    assert not is_look(CENTRE, 2_000)
    assert is_look(50, 50)


def test_an_interval_is_an_interval() -> None:
    for total, n in [(0, 1), (1, 1), (0, 1000), (1000, 1000), (0.5, 1), (3, 10**12), (5 * 10**11, 10**12)]:
        found = rate_sequence(total, n, TUNING)
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert found.low < found.high
    assert math.isnan(rate_sequence(0, 0, TUNING).value)


def test_precision_is_worth_its_games() -> None:
    """At most three times the games of an interval that may be looked at only once."""
    for rate in (0.5, 0.25, 0.1):
        once = 1.96**2 * rate * (1 - rate) / 0.003**2
        assert once < forecast(rate, 0.3, 10**12) < 3 * once


def test_games_left_open_count_as_won_at_the_high_end() -> None:
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
