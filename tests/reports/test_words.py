"""Names that users give are shown unchanged and are never part of the words of a sentence."""

from __future__ import annotations

import ast
import csv
import json
from html import escape
from pathlib import Path

import pytest

from houle import report
from houle.analysis.blocks import sentence, text
from houle.reports import build
from houle.reports.html.write import DATA, PAGE
from houle.solver.rules import PRINTED_RULES, make_setup
from houle.solver.texts import as_sentence
from tests.support.made_reports import NO_SUGGESTIONS, only_sections, sketched
from tests.support.sources import nodes_of

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
NAMES = ("{x}", "{0} %s 100%", "<b>", "\"double\" and 'single'", r"$\frac$ {", "seat 0")


@pytest.mark.parametrize("name", NAMES)
def test_values_are_shown_unchanged(name: str) -> None:
    assert sentence(text("{who} wins; {rest}", who=name, rest=[text("{who}", who=name)])) == f"{name} wins; {name}"
    assert as_sentence(f"A {name}") == f"A {name}."


SECTIONS = tuple(step.name for step in build.SECTIONS)
QUICK = ("verdict", "difficulty", "endings", "variants", "openings", "balance", "appendix")


@pytest.mark.compiled
@pytest.mark.parametrize("names", [QUICK, pytest.param(SECTIONS, marks=pytest.mark.slow)], ids=["quick", "all"])
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
