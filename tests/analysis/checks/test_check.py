"""`houle check`: a correct game passes, and every violation names where it happened."""

from __future__ import annotations

import json
from typing import Any

import pytest

from houle.analysis.checks import check as checks
from houle.analysis.checks.against_plain import plays_as_its_plain_version
from houle.analysis.checks.check import FAILED, LEFT_OUT, PASSED, Check, check_game, random_moves_are_uniform
from houle.solver.errors import InputError
from houle.solver.invariants import INVARIANTS, InvariantBroken
from houle.solver.matches.match import Match
from houle.solver.rules import Setup, make_setup
from tests.reference import vague_verte
from tests.support.beside import reference
from tests.support.call import call

pytestmark = pytest.mark.compiled


@pytest.mark.slow
def test_an_installed_game_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the uncompiled run, which has its own test."""
    monkeypatch.setattr(checks, "same_without_the_compiler", lambda setup, games, seed: 1)
    rows = {one.name: one for one in check_game("land-unter", (3,), 1)}
    assert {name for name, one in rows.items() if one.verdict == FAILED} == set()
    assert rows["same games as the plain version"].verdict == LEFT_OUT
    assert rows["fair play"].verdict == PASSED
    assert set(INVARIANTS) < set(rows)


def test_differences_from_the_plain_version_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = make_setup("vague-verte", 2)
    game = reference(setup)
    assert plays_as_its_plain_version(setup, game, 2, 3) > 10
    snapshot = vague_verte.Game.snapshot

    def other(self: Any) -> dict[str, Any]:
        seen = snapshot(self)
        return seen | {"extra": 1} if self.to_move() == 1 else seen

    monkeypatch.setattr(vague_verte.Game, "snapshot", other)
    with pytest.raises(
        InvariantBroken, match=r"vague-verte, 2 players, seed 3, game 0, ply \d+: compiled and in the reference .*extra"
    ):
        plays_as_its_plain_version(setup, game, 2, 3)
    monkeypatch.setattr(vague_verte.Game, "snapshot", snapshot)
    result = vague_verte.Game.result
    monkeypatch.setattr(vague_verte.Game, "result", lambda self: result(self) | {"counts": {}})
    with pytest.raises(InvariantBroken, match=r"counted, but not in the reference"):
        plays_as_its_plain_version(setup, game, 1, 3)
    monkeypatch.setattr(vague_verte.Game, "snapshot", lambda self: 1 // 0)
    with pytest.raises(InputError, match="ZeroDivisionError"):
        plays_as_its_plain_version(setup, game, 1, 3)


@pytest.mark.quick
def test_the_first_run_takes_the_smallest_and_largest_setup(monkeypatch: pytest.MonkeyPatch) -> None:
    def players(setup: Setup, games: int, seed: int) -> int:
        return setup.players

    monkeypatch.setattr(checks, "_checks", lambda setups, bounds: [("players", players)])
    assert [one.number for one in checks.run_checks("wave", (2, 3, 4), 1, 1, False, True)] == [2 + 4]


def test_uneven_random_moves_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = make_setup("vague-verte", 2)
    assert random_moves_are_uniform(setup, 2, 1) > 0
    monkeypatch.setattr(Match, "random_move", lambda match: match.moves()[0])
    with pytest.raises(InvariantBroken, match="random moves"):
        random_moves_are_uniform(setup, 2, 1)


@pytest.mark.quick
def test_the_command_says_what_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        Check("games end", PASSED, 4, ""),
        Check("fair play", FAILED, 0, "vague-verte, 2 players, seed 1, game 0, ply 3: x"),
    ]

    def two_checks(*asked: Any) -> list[Check]:
        for row in rows:
            asked[-1](row.name)
        return rows

    monkeypatch.setattr(checks, "check_game", two_checks)
    result = call("check", "vague-verte")
    assert result.exit_code == 1
    assert result.stderr == "checking vague-verte; this takes minutes if it is not compiled yet\n"
    assert "fair play: vague-verte, 2 players, seed 1, game 0, ply 3: x" in result.stdout
    assert "vague-verte fails 1 check" in result.stdout
    assert json.loads(call("check", "vague-verte", "--json").stdout)["failed"] == 1


@pytest.mark.quick
def test_an_unknown_game_is_one_line() -> None:
    result = call("check", "no-such-game")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
