"""Defaults of game functions: kernels for the functions that a game leaves out.

Some read fields of STATE (`mover`, `moves`, `turns`), which declared games have (declared/fields.py) and others may
have. interface/functions.py says which default belongs to which function.
"""

from __future__ import annotations

from typing import Any

from houle.solver.cards.bits import U8, ZERO
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Action, Flag, Key, Label, Moves, Number, Numbers, Rules, Seat, State


@kernel
def to_move(state: State) -> Seat:
    return state.mover


@kernel
def round_over(state: State) -> Flag:
    """The game is one round."""
    return state.mover < 0


@kernel
def counts(state: State, rules: Rules, out: Numbers) -> None:
    out[0] += state.moves
    out[1] += state.turns
    out[2] += 1


@kernel
def is_secret(state: State, rules: Rules) -> Flag:
    """No action is secret."""
    return False


@kernel
def observed(state: State, rules: Rules, action: Action, seat: Seat) -> Label:
    """Everybody sees every action."""
    return U8(action)


@kernel
def kind(state: State, rules: Rules, action: Action) -> Label:
    """All actions differ."""
    return U8(action)


@kernel
def observe(state: State, rules: Rules, seat: Seat, out: Numbers) -> Number:
    """No numbers: learners cannot play the game."""
    return 0


@kernel
def careless(state: State, rules: Rules, seat: Seat, key: Key) -> Any:
    """All imagined players follow their rules of thumb."""
    return ZERO


@kernel
def in_use(state: State, rules: Rules) -> Number:
    """Every setup uses the whole state."""
    return 0


@kernel
def is_signal(state: State) -> Flag:
    """A game without signals."""
    return False


@kernel
def recall(past: State, rules: Rules, seat: Seat, now: State, world: State) -> Flag:
    """Earlier states are not rebuilt, so the game cannot be read (`reads=` is refused)."""
    return False


@kernel
def standing(state: State, rules: Rules, out: Numbers) -> None:
    """Nobody is ahead during the game."""


@kernel
def features(state: State, rules: Rules, moves: Moves, n: Number, table: Any) -> None:
    """No rules of thumb."""


@kernel
def named_move(state: State, rules: Rules, number: Number) -> Action:
    """Only a class in plain Python names players."""
    return -1


@kernel
def prospects(state: State, rules: Rules, seat: Seat, out: Numbers) -> None:
    """Nothing is known before the end."""


@kernel
def category_bits(state: State, rules: Rules, action: Action) -> Any:
    """No categories."""
    return ZERO


@kernel
def solve(state: State, rules: Rules, limit: Number, line: Any, memory: Any) -> Any:
    """No exact solver: no line is found, and nothing is left unresolved."""
    return 0, 0, 0
