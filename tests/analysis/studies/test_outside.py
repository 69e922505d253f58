"""External games in studies: workers look for them in the same folders, and other code is refused."""

from __future__ import annotations

import pytest

from houle.analysis.studies.serialize import line_up_from, play_portable, rules_code, setup_text
from houle.solver.errors import StudyError
from houle.solver.rules import make_setup
from houle.solver.rules.game_folders import VARIABLE
from tests.support.toys.shed_by_hand import FOLDER, make_known

pytestmark = pytest.mark.compiled


def test_a_worker_needs_the_game_and_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    make_known(monkeypatch)
    setup = make_setup("shed", 3)
    chunk = (setup_text(setup), setup.digest, rules_code("shed"), ("random",) * 3, 1, 0, 5)
    monkeypatch.setenv(VARIABLE, "")
    line_up_from.cache_clear()
    with pytest.raises(StudyError, match="unknown game 'shed'"):
        play_portable(*chunk)
    assert play_portable(*chunk, (str(FOLDER),)).games == 5
    with pytest.raises(StudyError, match="its code for shed differs from yours"):
        play_portable(*chunk[:2], "other code", *chunk[3:], (str(FOLDER),))
