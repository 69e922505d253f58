"""A design log keeps every version and draws them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from houle.analysis.difficulty.difficulty import Difficulty
from houle.reports.design_log import entries_of, files, keep, read
from houle.solver.errors import InputError
from houle.solver.rules import make_setup
from tests.support.synthetic import played, rows_of

pytestmark = pytest.mark.quick


def version(won: int, **changes: int) -> Difficulty:
    setup = make_setup("wave", 3, (), {name.replace("_", "."): value for name, value in changes.items()})
    wins = [rows_of(np.arange(100) < part, np.zeros(100, np.int64)) for part in (won, 2 * won)]
    return Difficulty(setup, (played(wins, labels=["family", "seasoned"], setups=[setup] * 2),), (), (100, 100))


def test_log_keeps_and_draws_every_version(tmp_path: Path) -> None:
    name = str(tmp_path / "my-game")
    for won, changes in ((10, {"hand_back": 3}), (20, {"hand_back": 4})):
        kept = keep(name, entries_of(version(won, **changes), "houle difficulty wave"))
    assert kept == list(files(name))
    entries = read(kept[0])
    assert [entry["name"] for entry in entries] == ["hand.back=3", "hand.back=4"]
    assert entries[1]["changes"] == ["two cards more at the back"]
    assert [entry["values"]["family"]["value"] for entry in entries] == [0.1, 0.2]
    drawn = kept[1].read_text()
    assert all(words in drawn for words in ("hand.back=3", "hand.back=4", "seasoned"))


def test_foreign_lines_are_refused(tmp_path: Path) -> None:
    log = tmp_path / "my-game.log.jsonl"
    log.write_text('{"measure": 1}\n')
    with pytest.raises(InputError, match="line 1: no entry of a design log"):
        read(log)
