"""Parts of `make coverage` that need no games, with fewer runs."""

from __future__ import annotations

import pytest

from houle.analysis.measures.measures import estimate
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import play_arms
from houle.analysis.sampling.grid import grid_of_setups
from tests.coverage import designs
from tests.coverage.__main__ import FILE, LOOKS, cover, kept, page, replaced
from tests.coverage.cells import Cell, design_cells, left_open, open_deals, wins
from tests.support.toys import toy

pytestmark = pytest.mark.quick

RUNS = 300
CELLS = [
    Cell("win rate", "rare", 0.01, wins(0.01, 400)),
    Cell("win rate", "unresolved", 0.92, left_open),
    Cell("win rate", "unresolved, none of them won", 0.15, left_open),
    Cell("gain", "unresolved", 0.82, open_deals),
]


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: f"{cell.interval}, {cell.case}")
def test_intervals_hold_the_truth(cell: Cell) -> None:
    covered = cover(cell, RUNS, 5)
    assert covered.rate >= 0.915  # 93% less three standard errors
    assert covered.points == 0


def test_a_narrow_interval_is_detected() -> None:
    covered = cover(Cell("win rate", "off", 0.33, wins(0.3, 400)), RUNS, 5)
    assert covered.fault == "too narrow"


def test_page_follows_from_its_rows() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert page(kept(), text.partition(LOOKS)[2]) == text


def test_repeated_cells_replace_their_rows() -> None:
    rows = kept()
    changed = {**rows[3], "held": "12.3"}
    new = {**changed, "case": "new"}
    assert replaced(rows, [changed, new]) == [*rows[:3], changed, *rows[4:], new]


@pytest.mark.compiled
def test_known_truths_agree_with_played_games() -> None:
    for decisions, moves in ((9, 2), (24, 6)):
        setup = toy("guessed", decisions=decisions, moves=moves)
        played = play_arms(grid_of_setups([setup], ["random"]).arms, RunSpec(20_000, threads=1))
        for measure, (mean, deviation) in designs.known(decisions, moves).items():
            assert abs(estimate(played, 0, measure).value - mean) < 4 * deviation / 20_000**0.5, measure


@pytest.mark.compiled
def test_winners_of_a_few_designs_hold_the_truth() -> None:
    covered = cover(design_cells()[0], 8, 0)
    assert covered.held >= 6  # at 95% coverage fewer happen once in 200 times; the seed is fixed
    assert covered.points == 0


@pytest.mark.slow
def test_fresh_games_hold_the_truth() -> None:
    covered = [cover(cell, 200, 0) for cell in design_cells()]
    print(*(each.line for each in covered), sep="\n")
    assert not any(each.points for each in covered)
    assert min(covered[0].rate, covered[2].rate) >= 0.915  # fresh games
