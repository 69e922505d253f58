"""How much the tests play and how long they wait, each from one place.

`HOULE_CASES` is a factor for the number of random games, positions and examples. The ordinary run has 1, and the
default counts are chosen so that `make test` ends in minutes. `make slow` has a larger factor.
"""

from __future__ import annotations

import os

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
