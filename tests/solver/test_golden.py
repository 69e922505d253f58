"""Golden traces: the same seed still plays the same game, to the last card."""

from __future__ import annotations

import pytest

from houle.solver.rules import game_names
from tools import golden

pytestmark = pytest.mark.quick


@pytest.mark.compiled
@pytest.mark.parametrize("game", game_names())
def test_traces_are_unchanged(game: str) -> None:
    for setup in golden.setups(game):
        kept = golden.path(setup)
        assert kept.exists(), f"{kept.name} is missing; run `make golden`"
        assert golden.trace(setup) == kept.read_text(), f"{kept.name} differs; run `make golden` if that is intended"


def test_no_trace_is_left_over() -> None:
    expected = {golden.path(setup).name for game in game_names() for setup in golden.setups(game)}
    others = {"positions-0.4.0.txt"}  # texts of positions, which test_positions.py reads
    assert {path.name for path in golden.FOLDER.glob("*.txt")} == expected | others
