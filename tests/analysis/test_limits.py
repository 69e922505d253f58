"""Limits of the numbers a user can give."""

from __future__ import annotations

import pytest

from houle.analysis.limits import check_int
from houle.solver.errors import InputError

pytestmark = pytest.mark.quick


def test_whole_numbers_have_two_limits() -> None:
    assert [check_int("games", number, 1, 10) for number in (1, 10, 3.0)] == [1, 10, 3]
    for number in (0, 11, 2.5, True):
        with pytest.raises(InputError, match="is not allowed; allowed: a whole number from 1 to 10"):
            check_int("games", number, 1, 10)
