"""`houle check`: a game that obeys passes, and what breaks a law is told with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from houle.analysis.checks import check as checks
from houle.analysis.checks.beside import plays_as_its_plain_version
from houle.analysis.checks.check import FAILED, LEFT_OUT, PASSED, Check, check_game, random_moves_are_uniform
from houle.solver.errors import InputError
from houle.solver.invariants import INVARIANTS, InvariantBroken
from houle.solver.match import Match
from houle.solver.ruleset import make_setup
from tests.reference import vague_verte
from tests.support.beside import reference
from tests.support.call import call


def test_a_game_of_the_house_obeys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the process that runs it uncompiled, which has a test of its own."""
    monkeypatch.setattr(checks, "same_without_the_compiler", lambda setup, games, seed: 1)
    found = {one.name: one for one in check_game("vague-verte", (2,), 1)}
    assert {name for name, one in found.items() if one.verdict == FAILED} == set()
    assert found["plays as its plain version"].verdict == LEFT_OUT
    assert found["fair play"].verdict == PASSED
    assert set(INVARIANTS) < set(found)


def test_kernels_beside_a_plain_version(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = make_setup("vague-verte", 2)
    game = reference(setup)
    assert plays_as_its_plain_version(setup, game, 2, 3) > 10
    snapshot = vague_verte.Game.snapshot

    def other(self: Any) -> dict[str, Any]:
        seen = snapshot(self)
        return seen | {"extra": 1} if self.to_move() == 1 else seen

    monkeypatch.setattr(vague_verte.Game, "snapshot", other)
    with pytest.raises(
        InvariantBroken, match=r"vague-verte p2, seed 3, game 0, ply \d+: compiled and in plain\.py .*extra"
    ):
        plays_as_its_plain_version(setup, game, 2, 3)
    monkeypatch.setattr(vague_verte.Game, "snapshot", snapshot)
    result = vague_verte.Game.result
    monkeypatch.setattr(vague_verte.Game, "result", lambda self: result(self) | {"counts": {}})
    with pytest.raises(InvariantBroken, match=r"counted, and not in plain\.py"):
        plays_as_its_plain_version(setup, game, 1, 3)
    monkeypatch.setattr(vague_verte.Game, "snapshot", lambda self: 1 // 0)
    with pytest.raises(InputError, match="ZeroDivisionError"):
        plays_as_its_plain_version(setup, game, 1, 3)


def test_moves_that_come_up_too_often_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = make_setup("vague-verte", 2)
    assert random_moves_are_uniform(setup, 2, 1) > 0
    monkeypatch.setattr(Match, "random_move", lambda table: table.moves()[0])
    with pytest.raises(InvariantBroken, match="random moves"):
        random_moves_are_uniform(setup, 2, 1)


def test_the_command_says_what_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        Check("games end", PASSED, 4, ""),
        Check("fair play", FAILED, 0, "vague-verte p2, seed 1, game 0, ply 3: x"),
    ]
    monkeypatch.setattr(checks, "check_game", lambda *asked: rows)
    result = call("check", "vague-verte")
    assert result.exit_code == 1
    assert "fair play: vague-verte p2, seed 1, game 0, ply 3: x" in result.stdout
    assert "breaks 1 law" in result.stdout
    assert json.loads(call("check", "vague-verte", "--json").stdout)["failed"] == 1


def test_an_unknown_game_is_one_line() -> None:
    result = call("check", "no-such-game")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
