"""Names of 0.1.0: they warn, take the call of then, and give the results of today."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from houle import analysis
from houle.solver.ruleset import make_setup
from houle.solver.strategies.names import parse
from houle.solver.strategies.player import seat_strategies


def former(name: str) -> Any:
    with pytest.warns(DeprecationWarning, match=f"{name} goes with the next release"):
        return getattr(analysis, name)


def test_balance_and_setups() -> None:
    setup = make_setup("wave", 3)
    found = former("read_balance")(setup, 100, 4, "random", 1)
    assert found.digest == analysis.balance(setup, strategies="random", games=100, seed=4).digest
    found = former("read_setups")(setup, 100, 4, "random", 1)
    assert found.digest == analysis.openings(setup, strategies="random", games=100, seed=4).digest


def test_a_start_of_ones_own_counted_seats_from_0(tmp_path: Path) -> None:
    setup = make_setup("wave", 3)
    found = analysis.openings(setup, opening="top: white 3; seat 1: red 1", strategies="random", games=100, seed=4)
    play_arranged = former("play_arranged")
    text = "top: white 3; seat 0: red 1"
    assert play_arranged(setup, text, 100, 4, "random", 1).digest == found.digest
    file = tmp_path / "start.txt"
    file.write_text(text, encoding="utf-8")
    assert play_arranged(setup, str(file), 100, 4, "random", 1).digest == found.digest


def test_skill_and_its_parts() -> None:
    setup = make_setup("wave", 3)
    now = analysis.skill(setup, strategies="random,thumb", games=20, search_games=5, takes=2, seed=4)
    games: list[int] = []
    then = former("measure_skill")(
        setup, ("random", "thumb"), 20, 5, 2, (), 4, 1, lambda done, seconds, doing: games.append(done)
    )
    assert then.digest == now.digest
    assert games
    gap = former("relative_skill")(setup, parse("random"), parse("thumb"), 5, 4, 1)
    assert (gap.digest, gap.relative) == (now.gap.digest, now.gap.relative)
    luck = former("measure_luck")(setup, seat_strategies(setup, ["thumb"]), 20, 2, 4, 1)
    assert luck.digest == now.alike.digest


def test_decisions_and_restrictions() -> None:
    setup = make_setup("wave", 3)
    found = former("note_decisions")(setup, "flat:20", 2, 4, 1)
    assert found.digest == analysis.decisions(setup, strategies="flat:20", games=2, seed=4, first=1).digest
    told: list[tuple[int, int]] = []
    then = former("restrict")(
        setup, "thumb", ["reverse"], [], 50, 4, 1, lambda done, seconds, games: told.append((done, games))
    )
    assert then.digest == analysis.ablate(setup, "thumb", never=["reverse"], without=[], games=50, seed=4).digest
    assert told[-1] == (100, 100)
