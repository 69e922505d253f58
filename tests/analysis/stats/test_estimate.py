"""Estimates: arithmetic on intervals, and the one way in which they are written."""

from __future__ import annotations

import math

import pytest

from houle.analysis.result import flat, plain
from houle.analysis.stats.estimate import MISSING, PERCENT, POINTS, Estimate

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(0.29, 0.271, 0.311, 2000, PERCENT), "29.0% (27.1 to 31.1)"),
        (Estimate(0.29, 0.2895, 0.2905, 10**6, PERCENT), "29.00% (28.95 to 29.05)"),
        (Estimate(0.29, 0.1, 0.5, 20, PERCENT), "29% (10 to 50)"),
        (Estimate(0.000223, 0.000214, 0.000233, 10**7, PERCENT), "0.0223% (0.0214 to 0.0233)"),
        (Estimate(0.012, 0.004, 0.02, 900, POINTS), "+1.2 points (+0.4 to +2.0)"),
        (Estimate(-0.012, -0.02, 0.004, 900, POINTS), "-1.2 points (-2.0 to +0.4)"),
        (Estimate(-0.00001, -0.02, 0.02, 900, POINTS), "0 points (-2 to +2)"),
        (Estimate(1234.5, 1230.2, 1238.8, 90), "1,234 (1,230 to 1,239)"),
        (Estimate(7.0, 6.0, 8.0, 90), "7 (6 to 8)"),
        (Estimate(0.5, 0.5, 0.5, 90, PERCENT), "50.0%"),
        (Estimate(math.nan, 0.0, 1.0, 0, PERCENT), "unknown"),
        (Estimate(3.0, -math.inf, math.inf, 1), "unknown"),
    ],
)
def test_the_width_decides_the_digits(estimate: Estimate, text: str) -> None:
    assert estimate.text() == text
    assert estimate.digits >= 0
    assert estimate.short() == text.partition(" (")[0]


def test_shift_scale_and_widen() -> None:
    one = Estimate(0.3, 0.2, 0.5, 100, PERCENT)
    moved = one.shift(-0.25)
    assert (moved.value, moved.low, moved.high) == pytest.approx((0.05, -0.05, 0.25))
    swapped = one.scale(-1)
    assert (swapped.value, swapped.low, swapped.high, swapped.n) == (-0.3, -0.5, -0.2, 100)
    wider = one.widen(0.1, 0.2)
    assert (wider.low, wider.high) == pytest.approx((0.1, 0.7))
    assert one.half == pytest.approx(0.2)  # the wider side
    assert one.within(0.25, 0.4) == Estimate(0.3, 0.25, 0.4, 100, PERCENT)


def test_a_difference_of_shares_is_in_points() -> None:
    one, other = Estimate(0.5, 0.4, 0.6, 100, PERCENT), Estimate(0.2, 0.15, 0.3, 80, PERCENT)
    gap = one.difference(other)
    assert gap.unit == POINTS
    assert gap.n == 80
    assert (gap.low, gap.high) == pytest.approx((0.3 - math.hypot(0.1, 0.1), 0.3 + math.hypot(0.1, 0.05)))
    assert gap.differs
    assert not one.difference(one).differs


def test_frames_and_json_from_one_record() -> None:
    record = {
        "side": "seat 0",
        "seats": (0, 1),
        "win": Estimate(0.5, 0.4, math.inf, 100, PERCENT),
        "gain": MISSING,
        "first": {"low": Estimate(1.0, 0.0, 2.0, 9)},
        "histogram": {"3": 7},
        "parts": [{"a": math.nan}],
    }
    assert flat(record) == {
        "side": "seat 0", "seats": "0 1", "win": 0.5, "win_low": 0.4, "win_high": math.inf,
        "gain": None, "gain_low": None, "gain_high": None,
        "first_low": 1.0, "first_low_low": 0.0, "first_low_high": 2.0,
    }  # fmt: skip
    assert plain(record) == {
        "side": "seat 0", "seats": [0, 1], "win": {"value": 0.5, "low": 0.4, "high": None, "n": 100}, "gain": None,
        "first": {"low": {"value": 1.0, "low": 0.0, "high": 2.0, "n": 9}}, "histogram": {"3": 7},
        "parts": [{"a": None}],
    }  # fmt: skip
