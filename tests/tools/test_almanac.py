"""The almanac: its page is made of its rows, and what another machine played is taken in only if it is right."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from houle import simulate
from houle.analysis.studies.cells import Cell
from houle.solver.ruleset import make_setup
from houle.solver.run import play_chunk

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def almanac(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module of docs/, which is no part of the package, by its name."""
    monkeypatch.syspath_prepend(DOCS)

    def module(name: str) -> ModuleType:
        return importlib.import_module(name)

    return module


def test_the_page_is_made_of_the_rows(almanac: Any) -> None:
    assert (DOCS / "almanac.md").read_text() == almanac("almanac_page").page()


def test_rows_are_cells_that_are_asked_for(almanac: Any) -> None:
    cells, rows = almanac("almanac_cells").all_cells(), almanac("almanac_cells").kept()
    assert {almanac("almanac_cells").key(cell) for cell in cells} >= rows.keys()
    assert len({row["digest"] for row in rows.values()}) == len(rows)


def answer_of(cell: Cell, question: dict[str, Any]) -> dict[str, Any]:
    """What another machine writes: every stretch played, through JSON."""
    parts = []
    for first, games in question["stretches"]:
        tally = play_chunk(cell.setup, cell.strategies, cell.seed, first, games)
        parts.append({"first": first, "games": games, "tally": tally.as_data()})
    answer: dict[str, Any] = json.loads(json.dumps({"question": question, "parts": parts}))
    return answer


@pytest.mark.parametrize("games", [7, 40])
def test_an_answer_has_the_digest_of_the_same_games_here(almanac: Any, games: int) -> None:
    answers = almanac("almanac_answers")
    cell = Cell(make_setup("wave", 3), ("random",), 21, games)
    answer = answer_of(cell, answers.question(cell))
    own = simulate(cell.setup, strategies="random", games=games, seed=21)
    assert cell.run(answers.counted(cell, answer), games).digest == own.digest


@pytest.mark.parametrize(("part", "why"), [(0, "end otherwise here"), (2, "end otherwise here")])
def test_an_answer_whose_ends_differ_is_refused(almanac: Any, part: int, why: str) -> None:
    answers = almanac("almanac_answers")
    cell = Cell(make_setup("wave", 3), ("random",), 21, 40)
    answer = answer_of(cell, answers.question(cell))
    answer["parts"][part]["tally"]["moments"][0][2] += 1
    with pytest.raises(ValueError, match=why):
        answers.counted(cell, answer)


def test_an_answer_with_other_counts_is_refused(almanac: Any) -> None:
    answers = almanac("almanac_answers")
    cell = Cell(make_setup("wave", 3), ("random",), 21, 40)
    answer = answer_of(cell, answers.question(cell))
    answer["parts"][1]["tally"]["totals"][0] += 1
    with pytest.raises(ValueError, match="does not hold"):
        answers.counted(cell, answer)
    del answer["parts"][1]
    with pytest.raises(ValueError, match="other stretches"):
        answers.counted(cell, answer)


def test_what_was_not_asked_is_not_taken_in(
    almanac: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = almanac("almanac_answers")
    monkeypatch.setattr(answers, "write_rows", lambda *rows: pytest.fail("a row was written"))
    cell = Cell(make_setup("wave", 3), ("random",), 21, 41)  # no cell of the almanac has so many games
    (tmp_path / "answers.json").write_text(json.dumps([answer_of(cell, answers.question(cell))]))
    answers.take_in(tmp_path / "answers.json")
    assert "not asked today: wave 3 [] random" in capsys.readouterr().out


def test_a_change_since_the_release_is_told_where_chance_does_not_explain_it(almanac: Any) -> None:
    page = almanac("almanac_page")
    before = {"win": "0.30", "win_low": "0.29", "win_high": "0.31"}
    assert page.difference({"win": "0.31", "win_low": "0.30", "win_high": "0.32"}, before) is None
    told = page.difference({"win": "0.35", "win_low": "0.34", "win_high": "0.36"}, before)
    assert told is not None
    assert told[2] == "+5.0 (+3.6 to +6.4)"
    near = {"win": "0.32", "win_low": "0.31", "win_high": "0.33"}
    assert page.difference(near, before) is not None
    assert page.difference(near, before, tests=100) is None
