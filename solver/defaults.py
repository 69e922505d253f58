"""What stands in for verbs that a game does not bring: kernels that read nothing but common fields of its records.

Some are what most games mean anyway; the others hold for games whose state is declared (`declare`), or that
have fields of the same names.
"""

from __future__ import annotations

from typing import Any

from houle.solver.bitset import U8, ZERO
from houle.solver.kernels import kernel
from houle.solver.types import Action, Flag, Key, Label, Moves, Number, Numbers, Rules, Seat, State


@kernel
def to_move(state: State) -> Seat:
    return state.mover


@kernel
def round_over(state: State) -> Flag:
    """A game of one round."""
    return state.mover < 0


@kernel
def counts(state: State, rules: Rules, out: Numbers) -> None:
    out[0] += state.moves
    out[1] += state.turns
    out[2] += 1


@kernel
def observed(state: State, rules: Rules, action: Action, seat: Seat) -> Label:
    """Everything is laid open."""
    return U8(action)


@kernel
def kind(state: State, rules: Rules, action: Action) -> Label:
    """All moves differ."""
    return U8(action)


@kernel
def careless(state: State, rules: Rules, seat: Seat, key: Key) -> Any:
    """A game whose imagined players all follow their rules of thumb."""
    return ZERO


@kernel
def in_use(state: State, rules: Rules) -> Number:
    """A game whose tables all need the whole of a state."""
    return 0


@kernel
def tricks_to_come(state: State) -> Number:
    """A game without tricks, or whose last ones hang on luck and hidden choices."""
    return 0


@kernel
def recall(past: State, rules: Rules, seat: Seat, now: State, world: State) -> Flag:
    """A game that cannot say what a seat held before: nothing that was done tells anything."""
    return False


@kernel
def standing(state: State, rules: Rules, out: Numbers) -> None:
    """A game in which nobody is ahead of anybody."""


@kernel
def features(state: State, rules: Rules, moves: Moves, n: Number, table: Any) -> None:
    """A game without rules of thumb."""


@kernel
def category_bits(state: State, rules: Rules, action: Action) -> Any:
    """A game whose moves are all of one sort."""
    return ZERO


@kernel
def solve(state: State, rules: Rules, limit: Number, line: Any, memory: Any) -> Any:
    """A game without an exact solver: nothing is foreseen, and nothing is left unresolved either."""
    return 0, 0, 0
