"""A design's database: a run that was stopped goes on, and ends as one that was not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import houle
from houle.solver.errors import StudyError

WAVE = houle.setup("wave", players=3)
ASKED: dict[str, Any] = {
    "targets": ["win=25%..45%@thumb", "win=0..90%@flat:2"], "change": {"hand.back": [1, 2, 3], "hand.front": [2, 3]},
    "games": 30_000, "search_games": 40, "fresh": 3_000, "threads": 1,
}  # fmt: skip


def stop_after(calls: int) -> Any:
    """A listener that is Ctrl-C when it was told so many times."""
    left = [calls]

    def told(done: int, seconds: float) -> None:
        left[0] -= 1
        if left[0] <= 0:
            raise KeyboardInterrupt

    return told


def facts(found: houle.Design) -> tuple[str, Any, int]:
    data = found.as_json()
    return found.digest, (data["proposals"], data["effects"]), found.games


def test_a_run_that_was_stopped_again_and_again_ends_as_one_that_was_not(tmp_path: Path) -> None:
    whole = houle.design(WAVE, **ASKED)
    file, runs, before = tmp_path / "mine.db", 0, 0
    while True:
        found = houle.design(WAVE, **ASKED, db=file, progress=stop_after(4))
        runs += 1
        assert found.recalled >= before
        before = found.recalled
        if not found.interrupted:
            break
        assert f"kept in {file}; go on with: " in found.interruption(found.repeat())
        assert f"--db {file}" in found.repeat()
    assert runs > 2
    assert facts(found) == facts(whole)
    again = houle.design(WAVE, **ASKED, db=file)
    assert (facts(again), again.recalled) == (facts(whole), whole.games)


def test_another_question_uses_the_same_games(tmp_path: Path) -> None:
    file = tmp_path / "mine.db"
    few: dict[str, Any] = {"change": {"hand.back": [1, 2, 3]}, "games": 20_000, "fresh": 1_000}
    houle.design(WAVE, targets="win=40%", **few, db=file)
    other = houle.design(WAVE, targets="win=15%", **few, db=file)
    assert 3_000 <= other.recalled < other.games
    assert facts(other) == facts(houle.design(WAVE, targets="win=15%", **few))


def test_files_of_other_games_and_other_kinds_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "mine.db"
    few: dict[str, Any] = {"games": 2_000, "fresh": 200}
    houle.design(WAVE, targets="win=40%", change={"hand.back": [1, 2]}, **few, db=file)
    with pytest.raises(StudyError, match=r"is a design of wave, not of sea-change"):
        houle.design("sea-change", targets="length=40", change=["all"], **few, db=file)
    text = tmp_path / "text.db"
    text.write_text("x" * 200)
    with pytest.raises(StudyError, match="is no SQLite file, not a design"):
        houle.design(WAVE, targets="win=40%", **few, db=text)
    with pytest.raises(StudyError, match="another program, not a study"):
        houle.read_study(file)


def test_without_a_file_a_stopped_run_says_what_would_go_on() -> None:
    found = houle.design(WAVE, **ASKED, progress=stop_after(3))
    assert found.interrupted
    assert "with --db FILE" in found.interruption(found.repeat())
