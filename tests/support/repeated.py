"""Coverage of intervals by repeated runs with a fixed seed: few in the ordinary tests, many in the slow ones."""

from __future__ import annotations

import pytest

from tests.support.amounts import some

MANY = 400


def repeated(few: int, many: int) -> pytest.MarkDecorator:
    """Gives a test the parameter `runs`; its twin with `many` runs is slow."""
    twin = pytest.param(many, marks=pytest.mark.slow)
    return pytest.mark.parametrize("runs", [some(few), twin])


def check_coverage(hits: int, runs: int, least: float, most: float = 1.0) -> None:
    """Check the share of intervals that hold the truth; the bounds of few runs are wider by one standard error."""
    spare = 0.0 if runs >= MANY else (0.05 * 0.95 / runs) ** 0.5
    assert least - spare <= hits / runs <= most + spare, f"{hits} of {runs} intervals hold the truth"
