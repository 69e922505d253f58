"""Parts of `make coverage`: cells that need no games hold the truth as often as they say, on fewer runs."""

from __future__ import annotations

import pytest

from houle.analysis.comparison.measures import estimate
from houle.analysis.sampling.grid import grid_of_setups
from houle.analysis.sampling.paired import play_arms
from tests.coverage import designs
from tests.coverage.__main__ import cover
from tests.coverage.cells import Cell, deal_part, design_cells, left_open, open_deals, rare_odds, wins
from tests.support.toys import toy

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


def test_the_truth_of_artificial_designs_is_that_of_their_games() -> None:
    for decisions, moves in ((9, 2), (24, 6)):
        setup = toy("guessed", decisions=decisions, moves=moves)
        found = play_arms(grid_of_setups([setup], ["random"]).arms, 1, 20_000, 1)
        for measure, (mean, deviation) in designs.known(decisions, moves).items():
            assert abs(estimate(found, 0, measure).value - mean) < 4 * deviation / 20_000**0.5, measure


def test_winners_of_a_few_designs_are_shown_as_they_are() -> None:
    found = cover(design_cells()[0], 15, 0)
    assert found.held >= 12  # 95% of them hold; fewer than so many in one of 2,000 times
    assert found.points == 0


@pytest.mark.slow
def test_winners_hold_the_truth_on_fresh_games_and_not_where_luck_chose_them() -> None:
    found = [cover(cell, 200, 0) for cell in design_cells()]
    print(*(each.line for each in found), sep="\n")
    assert not any(each.points for each in found)
    assert min(found[0].rate, found[2].rate) >= 0.915  # fresh games
    assert found[3].rate < found[2].rate - 0.05  # those that chose, where no setting has what is wanted
