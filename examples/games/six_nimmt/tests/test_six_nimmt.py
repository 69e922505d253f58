"""6 nimmt!: the invariants of every game, the heads of the deck, and random rounds against a simulator of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from houle.analysis.checks.check import FAILED, check_game
from houle.analysis.players.line_ups import line_up, setup
from houle.solver.rules.game_folders import look_in
from houle.solver.run.playout import play_chunk

sys.path.append(str(Path(__file__).parent))
from searches import lines
from simulator import HEADS, mean_heads

look_in(Path(__file__).parents[1] / "six_nimmt")
ROUNDS = 100_000


def test_invariants_hold() -> None:
    assert [check for check in check_game("six-nimmt", range(2, 11), 1) if check.verdict == FAILED] == []


def test_the_deck_has_171_heads() -> None:
    heads_of = sys.modules[setup("six-nimmt").game.package].heads_of
    assert [heads_of(card - 1) for card in range(1, 105)] == HEADS[1:].tolist()
    assert HEADS.sum() == 171


def test_searches_decide_the_same_without_the_compiler() -> None:
    words = [sys.executable, str(Path(__file__).parent / "searches.py")]
    run = subprocess.run(
        words, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines() == lines()


@pytest.mark.parametrize("too_low", ["choice", "fewest"])
@pytest.mark.parametrize("players", range(2, 11))
def test_random_rounds_take_as_many_heads(players: int, too_low: str) -> None:
    """The means of all seats differ by less than 4.5 standard errors."""
    ours = setup("six-nimmt", players=players, variants="round", set={"too_low": too_low})
    tally = play_chunk(line_up(ours, "random"), 1, 0, ROUNDS)
    total = sum(int(number) * (tally.lowest + i) for row in tally.histogram for i, number in enumerate(row))
    mean, error = mean_heads(players, too_low == "choice", ROUNDS, 5)
    assert abs(total / ROUNDS / players - mean) < 4.5 * error * 2**0.5
