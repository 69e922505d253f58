"""`houle play --results`: each finished game is kept once, and `houle players --fit` reads the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from houle.analysis.play.ending import KeptResults, check_named_rules
from houle.analysis.play.table_game import Course, people_and, sit_down
from houle.analysis.players.results_file import read_results
from houle.solver.errors import InputError
from houle.solver.rules import make_setup
from tests.support.call import call

pytestmark = pytest.mark.compiled


def test_a_game_is_kept_once(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    wave = make_setup("wave", 3)
    kept, course = KeptResults(str(file)), Course(sit_down(wave, people_and(wave, [0], ["family"]), 3))
    while not course.over:
        course = course.choose(0)
    kept.note(course)
    kept.note(Course(course.sitting))
    (one,), _ = read_results(file, wave)
    assert (one.number, one.seats, one.others) == (1, (0,), "family")


def test_rivals_keep_who_won(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    land = make_setup("land-unter", 3)
    course = Course(sit_down(land, people_and(land, [1], ["family", "seasoned"]), 5))
    while not course.over:
        course = course.choose(0)
    KeptResults(str(file)).note(course)
    (one,), _ = read_results(file, course.setup)
    assert (one.number, one.seats, one.others) == (1, (1,), "family,seasoned")
    assert one.line_up("thumb").names == ("family", "thumb", "seasoned")


def test_nothing_is_kept_before_the_end(tmp_path: Path) -> None:
    file, wave = tmp_path / "results.csv", make_setup("wave", 3)
    KeptResults(str(file)).note(Course(sit_down(wave, people_and(wave, [0], ["family"]), 3)))
    assert not file.exists()


@pytest.mark.quick
def test_rules_need_a_file() -> None:
    with pytest.raises(InputError, match="names rules by one rules file"):
        check_named_rules(make_setup("wave", 3, (), {"hand.back": 3}, None, "--set"))
    result = call("play", "wave", "--set", "hand.back=3", "--results", "x.csv")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
