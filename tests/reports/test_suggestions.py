"""Suggestions in the report of your own variant: small changes that make it easier or harder."""

from __future__ import annotations

import pytest

import houle
from houle.analysis.run_options import RunSpec
from houle.reports.blocks import Section, every_block
from houle.reports.context import make_context
from houle.reports.effort import Effort, load_effort
from houle.reports.sections.suggestions import MOST_SHOWN, fill
from houle.solver.rules import Setup
from tests.support.made_reports import TINY

pytestmark = pytest.mark.quick

OWN = houle.setup("wave", players=3, set={"hand.front": 2, "hand.back": 3})
FEW = Effort("few", TINY.counts | {"suggestions_games": 30_000, "suggestions_fresh": 2_000})
MANY = Effort("many", TINY.counts | {"suggestions_games": 60_000, "suggestions_fresh": 4_000})


def rows(section: Section) -> list[list[object]]:
    return [row for block in every_block(section.blocks) if block["kind"] == "table" for row in block["rows"]]


def made(setup: Setup, effort: Effort = FEW) -> Section:
    section = Section("suggestions", "Suggestions")
    fill(make_context([setup], effort, RunSpec(seed=1)), section)
    return section


@pytest.mark.slow
@pytest.mark.parametrize(("effort", "least"), [(FEW, 0.0), (MANY, 0.02)])
def test_own_variant_has_suggestions_both_ways(effort: Effort, least: float) -> None:
    section = made(OWN, effort)
    assert [block["kind"] for block in section.blocks] == ["text", "text", "fold"]
    now, *changes = rows(section)
    assert now[0] == "as it is"
    for way, sign in (("easier", 1), ("harder", -1)):
        mine = [row for row in changes if row[1] == way]
        assert 0 < len(mine) <= MOST_SHOWN
        assert all(sign * (row[2]["value"] - now[2]["value"]) > least for row in mine)  # type: ignore[index]
        assert section.results[way].found
    assert [command.split()[:2] for command in section.repeat] == [["houle", "design"]] * 2


def test_printed_rules_and_quick_reports_have_none() -> None:
    assert not made(houle.setup("wave", players=3)).blocks
    assert not made(OWN, load_effort("quick", "wave")).blocks
    assert "suggestions_games" in load_effort("normal", "wave").counts


@pytest.mark.slow
def test_competitive_games_get_longer_and_shorter() -> None:
    section = made(houle.setup("vague-verte", players=2, set={"road": 6}), TINY)
    assert {str(row[1]) for row in rows(section)} <= {"", "longer", "shorter"}
    assert set(section.results) == {"longer", "shorter"}
