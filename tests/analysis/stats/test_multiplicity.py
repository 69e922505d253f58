"""Multiple comparisons: the rate of false "certain" differences stays at that of a single interval."""

from __future__ import annotations

import math

import numpy as np
import pytest

from houle.analysis.stats.differences import holm, near_end, p_value, standing
from houle.analysis.stats.estimate import Estimate

pytestmark = pytest.mark.quick


def around(value: float, error: float) -> Estimate:
    return Estimate(value, value - 1.96 * error, value + 1.96 * error, 100)


def test_p_values_are_those_of_the_interval() -> None:
    assert p_value(around(1.96, 1.0)) == pytest.approx(0.05, abs=1e-3)
    assert p_value(around(-1.96, 1.0)) == pytest.approx(0.05, abs=1e-3)
    assert p_value(Estimate(2.0, 0.04, 30.0, 9)) == pytest.approx(p_value(around(2.0, 1.0)), rel=1e-2)
    assert p_value(Estimate(0.0, -1.0, 1.0, 9)) == p_value(Estimate(math.nan, -math.inf, math.inf, 0)) == 1
    assert near_end(Estimate(-3.0, -5.0, -1.0, 9)) == 1
    assert near_end(Estimate(-3.0, -7.0, 1.0, 9)) == -1


def test_holm_steps_down() -> None:
    """The example of Holm (1979) in its usual form: 0.01, 0.04, 0.03, 0.005 of four."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert standing([around(9, 1), None, around(1, 1)]) == [True, False, False]


def test_44_null_differences_raise_few_alarms() -> None:
    draws = np.random.default_rng(2)
    runs = 600
    values = draws.normal(size=(runs, 44))
    alarms = sum(any(standing([around(value, 1.0) for value in row])) for row in values)
    alone = sum(bool((abs(row) > 1.96).any()) for row in values)
    assert alarms / runs < 0.085
    assert alone / runs > 0.8
