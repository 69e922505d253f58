"""Knobs accept what their entry in rules.toml allows, and nothing else."""

from __future__ import annotations

import pytest

from houle.solver.errors import KnobError
from houle.solver.rules import load

pytestmark = pytest.mark.quick


def test_lists_have_a_greatest_length() -> None:
    heights = load("wave").knobs["heights"]
    longest = [1] * heights.most
    assert heights.check(longest) == longest
    with pytest.raises(KnobError, match=f"allowed: a list of at most {heights.most} whole numbers"):
        heights.check([*longest, 1])
