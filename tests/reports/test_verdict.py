"""The verdict agrees with the other sections, of studies too, and a section that fails does not harm them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from houle import study
from houle.analysis.blocks import note, sentence
from houle.analysis.explain.ablation import AblationRow
from houle.analysis.explain.balance import Balance, CourseMeasure
from houle.analysis.explain.few_rules import FewRules
from houle.analysis.explain.openings import FactTable, NamedLevel
from houle.analysis.measures.goal import Goal
from houle.analysis.measures.measures import difficulty_span, estimate
from houle.analysis.measures.verdicts import margins_of
from houle.analysis.result import Facts
from houle.analysis.run_options import RunSpec
from houle.analysis.sampling.experiment import Sample
from houle.analysis.stats.estimate import GAP, PERCENT, Estimate
from houle.analysis.stats.seat_gap import SeatGap
from houle.analysis.tables.open_rules import certain_rows
from houle.analysis.tables.table import Row, Table
from houle.reports import build
from houle.reports.blocks import Report, ReportPart, Section, every_block, figure
from houle.reports.build import report
from houle.reports.context import Context, Results, make_context
from houle.reports.html.write import DATA, PAGE, write
from houle.reports.sections.rules_of_thumb import name_the_list
from houle.reports.sections.verdict import _opening, fill, is_known
from houle.reports.study import make_study_report
from houle.solver.rules import Setup, make_setup
from tests.reports.test_report import blocks
from tests.support.made_reports import MARKED, NO_SUGGESTIONS, STUDY, TINY, only_sections, report_of, sketched
from tests.support.synthetic import SETUP, played, rows_of

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module", params=MARKED)
def data(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return json.loads((report_of(request.param, tmp_path_factory) / DATA).read_text())  # type: ignore[no-any-return]


def sections(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {section["name"]: section for part in data["parts"] for section in part["sections"]}


def lines(section: dict[str, Any]) -> list[str]:
    """Every sentence of a section."""
    sentences = []
    for block in every_block(section["blocks"]):
        if block["kind"] in ("text", "lead", "note"):
            sentences.append(sentence(block))
        if block["kind"] == "list":
            sentences += [sentence(item) for item in block["items"]]
    return sentences


def verdict_on(setup: Setup, results: Results) -> str:
    """The verdict on results that were made up."""
    section = Section("verdict", "Verdict")
    fill(replace(make_context([setup], TINY, RunSpec()), results=results), section)
    return " ".join(lines(section.as_json()))


def levels_table(sample: Sample) -> Table:
    """Difficulty with these games."""
    wins = [estimate(sample, number, "win") for number in range(len(sample.arms))]
    rows = [
        Row(
            arm=arm,
            number=number,
            label=arm.label,
            measure="win",
            value=wins[number],
            note=difficulty_span(wins[number]),
        )
        for number, arm in enumerate(sample.arms)
    ]
    return Table("difficulty", "", main=SETUP, sample=sample, rows=tuple(rows), measures=("win",))


def share(percent: int) -> Estimate:
    return Estimate(percent / 100, percent / 100 - 0.03, percent / 100 + 0.05, n=1000, unit=PERCENT)


@pytest.mark.quick
def test_verdict_names_families_and_the_best_players() -> None:
    names = make_context([SETUP], TINY, RunSpec()).strategies
    wins = [rows_of(np.arange(1000) < won, np.zeros(1000, np.int64)) for won in (50, 100, 200, 400, 600, 800)]
    main = levels_table(played(wins, labels=names, names=names))
    said = verdict_on(SETUP, Results(difficulties=[main]))
    for words in ("families win 20% (18 to 23) of base games", "Flat:4 players win 80% (77 to 82) on the same deals"):
        assert words in said
    assert "at random" not in said
    assert "regular players 40%" not in said  # the table below has the other levels


@pytest.mark.quick
def test_head_leaves_out_hardly_known_rates() -> None:
    for who, games, known in (("flat:4", 300, False), ("flat:4", 600, True), ("thumb", 300, True)):
        won = rows_of(np.arange(games) % 2 == 0, np.zeros(games, np.int64))
        assert is_known(levels_table(played([won], names=[who])).levels[0]) == known


@pytest.mark.quick
def test_verdict_begins_with_the_seats() -> None:
    setup = make_setup("land-unter", 3)
    sides = tuple((f"seat {seat}", share(win)) for seat, win in enumerate((30, 50, 20)))
    turns = {"draws": share(0), "turns_50": Estimate(12, 11, 13, 1000), "turns_90": Estimate(34, 33, 35, 1000)}
    measures = tuple(CourseMeasure(name, "", value) for name, value in turns.items())
    facts = Facts(setup, strategies=("thumb",) * 3, seed=1, games=1000, asked=1000, seconds=1.0, digest="")
    gap = SeatGap(Estimate(0.3, 0.22, 0.38, n=1000, unit=GAP), best=1, worst=2, sides=3)
    balance = Balance(facts, sides=sides, fair=1 / 3, gap=gap, margin=0.03, measures=measures, missing=(), lengths=())
    words = "The seats are not fair: between players who follow every rule of thumb seat 2 wins 22 to 38 points more"
    said = verdict_on(setup, Results(balance=balance))
    assert words in said
    assert "every rule of thumb last at most 12 (11 to 13) tricks, nine in ten at most 34 (33 to 35)." in said


@pytest.mark.quick
def test_advice_names_what_the_short_list_wins() -> None:
    rules = tuple(
        AblationRow(name, f"Do {name}.", win=None, cost=share(3), score=None, remark="", stands=True)
        for name in ("a", "b")
    )
    wins = {"random": share(5), "list": share(40), "thumb": share(60)}
    section = Section("rules-of-thumb", "")
    few = FewRules(SETUP, rules=rules, wins=wins, kept=0.64, seed=1, first=0, deals=100, digest="")
    name_the_list(make_context([SETUP], TINY, RunSpec()), section, few)
    said = " ".join(lines(section.as_json()))
    assert "follows only these wins 40% (37 to 45) of games. All rules of thumb win 60% (57 to 65)" in said


@pytest.mark.quick
@pytest.mark.parametrize(("goal", "low", "said"), [("win", 0.06, 1), ("score", 1.0, 0), ("score", 2.0, 1)])
def test_a_fact_of_the_deal_stands_out_if_large(goal: str, low: float, said: int) -> None:
    """By its part of what is possible: two of 33 cards are as much as six wins in 100."""
    more = Estimate(low + 0.1, low, low + 0.2, 900)
    named = [NamedLevel(FactTable("start", "the start card", (), 1.0), "best", "6", more)]
    result = SimpleNamespace(player="family", goal=Goal(SETUP, goal), named=named)
    context: Any = SimpleNamespace(level="family", results=SimpleNamespace(balance=SimpleNamespace(openings=result)))
    assert len(_opening(context)) == said


@pytest.mark.quick
def test_an_open_rule_is_explained_by_its_largest_change() -> None:
    arm, more = SimpleNamespace(values={"talk": "open"}), SimpleNamespace(kind="more")
    tried: Any = [
        SimpleNamespace(number=1, measure=name, change=Estimate(by, by, by, 900), verdict=more, setup=SETUP, arm=arm)
        for name, by in (("length", 2.0), ("win", 0.5), ("draws", 0.1))
    ]
    assert [row.measure for row in certain_rows(tried, margins_of())] == ["win"]


def test_no_section_says_again_what_the_verdict_says(data: dict[str, Any]) -> None:
    parts = sections(data)
    said = {line.rstrip(".") for line in lines(parts.pop("verdict"))}
    for name, section in parts.items():
        again = said & {line.rstrip(".") for line in lines(section)}
        assert not again, (name, again)


def test_verdict_on_seats_follows_the_test(data: dict[str, Any]) -> None:
    parts = sections(data)
    balance = parts["balance"]["results"]["balance"]
    said = " ".join(lines(parts["verdict"]))
    if balance["fair_share"] is None:
        assert "seats are" not in said
    else:
        words = {"fair": "seats are fair", "unfair": "seats are not fair", "uneven": "seats differ"}
        assert words.get(balance["fairness"], "Not known yet whether the seats are fair") in said


def test_open_rules_are_one_list(data: dict[str, Any]) -> None:
    """Those of the section are those in play; the head depends on no other."""
    parts = sections(data)
    if not parts.get("open-rules", {}).get("results"):
        return
    found = parts["open-rules"]["results"]["in_force"]
    listed = next(block for block in every_block(parts["open-rules"]["blocks"]) if block.get("name") == "open_list")
    assert [row[0] for row in listed["rows"]] == found["rules"]
    assert set(found["certain"]) <= set(found["rules"])
    said = [line for line in lines(parts["verdict"]) if "is our model" in line or "The rulebook" in line]
    assert all(any(doubt in line.lower() for doubt in found["certain"]) for line in said)
    appendix = {
        row[0]: row
        for block in every_block(parts["appendix"]["blocks"])
        if block.get("name") == "fixed_rules"
        for row in block["rows"]
    }
    assert {name for name, row in appendix.items() if row[1] != "printed"} <= set(found["rules"])


# The sections that are about choices, and those that every report has.
CHOICES = ("verdict", "decisions", "appendix", "rules-of-thumb", "first-moves", "mistakes")


def test_setup_without_choices_has_a_report(tmp_path: Path) -> None:
    """With one card in front and none behind, players never choose, so no position can be judged."""
    setup = make_setup("wave", 3, (), {"hand.front": 1, "hand.back": 0})
    with sketched(("decisions",)), only_sections(*CHOICES):
        report(setup, effort=NO_SUGGESTIONS, out=tmp_path / "out", threads=1)


def test_few_games_make_a_report(tmp_path: Path) -> None:
    """So few games, of rules so hard that all are lost. A section on strength is only for games of rivals."""
    few = replace(NO_SUGGESTIONS, counts={**NO_SUGGESTIONS.counts, "strength_deals": 4, "games": 8})
    with sketched(), only_sections("verdict", "difficulty", "strength", "appendix"):
        setup = make_setup("wave", 3, (), {"hand.front": 1, "hand.back": 1, "talk": "known"})
        made = report(setup, effort=few, out=tmp_path / "out", threads=1)
    assert [section.name for section in made.sections] == ["verdict", "difficulty", "appendix"]


def test_failing_section_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(context: Context, section: Section) -> None:
        section.add(note("half"))
        raise TypeError("len() of unsized object {x}")

    # Few sections, to save time: the verdict and the appendix read the others, and the last one is on another page.
    kept = ("verdict", "difficulty", "endings", "balance", "appendix", "mistakes")
    steps = [step for step in build.SECTIONS if step.name in kept]
    steps = [replace(step, fill=broken) if step.name == "difficulty" else step for step in steps]
    monkeypatch.setattr(build, "SECTIONS", tuple(steps))
    setup = make_setup("wave", 2)
    with pytest.raises(TypeError, match="unsized"):
        report(setup, effort=TINY, threads=1)
    monkeypatch.delenv("HOULE_STRICT")
    with sketched():
        made = report(setup, effort=TINY, out=tmp_path / "out", threads=1)
    section = next(section for section in made.sections if section.name == "difficulty")
    reason = f"This part is missing: {section.title} (TypeError: len() of unsized object {{x}})"
    assert lines(section.as_json()) == [reason]
    assert reason in (tmp_path / "out" / PAGE).read_text()
    assert [section.name for section in made.sections] == list(kept)
    assert {block["name"] for block in blocks(made.as_json()) if block["kind"] == "figure"} >= {"endings", "balance"}


@pytest.mark.quick
def test_failing_figure_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ValueError("no data")

    def made() -> Report:
        section = Section("one", "One")
        section.add_figure(figure("f", "A figure.", "alt"), broken)
        return Report(
            "wave", title="Title", subtitle="", facts={}, date="2026-01-02", parts=[ReportPart("Part", [section])]
        )

    with pytest.raises(ValueError, match="no data"):
        write(made(), tmp_path / "out")
    monkeypatch.delenv("HOULE_STRICT")
    assert "This figure is missing: A figure. (ValueError: no data)" in write(made(), tmp_path / "out").read_text()


def test_advice_has_no_harmful_rule(data: dict[str, Any]) -> None:
    section = sections(data)["rules-of-thumb"]
    rules = {rule["name"]: rule for rule in section["results"]["ablation"]["rows"]}
    few = section["results"]["few_rules"]
    numbered = [block for block in section["blocks"] if block["kind"] == "list"]
    assert len(numbered) <= 1
    advice = [item["values"]["rule"] for block in numbered for item in block["items"]]
    helped = {rule["text"] for rule in rules.values() if rule["cost"] and rule["cost"]["high"] < 0}
    assert not helped & set(advice)
    assert advice == ([rule["text"] for rule in few["rules"]] if few else [])
    certain = {rule["text"] for rule in rules.values() if rule["stands"]}
    assert {finding["rule"] for finding in section["results"]["findings"]} == helped & certain


def test_study_report_shows_axes_and_targets(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = report_of(STUDY, tmp_path_factory)
    data = json.loads((folder / DATA).read_text())
    section = sections(data)["difficulty-wave"]
    assert "What varies: hand.front 2, 3, 4; hand.back 1, 2, 3; strategies random, thumb." in lines(section)
    cells = {cell["label"]: cell["sides"][0]["win"]["value"] for cell in section["results"]["cells"]}
    assert len(cells) == 18
    assert (folder / "figures" / "map-wave.svg").exists()
    said = " ".join(lines(sections(data)["verdict"]))
    assert "games won from 20% to 40% for players who follow every rule of thumb" in said
    wanted = [cell for cell in section["results"]["cells"] if cell.get("target")]
    assert {cell["target"] for cell in wanted} >= {"outside"}
    for cell in wanted:
        if cell["target"] in ("inside", "perhaps"):
            assert cell["label"] in said
    assert "Off target, nearest first:" in said


@pytest.mark.quick
def test_missed_targets_name_the_next_command(tmp_path: Path) -> None:
    file, folder = tmp_path / "study.toml", str(tmp_path / "study")
    file.write_text(
        'games = 12\ntargets = ["win=90%..95%@random"]\n[[grid]]\ngame = "wave"\nplayers = 3\n'
        'strategies = ["random"]\n[grid.set]\nhand.back = [1, 3]\n'
    )
    study(str(file), folder=folder)
    said = " ".join(lines(sections(make_study_report(folder).as_json())["verdict"]))
    assert "No setup gives games won from 90% to 95%" in said
    assert re.search(r"houle design wave -p 3 --set hand\.back=[13] --target win=90%\.\.95%@random", said)
