"""docs/method/strength.md follows from its matchups, and each matchup is what its command says."""

from __future__ import annotations

import pytest

from houle.solver.rules import game_names
from tools import strength

pytestmark = pytest.mark.quick


def test_page_follows_from_matchups() -> None:
    assert strength.PAGE.read_text() == strength.page()
    asked, rows = {one.key: one for one in strength.matchups()}, strength.kept()
    assert asked.keys() >= rows.keys()
    assert all(asked[key].is_current(row) for key, row in rows.items())
    assert {row["game"] for row in rows.values()} == set(game_names())


def test_every_weaker_player_has_a_reason() -> None:
    rows = strength.kept()
    weaker = [one for one in strength.matchups() if one.key in rows and strength.verdict(rows[one.key]) == "weaker"]
    assert [one.key for one in weaker if not one.why] == []


@pytest.mark.compiled
def test_matchup_is_what_its_command_says() -> None:
    row = strength.played(strength.Matchup("wave", 3, "random", "thumb", 300, 5, ""))
    assert row["command"] == "houle strength wave -p 3 -s random,thumb -n 300 --seed 5"
    assert strength.verdict(row) == "stronger"
    assert strength.verdict(row | {"gain_low": "-0.1"}) == "not shown"
    assert strength.verdict(row | {"gain_low": "-0.1", "gain_high": "-0.01"}) == "weaker"


@pytest.mark.compiled
def test_games_without_winner_are_no_loss() -> None:
    """Three thumbs of Vague Verte win less than a third each, because games end without a winner; that is no loss."""
    row = strength.played(strength.Matchup("vague-verte", 3, "thumb", "thumb", 300, 5, ""))
    assert float(row["win_high"]) < 1 / 3
    assert float(row["gain"]) == pytest.approx(0, abs=1e-6)
    assert strength.verdict(row) == "not shown"
