"""Tallies of chunks add up to the tally of all their games."""

from __future__ import annotations

import pytest

from houle.solver.rules import make_setup
from houle.solver.run.tally import Tally, columns

pytestmark = pytest.mark.quick


def test_every_number_of_two_tallies_is_added() -> None:
    both = [Tally.empty(make_setup("wave", 3)) for _ in range(2)]
    parts = [(columns(one.totals), one.counts, columns(one.moments), one.histogram) for one in both]
    for number, arrays in enumerate(parts, 1):
        for array in arrays:
            array[:] = number
    both[0].add(both[1])
    assert all(array.size and (array == 3).all() for array in parts[0])
    assert all((array == 2).all() for array in parts[1])
