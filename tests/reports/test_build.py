"""Building a report: its setups, sections and commands, what is known enough to appear, suggestions."""

from __future__ import annotations

import ast
import csv
import json
import subprocess
import sys
from dataclasses import replace
from html import escape
from pathlib import Path

import numpy as np
import pytest

import houle
from houle.analysis.blocks import Column, bullets, lead, note, table, text
from houle.analysis.explain.balance import quantile
from houle.analysis.run_options import RunSpec
from houle.analysis.stats.estimate import PERCENT, Estimate
from houle.reports import build
from houle.reports.blocks import Section, every_block
from houle.reports.build import (
    SECTIONS,
    SectionStep,
    _command_words,
    report,
    said_once,
)
from houle.reports.context import Context, make_context, needs
from houle.reports.effort import Effort, load_effort
from houle.reports.figures.balance import below, twenty
from houle.reports.html.page import VERDICT
from houle.reports.html.write import DATA, PAGE
from houle.reports.sections.appendix import in_play
from houle.reports.sections.suggestions import MOST_SHOWN, fill
from houle.solver.errors import InputError
from houle.solver.rules import PRINTED_RULES, Setup, make_setup
from tests.support.made_reports import NO_SUGGESTIONS, TINY, only_sections, sketched
from tests.support.sources import nodes_of

pytestmark = pytest.mark.quick


def test_report_is_about_one_game() -> None:
    with pytest.raises(InputError, match="the setups must be of one game; given: wave, sea-change"):
        report([make_setup("wave"), make_setup("sea-change")])
    with pytest.raises(InputError, match="unknown effort 'quik'"):
        report("wave", effort="quik")


def test_setups_of_a_grid_have_a_command() -> None:
    setups = [make_setup("wave", players, [name] if name else []) for name in ("", "virage") for players in (3, 2)]
    assert " ".join(_command_words(setups, "quick", 1)) == "wave -p 3 -p 2 -v base -v virage --effort quick --seed 1"
    assert _command_words(setups[:1], "deep", 7) == ["wave", "-p", "3", "--effort", "deep", "--seed", "7"]
    assert _command_words(setups[:3], "quick", 1) == []  # no options mean three of the four
    assert _command_words(setups, TINY, 1) == []


def test_a_stopped_report_keeps_its_sections(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The section that was being made is missing, and the page says so."""

    def stop(context: Context, section: Section) -> None:
        raise KeyboardInterrupt

    def fill(context: Context, section: Section) -> None:
        section.add(text("Done before the stop."))

    steps = (SectionStep("course", "The course", fill, 1), SectionStep("endings", "Endings", stop, 1))
    monkeypatch.setattr(build, "SECTIONS", steps)
    with pytest.raises(KeyboardInterrupt):
        report(make_setup("wave", 3), effort=TINY, out=tmp_path / "out")
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "Done before the stop." in page
    assert "This report is not finished. Still missing: endings." in page


def test_only_the_sections_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """On one page for all readers, with their tables; no verdict and no appendix."""

    def fill(context: Context, section: Section) -> None:
        section.add(text("Words of {name}.", name=section.name))
        section.add(table(section.name, "A table.", [Column("what", "what")], [["a"]]))

    steps = [step if not step.weight else replace(step, fill=fill) for step in SECTIONS]
    monkeypatch.setattr(build, "SECTIONS", tuple(steps))
    made = report(make_setup("wave", 3), effort=TINY, out=tmp_path / "out", only=["rules-of-thumb", "decisions"])
    assert [section.name for section in made.sections] == ["decisions", "rules-of-thumb"]
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "Words of rules-of-thumb." in page
    assert "Still missing" not in page
    assert {path.name for path in (tmp_path / "out" / "tables").iterdir()} == {"decisions.csv", "rules-of-thumb.csv"}
    with pytest.raises(InputError, match=r"--only: unknown section .luck.; allowed: difficulty, .*mistakes$"):
        report(make_setup("wave", 3), effort=TINY, only=["luck"])


@pytest.mark.compiled
@pytest.mark.parametrize(
    "code",
    [
        "import houle.reports, houle.reports.figures",
        "from click.testing import CliRunner; from houle.cli.main import houle; CliRunner().invoke(houle, ['--help'])",
    ],
)
def test_heavy_modules_are_imported_lazily(code: str) -> None:
    loaded = "sorted({'houle.reports.build', 'numba', 'matplotlib', 'pandas', 'jinja2'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; print({loaded})"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def context(only: tuple[str, ...] = (), **counts: object) -> Context:
    return make_context([make_setup("wave", 3)], Effort("few", {"games": 30, **counts}), RunSpec(), only=only)


def known_to(points: float) -> Estimate:
    return Estimate(0.3, 0.3 - points / 100, 0.3 + points / 100, n=500, unit=PERCENT)


def test_needs_are_those_of_sections() -> None:
    assert set(needs()) <= {step.name for step in SECTIONS}


def test_a_section_without_its_number_is_left_out_with_a_line() -> None:
    page, section = context(), Section("strength", "Strength: what a better player gains")
    assert page.knows(section, known_to(5))
    assert page.left_sections == []
    assert not page.knows(section, known_to(7))
    assert not page.knows(section, None)
    assert page.left_sections == [
        "Strength: what a better player gains: what one better player gains is known to ±7 points in 100, and 5 are "
        "needed.",
        "Strength: what a better player gains: what one better player gains is not known, and 5 are needed.",
    ]


def test_widths_of_scores_are_parts_of_their_range() -> None:
    section = Section("strength", "Strength")
    assert context().knows(section, Estimate(12.0, 11.0, 13.0, 500), 25)
    assert not context().knows(section, Estimate(12.0, 11.0, 13.0, 500), 10)


def test_some_sections_are_made_only_when_asked() -> None:
    section, later = Section("decisions", "Which decisions matter"), ["decisions"]
    page = context(only_when_asked=later)
    assert not page.wants(section)
    assert page.left_sections == ["Which decisions matter: --only decisions plays it, or --effort normal."]
    assert context(("decisions",), only_when_asked=later).wants(section)
    assert context().wants(section)


def test_what_the_verdict_says_stands_once() -> None:
    """Also as a part of a sentence or in a list; notes, other sentences and tables stay."""
    win = known_to(2)
    seats = text("the seats are fair: {win}", win=win)
    verdict = Section(VERDICT, "", [lead("With three players, {seats}.", seats=seats), bullets([text("Said.")])])
    shown = table("t", "c", [Column("win", "wins")], [[win]])
    other = Section(
        "balance",
        "",
        [
            text("The seats are fair: {win}.", win=win),
            shown,
            note("Said."),
            bullets([text("Said."), text("New.")]),
            bullets([text("Said.")]),
        ],
    )
    made = said_once({VERDICT: verdict, "balance": other})
    assert made[VERDICT].blocks == verdict.blocks
    assert made["balance"].blocks == [shown, note("Said."), bullets([text("New.")])]


@pytest.mark.parametrize("seed", range(5))
def test_dots_of_lengths_are_those_of_the_sentence(seed: int) -> None:
    """The 10th and 18th of twenty dots stand where half and nine in ten games are over."""
    lengths = np.bincount(np.random.default_rng(seed).integers(20, 60, 300))
    dots = twenty([(int(turns), int(lengths[turns])) for turns in np.flatnonzero(lengths)])
    assert len(dots) == 20
    assert (dots[9], dots[17]) == (quantile(lengths, 0.5).value, quantile(lengths, 0.9).value)
    assert below(dots).endswith(f"end within {dots[17]}")


def test_rules_of_other_setups_are_not_in_play() -> None:
    two, three = make_setup("wave", 2, ["virage"]), make_setup("wave", 3)
    knobs = three.ruleset.knobs
    assert [in_play(setup, knobs["dummy_swaps"]) for setup in (two, three)] == [True, False]
    assert in_play(three, knobs["talk"])
    own = make_setup("wave", 3, (), {"dummy_swaps": True})
    assert in_play(own, knobs["dummy_swaps"])


OWN = houle.setup("wave", players=3, set={"hand.front": 2, "hand.back": 3})

FEW = Effort("few", TINY.counts | {"suggestions_games": 60_000, "suggestions_fresh": 2_000})


def rows(section: Section) -> list[list[object]]:
    return [row for block in every_block(section.blocks) if block["kind"] == "table" for row in block["rows"]]


def made(setup: Setup, effort: Effort = FEW) -> Section:
    section = Section("suggestions", "Suggestions")
    fill(make_context([setup], effort, RunSpec(seed=1)), section)
    return section


@pytest.mark.slow
def test_own_variant_has_suggestions_both_ways() -> None:
    section = made(OWN, FEW)
    assert [block["kind"] for block in section.blocks] == ["text", "text", "fold"]
    now, *changes = rows(section)
    assert now[0] == "as it is"
    for way, sign in (("easier", 1), ("harder", -1)):
        mine = [row for row in changes if row[1] == way]
        assert 0 < len(mine) <= MOST_SHOWN
        assert all(sign * (row[2]["value"] - now[2]["value"]) > 0 for row in mine)  # type: ignore[index]
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


ROOT = Path(__file__).parents[2]


ALL_SECTIONS = tuple(step.name for step in build.SECTIONS)

QUICK = ("verdict", "difficulty", "endings", "variants", "openings", "balance", "appendix")


@pytest.mark.compiled
@pytest.mark.parametrize("names", [QUICK, pytest.param(ALL_SECTIONS, marks=pytest.mark.slow)], ids=["quick", "all"])
def test_variants_may_have_any_name(names: tuple[str, ...], tmp_path: Path) -> None:
    """Two variants with special characters in their names and file names."""
    setups = []
    for i, name in enumerate(("{x} 100% \"double\" and 'single'", r"<b> {0} $\frac$")):
        file = tmp_path / f"{{rules}} {i}.toml"
        file.write_text(f'game = "wave"\nname = {json.dumps(name)}\n[set]\nhand.front = {4 + i}\n')
        setups.append(make_setup("wave", 2, file=str(file)))
    with sketched(("difficulty",)), only_sections(*names):
        report(setups, effort=NO_SUGGESTIONS, out=tmp_path / "out", threads=1)
    page = (tmp_path / "out" / PAGE).read_text()
    data = json.loads((tmp_path / "out" / DATA).read_text())
    assert "<b>" not in page
    for setup in setups:
        assert setup.title
        assert escape(setup.title).replace("&quot;", "&#34;").replace("&#x27;", "&#39;") in page
        assert setup.title.lower() in data["subtitle"].lower()
    with (tmp_path / "out" / "tables" / "difficulty.csv").open(newline="") as file:
        assert [row["variant"] for row in csv.DictReader(file)] == [*(setup.title for setup in setups), PRINTED_RULES]


def formats(path: Path) -> list[ast.expr]:
    """The words of every sentence in a module."""
    calls = [node for node in nodes_of(path) if isinstance(node, ast.Call)]
    return [
        call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id in ("text", "lead", "note")
    ]


def test_sentences_are_literal_strings() -> None:
    """A name in an f-string would be read as a format; it must be a value."""
    files = [path for room in ("analysis", "reports") for path in sorted((ROOT / room).rglob("*.py"))]
    every = [(path, words) for path in files for words in formats(path) if path.stem != "blocks"]
    assert len(every) > 70
    for path, words in every:
        assert isinstance(words, ast.Constant), f"{path.relative_to(ROOT)}, line {words.lineno}"
