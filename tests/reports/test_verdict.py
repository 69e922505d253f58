"""The verdict agrees with the page below it, and a section that fails leaves the others standing."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from houle.reports import build
from houle.reports.blocks import every_block
from houle.reports.build import report
from houle.reports.context import Context
from houle.reports.html.format import sentence
from houle.reports.html.write import DATA, PAGE
from houle.reports.sections.balance import LIKELY
from houle.reports.sections.verdict import most_between
from houle.solver.ruleset import make_setup
from tests.reports.test_report import blocks, estimates
from tests.support.made_reports import GAMES, TINY, report_of


@pytest.fixture(scope="module", params=GAMES)
def data(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return json.loads((report_of(request.param, tmp_path_factory) / DATA).read_text())  # type: ignore[no-any-return]


def sections(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {section["name"]: section for part in data["parts"] for section in part["sections"]}


def lines(section: dict[str, Any]) -> list[str]:
    """Every sentence of a section."""
    found = []
    for block in every_block(section["blocks"]):
        if block["kind"] in ("text", "lead", "note"):
            found.append(sentence(block))
        if block["kind"] == "list":
            found += [sentence(item) for item in block["items"]]
    return found


def test_every_number_of_the_verdict_stands_further_down(data: dict[str, Any]) -> None:
    parts = sections(data)
    verdict = parts.pop("verdict")
    shown = {(found["value"], found["low"], found["high"]) for section in parts.values()
             for found in estimates(section["blocks"])}  # fmt: skip
    numbers = list(estimates(verdict["blocks"]))
    assert numbers
    for found in numbers:
        assert (found["value"], found["low"], found["high"]) in shown, found


def test_what_is_said_about_seats_is_what_the_test_says(data: dict[str, Any]) -> None:
    parts = sections(data)
    balance = parts["balance"]["results"]["balance"]
    said = " ".join(lines(parts["verdict"]))
    if balance["fair_share"] is None:
        assert "no seat is better" not in said
    elif balance["even"] is None or balance["even"]["p"] > LIKELY:
        assert f"no seat is better than another by more than {most_between(balance['sides']):.1f} points" in said
    else:
        assert "no seat is better" not in said
        assert "an equal share" in said


def test_only_rules_in_play_are_said_to_change_results(data: dict[str, Any]) -> None:
    parts = sections(data)
    if "assumptions" not in parts:
        return
    assumed = parts["assumptions"]["results"]
    here = {turn["knob"] for turn in assumed["assumptions"]["turns"] if not turn["turn"].endswith(")")}
    assert set(assumed["in_force"]["certain"]) <= here
    said = [line for line in lines(parts["verdict"]) if re.search("hang on (a rule|rules) that print", line)]
    assert bool(said) == bool(assumed["in_force"]["certain"])


def test_nothing_rests_on_random_opponents_and_there_is_one_length(data: dict[str, Any]) -> None:
    said = lines(sections(data)["verdict"])
    assert not [line for line in said if "among random" in line]
    assert sum(", nine in ten after" in line for line in said) <= 1
    assert not [line for line in said if "A game has" in line]


def test_a_table_without_choices_has_a_report(tmp_path: Path) -> None:
    """One card in front and none behind: nothing is ever chosen, so that no position can be judged."""
    made = report(
        make_setup("wave", 3, (), {"hand.front": 1, "hand.back": 0}), effort=TINY, out=tmp_path / "out", threads=1
    )
    assert not [line for section in made.sections for line in lines(section.as_json()) if "could not be made" in line]


def test_a_table_that_always_ends_the_same_way_has_a_report(tmp_path: Path) -> None:
    """So few games that shares of luck have no ends."""
    few = replace(TINY, counts={**TINY.counts, "skill_deals": 4, "games": 8})
    made = report(make_setup("wave", 3, (), {"hand.back": 3}), effort=few, out=tmp_path / "out", threads=1)
    assert not [line for section in made.sections for line in lines(section.as_json()) if "could not be made" in line]


def test_a_section_that_fails_says_so_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(context: Context) -> Any:
        raise TypeError("len() of unsized object {x}")

    steps = tuple(replace(step, make=broken) if step.title == "endings" else step for step in build.SECTIONS)
    monkeypatch.setattr(build, "SECTIONS", steps)
    made = report(make_setup("wave", 2), effort=TINY, out=tmp_path / "out", threads=1)
    said = [line for section in made.sections for line in lines(section.as_json())]
    told = "This section could not be made: TypeError: len() of unsized object {x}."
    assert said.count(told) == 1
    assert told in (tmp_path / "out" / PAGE).read_text()
    assert made.sections[-1].name == "mistakes"
    assert len([block for block in blocks(made.as_json()) if block["kind"] == "figure"]) >= 4


def test_advice_never_holds_a_rule_whose_omission_helps(data: dict[str, Any]) -> None:
    found = sections(data)["rules-of-thumb"]
    rules = {rule["name"]: rule for rule in found["results"]["restricted"]["restrictions"]}
    few = found["results"]["few_rules"]
    numbered = [block for block in found["blocks"] if block["kind"] == "list"]
    assert len(numbered) <= 1
    advice = [item["values"]["rule"] for block in numbered for item in block["items"]]
    helped = {rule["text"] for rule in rules.values() if rule["cost"] and rule["cost"]["high"] < 0}
    assert not helped & set(advice)
    if few["worth_remembering"]:
        assert advice == [rule["sentence"] for rule in few["rules"]]
        assert all(rule["cost"]["high"] >= 0 for rule in few["rules"])
    certain = {rule["text"] for rule in rules.values() if rule["stands"]}
    assert {finding["rule"] for finding in found["results"]["findings"]} == helped & certain
