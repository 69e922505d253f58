"""External games in studies: workers look for them in the same folders, and other code is refused."""

from __future__ import annotations

import pytest

from houle.analysis.studies.cell import Cell
from houle.analysis.studies.cluster import Needs, play_portable
from houle.analysis.studies.serialize import _line_up, cell_data, package_version, rules_code
from houle.solver.errors import StudyError
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup
from houle.solver.rules.game_folders import VARIABLE
from tests.support.toys.quay import FOLDER, make_known

pytestmark = pytest.mark.compiled


def test_a_worker_needs_the_game_and_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch)
    cell = cell_data(Cell(seat_strategies(make_setup("quay", 4), ("random",) * 4), 1, 5))
    needs = Needs(package_version("houle"), {"quay": rules_code("quay")}, ())
    monkeypatch.setenv(VARIABLE, "")
    _line_up.cache_clear()
    with pytest.raises(StudyError, match="unknown game 'quay'"):
        play_portable(needs, cell, 0, 5)
    there = needs._replace(game_paths=(str(FOLDER),))
    assert play_portable(there, cell, 0, 5).games == 5
    with pytest.raises(StudyError, match="its code for quay differs from yours"):
        play_portable(there._replace(codes={"quay": "other code"}), cell, 0, 5)
