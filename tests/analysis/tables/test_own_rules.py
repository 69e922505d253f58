"""A game of the user's own has no rulebook that could leave a rule open."""

from __future__ import annotations

from pathlib import Path

import pytest

import houle
from houle.analysis.tables.readings import turns_of
from houle.cli.commands.rules import MEANINGS
from houle.solver.rules.rules_file import read_rules
from tests.support.call import good

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("compiled", [False, True])
def test_own_games_leave_no_rule_open(compiled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("houle.solver.plain.as_game.JIT", False)  # as in a process that was started for a class
    good("new", "tide-pool", *(["--compiled"] if compiled else []))
    file = next(tmp_path.rglob("rules.toml" if compiled else "tide_pool.py"))
    ruleset = read_rules("tide-pool", file) if compiled else houle.setup(str(file)).ruleset
    assert ruleset.knobs
    assert {knob.provenance for knob in ruleset.knobs.values()} <= MEANINGS.keys()
    assert list(turns_of(ruleset, 3)) == []
