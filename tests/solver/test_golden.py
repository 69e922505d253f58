"""Golden traces: the same seed still plays the same game, to the last card."""

from __future__ import annotations

import pytest

from houle.solver.ruleset import game_names
from tests.support import golden


@pytest.mark.parametrize("game", game_names())
def test_traces_are_as_they_were(game: str) -> None:
    for setup in golden.tables(game):
        kept = golden.path(setup)
        assert kept.exists(), f"{kept.name} is missing: make golden"
        assert golden.trace(setup) == kept.read_text(), f"{kept.name} differs; if that is meant: make golden"


def test_no_trace_is_left_over() -> None:
    expected = {golden.path(setup).name for game in game_names() for setup in golden.tables(game)}
    assert {path.name for path in golden.FOLDER.glob("*.txt")} == expected
