"""How much the tests play and how long they wait, each from one place.

`HOULE_CASES` is a factor for the number of random games, positions and examples. The ordinary run has 1, and the
default counts are chosen so that `make test` ends in minutes. `make slow` has a larger factor.
"""

from __future__ import annotations

import os

import pytest

CASES = float(os.environ.get("HOULE_CASES", "1"))


def some(count: int) -> int:
    """So many games, positions or examples, times the factor of this run."""
    return max(1, round(count * CASES))


def rarely(every: int) -> int:
    """The distance between two plies that are compared: the larger the factor of this run, the closer they are."""
    return max(1, round(every / CASES))


def patience(seconds: float) -> float:
    """Seconds to wait before a test fails: longer if more programs run than there are cores."""
    return seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


MANY = 400


def repeated(few: int, many: int) -> pytest.MarkDecorator:
    """Gives a test the parameter `runs`; its twin with `many` runs is slow."""
    twin = pytest.param(many, marks=pytest.mark.slow)
    return pytest.mark.parametrize("runs", [some(few), twin])


def check_coverage(hits: int, runs: int, least: float, most: float = 1.0) -> None:
    """Check the share of intervals that hold the truth; the bounds of few runs are wider by one standard error."""
    spare = 0.0 if runs >= MANY else (0.05 * 0.95 / runs) ** 0.5
    assert least - spare <= hits / runs <= most + spare, f"{hits} of {runs} intervals hold the truth"
