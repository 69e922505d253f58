"""The page of ladders: made of its rungs, each of which is what its command says."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from houle.solver.ruleset import game_names

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def strengths(monkeypatch: pytest.MonkeyPatch) -> Any:
    """docs/ladders.py, which is no part of the package."""
    monkeypatch.syspath_prepend(DOCS)
    return importlib.import_module("ladders")


def test_the_page_is_made_of_its_rungs(strengths: Any) -> None:
    assert (DOCS / "ladders.md").read_text() == strengths.page()
    asked, rows = {one.key: one for one in strengths.asked()}, strengths.kept()
    assert asked.keys() >= rows.keys()
    assert all(asked[key].stands(row) for key, row in rows.items())
    assert {row["game"] for row in rows.values()} == set(game_names())


def test_a_reason_is_given_for_every_rung_that_is_worse(strengths: Any) -> None:
    rows = strengths.kept()
    worse = [one for one in strengths.asked() if one.key in rows and strengths.verdict(rows[one.key]) == "below"]
    assert [one.key for one in worse if not one.why] == []


def test_a_rung_is_what_its_command_says(strengths: Any) -> None:
    row = strengths.played(strengths.Asked("wave", 3, "random", "thumb", 300, 5, ""))
    assert row["command"] == "houle strength wave -p 3 -s random,thumb -n 300 --seed 5"
    assert strengths.verdict(row) == "above"
    assert strengths.verdict(row | {"gain_low": "-0.1"}) == "not shown"
    assert strengths.verdict(row | {"gain_low": "-0.1", "gain_high": "-0.01"}) == "below"


def test_what_nobody_wins_is_no_loss(strengths: Any) -> None:
    """Three thumbs of Vague Verte win less than a third each, because games end without a winner: none is worse."""
    row = strengths.played(strengths.Asked("vague-verte", 3, "thumb", "thumb", 300, 5, ""))
    assert float(row["win_high"]) < 1 / 3
    assert float(row["gain"]) == pytest.approx(0, abs=1e-6)
    assert strengths.verdict(row) == "not shown"
