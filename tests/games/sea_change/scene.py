"""Cards of SEA CHANGE in hand-made positions."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from houle.solver.games.sea_change.rules import COLOURS, MAX_VALUES


def card(name: str) -> int:
    colour, value = name.split()
    return COLOURS.index(colour) * MAX_VALUES + int(value)


def words(names: Iterable[str]) -> list[np.uint64]:
    """Cards as a set of a state, in two words."""
    bits = sum(1 << card(name) for name in names)
    return [np.uint64(bits & (1 << 64) - 1), np.uint64(bits >> 64)]
