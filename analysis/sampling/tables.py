"""What a comparison or a sweep is given: a grid, tables one by one, or a game's name."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from houle.analysis.sampling.alternatives import several
from houle.analysis.sampling.grid import Grid, grid, grid_of_setups
from houle.analysis.sampling.lineups import setup
from houle.solver.ruleset import Setup

TABLE = ("players", "variants", "set", "rules")  # keywords that named the tables in 0.1.0

Tables = Grid | Setup | str | Iterable[Setup | str]


def as_grid(
    tables: Tables,
    strategies: str | Iterable[str] | None,
    old: Mapping[str, Any],
    strict: bool = False,
) -> Grid:
    """What a comparison or sweep is given; `old`: keywords of 0.1.0, which still work for one release."""
    unknown = [name for name in old if name not in TABLE]
    if unknown or (old and not isinstance(tables, str)):
        raise TypeError(f"unknown argument {(unknown or list(old))[0]!r}")
    if isinstance(tables, str):
        if old:
            warnings.warn(
                'give the tables as houle.grid("game", players=...), not as keywords of their own',
                DeprecationWarning,
                stacklevel=3,
            )
        return grid(tables, strategies=strategies, strict=strict, **old)
    if isinstance(tables, Grid):
        return tables.seated(strategies)
    setups = [setup(table) if isinstance(table, str) else table for table in several(tables)]
    return grid_of_setups(setups, [] if strategies is None else several(strategies))
