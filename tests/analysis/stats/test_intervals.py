"""Intervals agree with known values and scipy; estimates have one arithmetic and one way in which they are written."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from houle.analysis.result import flat, plain
from houle.analysis.stats.estimate import MISSING, PERCENT, POINTS, Estimate
from houle.analysis.stats.intervals import (
    ENDLESS,
    WHOLE_WIN,
    clopper_pearson,
    draw_rate,
    mean_score,
    normal_quantile,
    ratio,
    score_quantile,
    score_share,
    t_quantile,
    wilson,
    win_rate,
    with_prior,
)
from houle.solver.interface import WIN, blank
from houle.solver.run.tally import MOMENTS, TOTALS, Tally

pytestmark = pytest.mark.quick


def make_tally(scores: Any, shares: Any, rounds: Any = None, lowest: int = 0, width: int = 60) -> Tally:
    """A one-sided tally of synthetic games: `scores[i]` lists the entries of game i."""
    games = len(shares)
    entries = np.array([len(row) for row in scores]) if rounds is None else rounds
    sums = np.array([sum(row) for row in scores])
    flat = np.concatenate([np.asarray(row) for row in scores])
    totals, moments = blank(TOTALS), blank(MOMENTS)
    totals[0] = games, 0, entries.sum(), (entries**2).sum(), 0
    moments[0] = shares.sum(), (shares**2).sum(), (sums**2).sum(), (sums * entries).sum()
    histogram = np.bincount(flat - lowest, minlength=width)[None, :].astype(np.int64)
    return Tally(
        names=(), lowest=lowest, totals=totals, counts=np.zeros(0, np.int64), moments=moments, histogram=histogram
    )


@pytest.mark.parametrize(("hits", "n"), [(0, 10), (1, 10), (5, 10), (10, 10), (3, 2_000), (997, 1_000)])
def test_intervals_of_rates_agree_with_scipy(hits: int, n: int) -> None:
    for method, found in (("wilson", wilson(hits / n, n)), ("exact", clopper_pearson(hits, n))):
        expected = stats.binomtest(hits, n).proportion_ci(0.95, method=method)
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_ends_hold_the_estimate() -> None:
    for n in (1, 7, 10**6, 10**12):
        assert wilson(0.0, n).low == 0.0
        assert wilson(1.0, n).high == 1.0
        for rate in (0.0, 1 / 3, 1.0):
            found = wilson(rate, n)
            assert 0 <= found.low <= rate <= found.high <= 1
    assert math.isnan(wilson(0.0, 0).value)
    assert WHOLE_WIN == WIN  # intervals do not import kernels, so they repeat the number


def test_quantiles() -> None:
    assert normal_quantile() == pytest.approx(1.959963985, abs=1e-8)
    for freedom in (1, 2, 30, 5_000):
        assert t_quantile(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-9)
    # Where scipy is not used, the error is far below what is shown.
    assert t_quantile(ENDLESS + 1) == pytest.approx(stats.t.ppf(0.975, ENDLESS + 1), rel=2e-5)
    assert t_quantile(0) == math.inf


def test_mean_is_the_t_interval() -> None:
    scores = np.random.default_rng(1).integers(3, 20, 50)
    found = mean_score(make_tally(scores[:, None], np.zeros(50, int)), 0)
    low, high = stats.t.interval(0.95, 49, scores.mean(), stats.sem(scores))
    assert found.interval == Estimate(pytest.approx(scores.mean()), pytest.approx(low), pytest.approx(high), 50)
    assert found.sd == pytest.approx(scores.std(ddof=1))


def test_ratio_by_hand() -> None:
    """Two games: 3 points in 1 round, 5 points in 3. Residuals 1 and -1 around 2 a round."""
    found = ratio(2, (8, 4, 9 + 25, 3 + 15, 1 + 9))
    assert (found.value, found.n) == (2.0, 4)
    error = math.sqrt(2 / 1 * (1 + 1)) / 4
    assert found.half == pytest.approx(error * stats.t.ppf(0.975, 1))


def test_quantile_interval_has_wilsons_ranks() -> None:
    """Of 60 scores, 0 to 59, Wilson allows the ranks 23 to 38 for the median."""
    assert score_quantile(make_tally(np.arange(60)[:, None], np.zeros(60, int)), 0, 0.5) == Estimate(29, 22, 37, 60)


def test_intervals_stay_within_what_is_possible() -> None:
    single = mean_score(make_tally([[7]], np.array([840]), lowest=2, width=10), 0)
    assert single.interval == Estimate(7.0, 2.0, 11.0, 1)
    assert math.isnan(single.sd)


def test_an_empty_tally_gives_no_estimate() -> None:
    empty = Tally(
        names=(),
        lowest=0,
        totals=blank(TOTALS),
        counts=np.zeros(0, np.int64),
        moments=blank(MOMENTS),
        histogram=np.zeros((1, 5), np.int64),
    )
    assert math.isnan(mean_score(empty, 0).interval.value)
    assert (win_rate(empty, 0).low, win_rate(empty, 0).high) == (0.0, 1.0)
    assert draw_rate(empty).n == 0


def test_large_sums_lose_no_precision() -> None:
    """A trillion games that score 1000 or 1001: the spread is far below the rounding of squared sums."""
    n = 10**12
    points = n // 2 * 2001
    squares = n // 2 * (1000**2 + 1001**2)
    found = ratio(n, (points, n, squares, points, n))
    assert found.half == pytest.approx(0.5 * normal_quantile() / math.sqrt(n), rel=1e-6)


def test_a_constant_mean_still_has_an_interval() -> None:
    """All of 100 games score 7 of 0 to 59: another score may be so rare that 100 games miss it 1 time in 20."""
    found = mean_score(make_tally(np.full((100, 1), 7), np.full(100, 840)), 0).interval
    missed = 1 - 0.05 ** (1 / 100)
    assert found.value == 7
    assert found.low == pytest.approx(7 * (1 - missed))
    assert found.high == pytest.approx(7 + missed * 52)
    same = with_prior(Estimate(600.0, 600.0, 600.0, 100), 100)
    assert (same.low, same.high) == pytest.approx((600 * (1 - missed), 600 * (1 + missed)))
    none = with_prior(Estimate(0.0, 0.0, 0.0, 100), 100)
    assert none.high == pytest.approx(missed)
    varied = Estimate(3.0, 2.0, 4.0, 100)
    assert with_prior(varied, 100) is varied


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(0.29, 0.271, 0.311, n=2000, unit=PERCENT), "29.0% (27.1 to 31.1)"),
        (Estimate(0.29, 0.2895, 0.2905, n=10**6, unit=PERCENT), "29.00% (28.95 to 29.05)"),
        (Estimate(0.29, 0.1, 0.5, n=20, unit=PERCENT), "29% (10 to 50)"),
        (Estimate(0.000223, 0.000214, 0.000233, n=10**7, unit=PERCENT), "0.0223% (0.0214 to 0.0233)"),
        (Estimate(0.012, 0.004, 0.02, n=900, unit=POINTS), "+1.2 points (+0.4 to +2.0)"),
        (Estimate(-0.012, -0.02, 0.004, n=900, unit=POINTS), "-1.2 points (-2.0 to +0.4)"),
        (Estimate(-0.00001, -0.02, 0.02, n=900, unit=POINTS), "0 points (-2 to +2)"),
        (Estimate(1234.5, 1230.2, 1238.8, 90), "1,234 (1,230 to 1,239)"),
        (Estimate(7.0, 6.0, 8.0, 90), "7 (6 to 8)"),
        (Estimate(0.5, 0.5, 0.5, n=90, unit=PERCENT), "50.0%"),
        (Estimate(math.nan, 0.0, 1.0, n=0, unit=PERCENT), "unknown"),
        (Estimate(3.0, -math.inf, math.inf, 1), "unknown"),
    ],
)
def test_the_width_decides_the_digits(estimate: Estimate, text: str) -> None:
    assert estimate.text() == text
    assert estimate.digits >= 0
    assert estimate.short() == text.partition(" (")[0]


def test_frames_and_json_from_one_record() -> None:
    record = {
        "side": "seat 0",
        "seats": (0, 1),
        "win": Estimate(0.5, 0.4, math.inf, n=100, unit=PERCENT),
        "gain": MISSING,
        "first": {"low": Estimate(1.0, 0.0, 2.0, 9)},
        "histogram": {"3": 7},
        "parts": [{"a": math.nan}],
    }
    assert flat(record) == {
        "side": "seat 0",
        "seats": "0 1",
        "win": 0.5,
        "win_low": 0.4,
        "win_high": math.inf,
        "gain": None,
        "gain_low": None,
        "gain_high": None,
        "first_low": 1.0,
        "first_low_low": 0.0,
        "first_low_high": 2.0,
    }
    assert plain(record) == {
        "side": "seat 0",
        "seats": [0, 1],
        "win": {"value": 0.5, "low": 0.4, "high": None, "n": 100},
        "gain": None,
        "first": {"low": {"value": 1.0, "low": 0.0, "high": 2.0, "n": 9}},
        "histogram": {"3": 7},
        "parts": [{"a": None}],
    }


def test_shared_wins_have_narrower_intervals() -> None:
    """Shares of 1, 1/2 and 0 vary less than wins."""
    shared, whole = (
        win_rate(make_tally(np.zeros((150, 1), int), np.tile([0, 420, 420, 420, 840], 30)), 0),
        wilson(0.5, 150),
    )
    assert 0.5 < shared.half / whole.half < 0.8


def test_equal_rounds_of_a_game_count_once() -> None:
    scores = np.random.default_rng(6).integers(0, 10, 100)
    found = score_share(make_tally(np.repeat(scores[:, None], 4, axis=1), np.zeros(100, int)), 0, 5, None)
    assert found.n == 400
    assert found.half == pytest.approx(wilson(np.mean(scores >= 5), 100).half, rel=0.01)


def test_a_difference_of_shares_is_in_points() -> None:
    one, other = Estimate(0.5, 0.4, 0.6, n=100, unit=PERCENT), Estimate(0.2, 0.15, 0.3, n=80, unit=PERCENT)
    gap = one.difference(other)
    assert gap.unit == POINTS
    assert gap.n == 80
    assert (gap.low, gap.high) == pytest.approx((0.3 - math.hypot(0.1, 0.1), 0.3 + math.hypot(0.1, 0.05)))
    assert gap.differs
    assert not one.difference(one).differs
