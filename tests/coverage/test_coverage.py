"""`make coverage` with fewer runs and games."""

from __future__ import annotations

import pytest

from houle.analysis.measures.measures import estimate
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import play_arms
from houle.analysis.sampling.grid import grid_of_setups
from tests.coverage import designs
from tests.coverage.__main__ import FILE, LOOKS, cover, kept, page
from tests.coverage.cells import Cell, design_cells, left_open, usual_cells, wins
from tests.support.toys import toy

pytestmark = pytest.mark.quick

RUNS = 300


@pytest.mark.compiled
def test_intervals_hold_the_truth() -> None:
    """Of every kind but levels of openings and designs, which take longer."""
    none_won = Cell("win rate", "unresolved deals, none of them won", 0.15, left_open)
    covered = [cover(cell, RUNS, 5) for cell in (*usual_cells(fewer=10), none_won)]
    assert len({one.cell.interval for one in covered}) >= 10
    assert [one.row for one in covered if one.rate < 0.915] == []  # 93% less a standard error
    assert [one.row for one in covered if one.rate > 0.99 and not one.cell.conservative] == []
    assert [one.row for one in covered if one.points and not one.cell.whole] == []


def test_a_narrow_interval_is_detected() -> None:
    covered = cover(Cell("win rate", "off", 0.33, wins(0.3, 400)), RUNS, 5)
    assert covered.fault == "too narrow"


def test_page_follows_from_its_rows() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert page(kept(), text.partition(LOOKS)[2]) == text


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
