"""How long a grid will take: a few games of every kind of cell, timed, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from houle.analysis.sampling.grid import Arm
from houle.analysis.studies.cells import Cell, measure
from houle.solver.strategies.player import THUMB


def expected_seconds(arms: Sequence[Arm], games: int, seed: int, threads: int) -> float:
    """Wall time of so many games of every arm on so many threads.

    Cells that search cost seconds to try: of those that differ in knobs alone, one stands for all.
    """
    rates: dict[tuple[object, ...], float] = {}
    total = 0.0
    for number, arm in enumerate(arms):
        kind: tuple[object, ...] = (arm.setup.players, arm.setup.variants, arm.strategies)
        if arm.line_up.level <= THUMB:
            kind = (number,)
        if kind not in rates:
            rates[kind] = measure(Cell(arm.setup, arm.strategies, seed, games)).rate
        total += games / rates[kind]
    return total / threads
