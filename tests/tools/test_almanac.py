"""The almanac and the page of strength follow from their rows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from houle.solver.rules import game_names
from tools import strength
from tools.almanac import cells, findings, page

pytestmark = pytest.mark.compiled

DOCS = Path(__file__).parents[2] / "docs"


def test_page_follows_from_rows() -> None:
    assert (DOCS / "method" / "almanac.md").read_text() == page.page()


@pytest.mark.parametrize("game", game_names())
def test_every_game_has_findings_with_numbers(game: str) -> None:
    lines = findings.findings(game)
    assert findings.FINDINGS - 1 <= len(lines) <= findings.FINDINGS
    assert all(re.fullmatch(r"\d\. \*\*[^*]+\.\*\* .*\d.*\.", line) for line in lines), lines


@pytest.mark.parametrize(("edge", "words"), [(0.09, "much more"), (-0.03, "a little less"), (0.0, "hardly matters")])
def test_words_of_a_finding_follow_its_numbers(edge: float, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {name: row | seat(edge) if row["first_seat"] else row for name, row in cells.kept().items()}
    monkeypatch.setattr(findings, "kept", lambda: rows)
    assert words in findings.findings("land-unter")[0]


def seat(edge: float) -> dict[str, str]:
    """Columns of a row in which the first seat wins so much more than an equal share."""
    ends = {"first_seat": edge, "first_seat_low": edge - 0.01, "first_seat_high": edge + 0.01}
    return {name: str(value) for name, value in ends.items()}


def test_rows_are_cells_of_the_study() -> None:
    rows = cells.kept()
    assert {cells.key(cell) for cell in cells.all_cells()} >= rows.keys()
    digests = [row["digest"] for row in rows.values() if row["digest"]]
    assert len(set(digests)) == len(digests)


@pytest.mark.quick
def test_levels_are_shown_by_name() -> None:
    assert cells.shown_strategy("thumb") == "thumb"
    assert cells.shown_strategy("clairvoyant:10_000_000") == "clairvoyant"


@pytest.mark.quick
def test_page_follows_from_matchups() -> None:
    assert strength.PAGE.read_text() == strength.page()
    asked, rows = {one.key: one for one in strength.matchups()}, strength.kept()
    assert asked.keys() >= rows.keys()
    assert all(asked[key].is_current(row) for key, row in rows.items())
    assert {row["game"] for row in rows.values()} == set(game_names())


@pytest.mark.quick
def test_every_weaker_player_has_a_reason() -> None:
    rows = strength.kept()
    weaker = [one for one in strength.matchups() if one.key in rows and strength.verdict(rows[one.key]) == "weaker"]
    assert [one.key for one in weaker if not one.why] == []


@pytest.mark.compiled
def test_matchup_is_what_its_command_says() -> None:
    row = strength.played(strength.Matchup("wave", 3, below="random", player="thumb", deals=300, seed=5, why=""))
    assert row["command"] == "houle strength wave -p 3 -s random,thumb -n 300 --seed 5"
    assert strength.verdict(row) == "stronger"
    assert strength.verdict(row | {"gain_low": "-0.1"}) == "not shown"
    assert strength.verdict(row | {"gain_low": "-0.1", "gain_high": "-0.01"}) == "weaker"


@pytest.mark.compiled
def test_games_without_winner_are_no_loss() -> None:
    """Three thumbs of Vague Verte win less than a third each, because games end without a winner; that is no loss."""
    row = strength.played(strength.Matchup("vague-verte", 3, below="thumb", player="thumb", deals=300, seed=5, why=""))
    assert float(row["win_high"]) < 1 / 3
    assert float(row["gain"]) == pytest.approx(0, abs=1e-6)
    assert strength.verdict(row) == "not shown"
