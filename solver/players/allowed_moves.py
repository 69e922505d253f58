"""The moves a player chooses from: without forbidden ones and without duplicates."""

from __future__ import annotations

from houle.solver.cards.bits import ZERO
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Action, Categories, Moves, Number, Player, Rules, Seat, State
from houle.solver.interface import apply, category_bits, kind, legal, to_move


@outlined
def act(state: State, rules: Rules, action: Action) -> None:
    """`apply`, not inlined: beside a decision the call costs nothing, and inlining it takes long to compile."""
    apply(state, rules, action)


@kernel
def permitted(state: State, rules: Rules, never: Categories, moves: Moves, n: Number) -> Number:
    """Removes moves of the categories in `never`, unless no move would be left; returns the number of moves."""
    if never == ZERO:
        return n
    kept = 0
    for i in range(n):
        kept += 1 if category_bits(state, rules, moves[i]) & never == ZERO else 0
    if kept in (0, n):
        return n
    kept = 0
    for i in range(n):
        if category_bits(state, rules, moves[i]) & never == ZERO:
            moves[kept] = moves[i]
            kept += 1
    return kept


@kernel
def bound_to(state: State, player: Player, seat: Seat) -> Categories:
    """Categories forbidden to the seat to move, as the player in `seat` knows them: only its own are known to it."""
    if player.never != ZERO and to_move(state) == seat:
        return player.never
    return ZERO


@outlined
def distinct_moves(state: State, rules: Rules, never: Categories, moves: Moves) -> Number:
    """Writes the permitted moves, one of each kind; returns how many."""
    n = permitted(state, rules, never, moves, legal(state, rules, moves))
    kept = 0
    for i in range(n):
        label = kind(state, rules, moves[i])
        seen = False
        for j in range(kept):
            seen = seen or kind(state, rules, moves[j]) == label
        if not seen:
            moves[kept] = moves[i]
            kept += 1
    return kept
