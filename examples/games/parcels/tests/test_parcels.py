"""Parcels passes `houle check`, compiled too."""

from pathlib import Path

from houle.analysis.checks.check import FAILED, check_game
from houle.solver.rules.game_folders import look_in


def test_game_passes_all_checks() -> None:
    look_in(Path(__file__).parents[1] / "parcels")
    assert [one for one in check_game("parcels") if one.verdict == FAILED] == []
