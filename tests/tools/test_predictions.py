"""How predictions are checked: known points, sums of results, and where a point is placed."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from houle.analysis.players.plane import in_levels, point_number, points
from houle.analysis.stats.estimate import Estimate
from houle.solver.rules import make_setup
from tools.predictions.__main__ import mean_held, placed
from tools.predictions.groups import MOST_APART, POINTS, known_points
from tools.predictions.rates import FILE, Rates

pytestmark = pytest.mark.quick


def test_known_points_are_on_the_plane() -> None:
    assert len(known_points()) == POINTS
    apart = [slips - thought for slips, thought in (in_levels(*point) for point in known_points())]
    assert max(map(abs, apart)) <= MOST_APART + 0.1


def test_results_count_by_their_chances() -> None:
    """An interval that holds only after two wins of two parts holds as often as both win."""
    here: Any = SimpleNamespace(predicted=lambda _, won, __: Estimate(0.5, 0.4 if won == 2 else 0.6, 0.7, 1))
    part = np.array([0.7, 0.3])
    held, width = mean_held([part, part], [0.5], make_setup("wave", 3), here)
    assert held == pytest.approx(0.09)
    assert width == pytest.approx(0.09 * 0.3 + 0.91 * 0.1)


def test_a_certain_point_has_no_error() -> None:
    chances = np.zeros(len(points()))
    chances[point_number(2)] = 1
    assert placed(chances, np.array([2.0, 2.0]))[:3] == (0, 0, 1)
    slips, thought, held, _, error = placed(chances, np.array([1.0, 2.0]))
    assert (slips, thought, held, error) == (1, 0, 0, pytest.approx(np.sqrt(0.5)))


def test_kept_rates_are_not_played_again(tmp_path: Path) -> None:
    file = tmp_path / "rates.csv"
    file.write_text("game,players,setup,player,seed,games,wins\nwave,3,base game,thumb,42,5000,1000.0\n")
    assert Rates(file).of_group(make_setup("wave", 3), "thumb").value == 0.2
    assert Rates(FILE).known
