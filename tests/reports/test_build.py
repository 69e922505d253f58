"""Building a report: its setups, sections and commands; lazy imports."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from houle.analysis.blocks import Column, table, text
from houle.analysis.result import words_of_setup
from houle.reports import build, sections
from houle.reports.blocks import Section
from houle.reports.build import SECTIONS, SectionStep, _command_words, report, setups_of
from houle.reports.context import Context
from houle.solver.errors import InputError
from houle.solver.rules import make_setup
from tests.support.made_reports import TINY

pytestmark = pytest.mark.quick


def test_game_name_means_all_its_setups() -> None:
    setups = setups_of("wave")
    assert (setups[0].players, setups[0].variants) == (3, ())
    assert len({setup.digest for setup in setups}) == len(setups)
    variants = {"+".join(setup.variants) or "base" for setup in setups}
    assert variants == {"base", *setups[0].ruleset.variants}


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


def test_sections_are_named_after_their_files() -> None:
    files = {path.stem for path in Path(sections.__file__).parent.glob("*.py")} - {"__init__"}
    names = [step.name for step in SECTIONS]
    assert len(set(names)) == len(names)
    assert {name.replace("-", "_") for name in names} == files
    assert [step.fill.__module__.rpartition(".")[2] for step in SECTIONS] == [name.replace("-", "_") for name in names]
    assert all(step.label.removesuffix("s") in step.title.lower() for step in SECTIONS)
    assert [step.name for step in SECTIONS if not step.weight] == ["verdict", "appendix"]


def test_setup_as_command_words() -> None:
    typed = make_setup("wave", 3, ["virage"], {"hand.front": 4})
    called = make_setup("wave", 3, ["virage"], {"hand.front": 4}, place="set")
    assert (
        words_of_setup(typed) == words_of_setup(called) == ["wave", "-p", "3", "-v", "virage", "--set", "hand.front=4"]
    )


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
