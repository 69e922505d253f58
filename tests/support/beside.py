"""Steps a game's kernels beside its plain reference: same luck, same moves, everything compared at every ply."""

from __future__ import annotations

import importlib
from typing import Any

from houle.analysis.plain.luck import CHANCE, DEAL, Chance, Luck, derive, game_key
from houle.solver.position import Table
from houle.solver.ruleset import Setup
from tests import cases


def reference_game(setup: Setup, seed: int, game: int) -> Any:
    module = importlib.import_module(f"tests.reference.{setup.ruleset.name.replace('-', '_')}")
    knobs = getattr(cases.module(setup.ruleset.name), "reference_knobs", lambda setup: dict(setup.options))(setup)
    root = game_key(seed, game)
    return module.Game(setup.players, knobs, Luck(derive(root, DEAL)), Chance(derive(root, CHANCE)))


def compare(setup: Setup, seed: int, game: int) -> int:
    """Plays one random game on both sides; raises at the first difference, returns the number of plies."""
    table, plain = Table(setup, seed, game), reference_game(setup, seed, game)
    plies = 0
    while True:
        where = f"{setup.ruleset.name} p{setup.players} {setup.variants} {dict(setup.changed)}"
        where += f" seed {seed} game {game} ply {plies}"
        assert table.to_move() == plain.to_move(), f"{where}: seat to move"
        kernel, reference = table.snapshot(), plain.snapshot()
        if kernel != reference:
            keys = [key for key in reference if kernel.get(key) != reference[key]] + sorted(
                set(kernel) - set(reference)
            )
            raise AssertionError(
                f"{where}: " + "; ".join(f"{k}: kernel {kernel.get(k)}, reference {reference.get(k)}" for k in keys)
            )
        moves = table.names()
        assert sorted(moves) == sorted(plain.legal()), f"{where}: legal moves"
        if not moves:
            break
        action = table.random_move()
        name = table.name(action)
        assert action in table.moves(), f"{where}: {name} is not legal"
        # Of equal cards, which share a name, the reference takes the lowest.
        table.apply(min(move for move in table.moves() if table.name(move) == name))
        plain.apply(name)
        plies += 1
    kernel, reference = table.result(), plain.result()
    where += ": result"
    assert kernel["shares"] == reference["shares"], where
    scores = reference.get("round_scores", [reference["scores"]])[-1]
    assert kernel["scores"] == scores, f"{where}: {kernel['scores']} {scores}"
    expected = {key: reference[key] for key in ("moves", "turns", "rounds")} | reference["counts"]
    assert kernel["counts"] == expected, f"{where}: {kernel['counts']} {expected}"
    return plies
