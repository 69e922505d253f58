"""The almanac: its page follows from its rows, and wrong answers of another machine are refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from houle import simulate
from houle.analysis.players.line_ups import line_up
from houle.analysis.sampling.backends import count_games
from houle.analysis.studies.cell import Cell
from houle.solver.rules import game_names, make_setup
from tools.almanac import answers, cells, findings, page

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


def answer_of(cell: Cell, question: dict[str, Any]) -> dict[str, Any]:
    """What another machine answers: every range of games played, as JSON."""
    parts = []
    for first, games in question["ranges"]:
        tally = count_games(cell.line_up, cell.seed, first, games)
        parts.append({"first": first, "games": games, "tally": tally.as_data()})
    answer: dict[str, Any] = json.loads(json.dumps({"question": question, "parts": parts}))
    return answer


@pytest.mark.parametrize("games", [7, 40])
def test_answer_has_the_digest_of_local_games(games: int) -> None:
    cell = Cell(line_up(make_setup("wave", 3), "random"), 21, games)
    answer = answer_of(cell, answers.question(cell))
    own = simulate(cell.setup, strategies="random", games=games, seed=21)
    assert cell.run(answers.counted(cell, answer)).digest == own.digest


@pytest.mark.parametrize(("part", "why"), [(0, "end differently here"), (2, "end differently here")])
def test_answer_with_different_ends_is_refused(part: int, why: str) -> None:
    cell = Cell(line_up(make_setup("wave", 3), "random"), 21, 40)
    answer = answer_of(cell, answers.question(cell))
    answer["parts"][part]["tally"]["moments"][0][2] += 1
    with pytest.raises(ValueError, match=why):
        answers.counted(cell, answer)


def test_answer_with_other_counts_is_refused() -> None:
    cell = Cell(line_up(make_setup("wave", 3), "random"), 21, 40)
    answer = answer_of(cell, answers.question(cell))
    answer["parts"][1]["tally"]["totals"][0] += 1
    with pytest.raises(ValueError, match="does not hold"):
        answers.counted(cell, answer)
    del answer["parts"][1]
    with pytest.raises(ValueError, match="other ranges"):
        answers.counted(cell, answer)


def test_answer_that_was_not_asked_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(answers, "write_rows", lambda *rows: pytest.fail("a row was written"))
    cell = Cell(line_up(make_setup("wave", 3), "random"), 21, 41)  # no cell of the almanac has 41 games
    (tmp_path / "answers.json").write_text(json.dumps([answer_of(cell, answers.question(cell))]))
    answers.read_answers(tmp_path / "answers.json")
    assert "not asked: wave 3 [] random" in capsys.readouterr().out


@pytest.mark.quick
def test_levels_are_shown_by_name() -> None:
    assert cells.shown_strategy("thumb") == "thumb"
    assert cells.shown_strategy("clairvoyant:10_000_000") == "clairvoyant"
    assert cells.shown_digest({"digest": ""}) == "none"
