"""Parts of `make coverage`: cells that need no games hold the truth as often as they say, on fewer runs."""

from __future__ import annotations

import pytest

from tests.coverage.__main__ import cover
from tests.coverage.cells import Cell, deal_part, left_open, open_deals, rare_odds, wins

RUNS = 300
CELLS = [
    Cell("win rate", "rare", 0.01, wins(0.01, 400)),
    Cell("win rate", "unresolved", 0.92, left_open),
    Cell("win rate", "unresolved, none of them won", 0.15, left_open),
    Cell("gain", "unresolved", 0.82, open_deals),
    Cell("odds", "rare", (0.015 / 0.985) / (0.007 / 0.993), rare_odds),
    Cell("common", "half", 0.5, deal_part(0.5)),
]


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.interval}, {cell.case}")
def test_intervals_hold_the_truth(cell: Cell) -> None:
    found = cover(cell, RUNS, 5)
    assert found.rate >= 0.915  # 93% less three errors of so few runs
    assert found.points == 0


def test_an_interval_that_is_too_narrow_is_found() -> None:
    found = cover(Cell("win rate", "off", 0.33, wins(0.3, 400)), RUNS, 5)
    assert found.fault == "too narrow"
