"""Steps a game's kernels beside its plain reference: same luck, same moves, everything compared at every ply."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from houle.solver.position import Table
from houle.solver.ruleset import Setup
from tests import cases

MASK = (1 << 64) - 1
STEP, FOLD = 0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB
DEAL, CHANCE = 1, 2

# Which call of `deal` opens the stream of a new round: (calls so far, pile size, setup) -> bool.
NEW_ROUND: dict[str, Callable[[int, int, Setup], bool]] = {
    "sea-change": lambda calls, n, setup: n == int(setup.options["deck.colours"]) * len(setup.options["deck.values"]),
    "land-unter": lambda calls, n, setup: (
        calls >= setup.players * setup.options["hand"] and n == len(setup.options["deck.water"])
    ),
}


def mix(counter: int) -> int:
    product = counter * (counter ^ FOLD)
    return (product >> 64 ^ product) & MASK


def derive(key: int, part: int) -> int:
    return mix((mix(key ^ part * STEP & MASK) + STEP) & MASK)


class Luck:
    """The kernels' streams in plain Python: what they draw, the reference is told."""

    def __init__(self, setup: Setup, seed: int, game: int, purpose: int) -> None:
        self.setup, self.calls, self.round = setup, 0, -1
        self.key = derive(derive(derive(seed, DEAL), game), purpose)
        self.position = self.key
        self.opens = NEW_ROUND.get(setup.ruleset.name) if purpose == DEAL else None

    def __call__(self, n: int) -> int:
        if self.opens and self.opens(self.calls, n, self.setup):
            self.round += 1
            self.position = derive(self.key, self.round)
        self.calls += 1
        self.position = self.position + STEP & MASK
        return (mix(self.position) >> 32) * n >> 32


def reference_game(setup: Setup, seed: int, game: int) -> Any:
    module = importlib.import_module(f"tests.reference.{setup.ruleset.name.replace('-', '_')}")
    knobs = getattr(cases.module(setup.ruleset.name), "reference_knobs", lambda setup: dict(setup.options))(setup)
    return module.Game(setup.players, knobs, Luck(setup, seed, game, DEAL), Luck(setup, seed, game, CHANCE))


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
