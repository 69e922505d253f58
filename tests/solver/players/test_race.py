"""The race at the root of searches: forbidden moves are not planned, and caution keeps the thumb's move."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from houle.solver.matches.match import Match
from houle.solver.players.player import seat_strategies
from houle.solver.rules import make_setup

pytestmark = pytest.mark.compiled

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("strategy", ["flat:2", "ismcts:16"])
def test_searches_plan_no_forbidden_moves_of_their_own(strategy: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.support.planning", "land-unter", strategy, "high", "3"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    made = json.loads(run.stdout)
    assert made["own"] > 50
    assert "own by choice" not in made
    assert made["own forced"] > 0  # nothing else was left in the hand
    assert made["others by choice"] > 0


@pytest.mark.parametrize("strategy", ["flat:30", "ismcts:90"])
def test_caution_without_end_is_the_thumb(strategy: str) -> None:
    setup = make_setup("wave", 3)
    thumb, bold, careful = (
        seat_strategies(setup, [text]) for text in ("thumb", strategy, f"{strategy}[caution=1000000]")
    )
    departed = 0
    for game in range(6):
        match = Match(setup, 7, game)
        while (seat := match.to_move()) >= 0:
            if len(match.moves()) > 1:
                choices = [match.seen(match.decide(line_up, 5), seat) for line_up in (thumb, bold, careful)]
                assert choices[2] == choices[0]
                departed += choices[1] != choices[0]
            match.apply(match.random_move())
    assert departed > 3
