"""What the studio says under a rule: the step that helps toward the target, where games show one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from houle.analysis.measures.goal import Goal
from houle.analysis.stats.estimate import POINTS, Estimate
from houle.cli.studio.answers import hint
from houle.solver.rules import make_setup

pytestmark = pytest.mark.quick


def effect(value: float, half: float) -> Estimate:
    return Estimate(value, value - half, value + half, 200, POINTS)


def changes(down: Estimate, up: Estimate) -> Any:
    """A rule with two steps, of which one lowers wins; those whose sign is known."""
    known = [(step, by) for step, by in (("hand=2", down), ("hand=4", up)) if by.differs]
    return SimpleNamespace(goal=Goal(make_setup("wave", 3)), steps=lambda rule: known, idle=lambda rule: False)


def test_hints_say_what_helps() -> None:
    both = changes(effect(-0.04, 0.01), effect(0.06, 0.02))
    assert hint(both, "hand", 1) == "hand=4: +6 percentage points (+4 to +8), toward the target"
    assert hint(both, "hand", -1) == "hand=2: -4.0 percentage points (-5.0 to -3.0), toward the target"
    assert hint(both, "hand", 0) == "hand=4: +6 percentage points (+4 to +8)"


def test_hints_say_that_nothing_helps() -> None:
    worse = changes(effect(-0.04, 0.01), effect(0.01, 0.02))
    assert hint(worse, "hand", 1) == "hand=2: -4.0 percentage points (-5.0 to -3.0), away from the target"
    unknown = changes(effect(-0.01, 0.02), effect(0.01, 0.02))
    assert hint(unknown, "hand", 1) == ""
