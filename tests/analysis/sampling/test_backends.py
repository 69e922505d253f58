"""Chunks of games: scores that the declared range does not cover are refused."""

from __future__ import annotations

import numpy as np
import pytest

from houle.analysis.sampling.backends import check_scores
from houle.solver.errors import RulesError
from tests.support.synthetic import SETUP, played, rows_of

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("counted", "allowed"),
    [
        pytest.param([3, 5, 5], True, id="as scored"),
        pytest.param([3, 5], False, id="written beside the table"),
        pytest.param([3, 5, 7], False, id="counted as another score"),
    ],
)
def test_scores_outside_the_range_are_refused(counted: list[int], allowed: bool) -> None:
    tally = played([rows_of(np.zeros(3, np.int64), np.array([3, 5, 5]))]).tally(0)
    tally.histogram[0] = np.bincount(counted, minlength=tally.histogram.shape[1])
    if allowed:
        check_scores(SETUP, tally)
        return
    low, high = SETUP.score_range
    with pytest.raises(RulesError, match=f"wave: scores are not within {low} to {high}, the declared range"):
        check_scores(SETUP, tally)
