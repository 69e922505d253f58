"""Weighted sums of features: the compiled form agrees with plain whole numbers."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from houle.solver.cards.weighted_sum import weighing
from houle.solver.interface import MAX_FEATURES

pytestmark = pytest.mark.compiled

MOST = 2**31 - 1


@pytest.mark.parametrize("width", [0, 5, MAX_FEATURES])
def test_weighted_sums_are_exact(width: int) -> None:
    weigh = weighing(width)

    @numba.njit
    def weighed(weights, table, row):  # type: ignore[no-untyped-def]
        return weigh(0, weights, table, row)

    weights = np.zeros(MAX_FEATURES, np.int64)
    weights[:width] = np.random.default_rng(1).integers(-MOST, MOST, width)
    table = np.random.default_rng(2).integers(-MOST, MOST, (3, MAX_FEATURES))
    table[1] = -MOST
    for row in range(len(table)):
        wanted = sum(int(weight) * int(value) for weight, value in zip(weights, table[row], strict=True))
        assert weighed(weights, table, row) == (wanted + 2**63) % 2**64 - 2**63
