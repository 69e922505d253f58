"""The Game: the laws that every game obeys, and the kernels beside the plain version."""

from pathlib import Path

from houle.analysis.checks.check import FAILED, check_game
from houle.solver.ruleset.homes import look_in


def test_the_laws_hold() -> None:
    look_in(Path(__file__).parents[1] / "the_game")
    assert [one for one in check_game("the-game") if one.verdict == FAILED] == []
