"""What `houle.reports` offers: a report of tables, figures, and nothing that is loaded before it is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

import houle.reports
from houle.reports.build import SECTIONS, _command_words, report, tables_of
from houle.reports.context import setup_words
from houle.reports.figures import draw
from houle.solver.errors import InputError
from houle.solver.ruleset import make_setup
from tests.support.made_reports import TINY


def test_the_public_names() -> None:
    assert houle.reports.report is report
    assert houle.reports.draw is draw
    assert dir(houle.reports) == ["draw", "report"]
    with pytest.raises(AttributeError, match="no attribute 'reprot'"):
        houle.reports.reprot  # noqa: B018


def test_a_game_means_all_its_tables() -> None:
    setups = tables_of("wave")
    assert (setups[0].players, setups[0].variants) == (3, ())
    assert len({setup.digest for setup in setups}) == len(setups)
    variants = {"+".join(setup.variants) or "base" for setup in setups}
    assert variants == {"base", *setups[0].ruleset.variants}


def test_a_report_is_about_one_game() -> None:
    with pytest.raises(InputError, match="tables of one game"):
        report([make_setup("wave"), make_setup("sea-change")])
    with pytest.raises(InputError, match="unknown effort 'quik'"):
        report("wave", effort="quik")


def test_tables_that_can_be_typed_have_a_command() -> None:
    tables = [make_setup("wave", players, [name] if name else []) for name in ("", "virage") for players in (3, 2)]
    assert " ".join(_command_words(tables, "quick", 1)) == "wave -p 3 -p 2 -v base -v virage --effort quick --seed 1"
    assert _command_words(tables[:1], "deep", 7) == ["wave", "-p", "3", "--effort", "deep", "--seed", "7"]
    assert _command_words(tables[:3], "quick", 1) == []  # no options mean three of the four
    assert _command_words(tables, TINY, 1) == []


def test_sections_have_titles_of_their_own() -> None:
    titles = [step.title for step in SECTIONS]
    assert len(set(titles)) == len(titles)
    assert [step.title for step in SECTIONS if not step.weight] == ["verdict", "appendix"]


def test_a_table_as_words_of_a_command() -> None:
    typed = make_setup("wave", 3, ["virage"], {"hand.front": 4})
    called = make_setup("wave", 3, ["virage"], {"hand.front": 4}, place="set")
    assert setup_words(typed) == setup_words(called) == ["wave", "-p", "3", "-v", "virage", "--set", "hand.front=4"]


@pytest.mark.parametrize(
    "code",
    [
        "import houle.reports, houle.reports.figures",
        "from click.testing import CliRunner; from houle.cli.main import houle; CliRunner().invoke(houle, ['--help'])",
    ],
)
def test_nothing_is_loaded_before_it_is_asked_for(code: str) -> None:
    loaded = "sorted({'houle.reports.build', 'numba', 'matplotlib', 'pandas', 'jinja2'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; print({loaded})"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
