"""The Game: the invariants of every game, and the compiled game against the plain one."""

from pathlib import Path

from houle.analysis.checks.check import FAILED, check_game
from houle.solver.rules.game_folders import look_in


def test_invariants_hold() -> None:
    look_in(Path(__file__).parents[1] / "the_game")
    assert [check for check in check_game("the-game") if check.verdict == FAILED] == []
