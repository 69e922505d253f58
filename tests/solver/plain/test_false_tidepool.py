"""Faults planted in a sound class: `houle check` finds them, whatever number of players is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

import houle
from houle.analysis.checks.check import UNIFORM, run_checks
from houle.analysis.sampling import engine
from houle.cli.commands.check import page
from houle.solver.compiler.kernels import JIT
from houle.solver.errors import InputError
from houle.solver.invariants.errors import FAILED, LEFT_OUT, PASSED, Check
from houle.solver.rules.game_folders import name_plain
from tests.support.toys.false_tidepool import FAULTS, TIDEPOOL, VIEW, planted

pytestmark = [pytest.mark.quick, pytest.mark.skipif(JIT, reason="classes are played without the compiler")]
# Only a second version of the game could tell; nothing is ever taken from the deck in which the card comes again.
NOT_FOUND = ("a score is counted twice", "a card comes twice")
# Found only by comparing many worlds, which takes some seconds.
BY_MANY_WORLDS = (
    "worlds forget a public bound", "worlds prefer low cards", "nobody keeps what was thrown",
    "a shown card is not the highest", "worlds forget the top card", "worlds forget a shown card",
)  # fmt: skip


def first_fault(file: Path, players: tuple[int, ...], with_worlds: bool) -> Check | None:
    """The first check that fails, or None."""
    name_plain(str(file))
    try:
        for check in run_checks(str(file), players, 4, 1, False, not with_worlds):
            if check.verdict == FAILED:
                return check
    except InputError as fault:  # found before the first check
        return Check("", FAILED, 0, str(fault))
    return None


@pytest.mark.parametrize("players", [(3,), pytest.param((), marks=pytest.mark.slow)], ids=["three", "any number"])
@pytest.mark.parametrize("name", [name for name in FAULTS if name not in (*NOT_FOUND, *BY_MANY_WORLDS)])
def test_faults_of_a_class_are_found(tmp_path: Path, name: str, players: tuple[int, ...]) -> None:
    assert first_fault(planted(tmp_path, name), players, False) is not None


@pytest.mark.slow
@pytest.mark.parametrize("players", [(3,), ()], ids=["three", "any number"])
@pytest.mark.parametrize("name", BY_MANY_WORLDS)
def test_forgotten_knowledge_is_found(tmp_path: Path, name: str, players: tuple[int, ...]) -> None:
    assert first_fault(planted(tmp_path, name), players, True) is not None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
def test_the_sound_class_is_not_accused(seed: int) -> None:
    name_plain(str(TIDEPOOL))
    failed = [check for check in run_checks(str(TIDEPOOL), (3,), 4, seed, False, False) if check.verdict == FAILED]
    assert failed == []


def test_a_crash_is_told_once(tmp_path: Path) -> None:
    file = tmp_path / "crashes.py"
    file.write_text(TIDEPOOL.read_text().replace(VIEW, VIEW.replace("list(self.hand[seat])", "self.hand[9]")))
    name_plain(str(file))
    checks = [check for check in run_checks(str(file), (2,), 1, 1, False, True) if check.name != UNIFORM]
    assert [check.words.split(": ")[1] for check in checks if check.verdict == FAILED] == ["IndexError"]
    assert sum(check.words == "stopped by the same error" and check.verdict == LEFT_OUT for check in checks) == 3


def test_the_last_line_names_few_cases() -> None:
    checks = [Check("fair play", PASSED, 3, ""), Check("games end", PASSED, 12, "")]
    assert " ".join(page("my_game.py", checks)[-1].split()).endswith("few cases, so add -n 10: fair play (3)")


def test_players_beyond_the_budget_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first player fits, the second does not, and the third is not tried: the result has one row."""
    times = iter([1.0, 1e6])
    monkeypatch.setattr(engine, "time_of", lambda *given: next(times))
    result = houle.difficulty(houle.setup(str(TIDEPOOL), players=2), strategies="random,thumb,family", games=4)
    assert [row.label for row in result.levels] == ["random"]
    assert [name for name, _ in result.left_out] == ["thumb", "family"]
    assert "write --budget" in result.left_out[0][1]
