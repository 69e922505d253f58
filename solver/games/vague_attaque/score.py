"""VAGUE & ATTAQUE: the validated places, who has won, and the utility of an end for a search."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import THREE, count
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Flag, Numbers, Rules, Side, State
from houle.solver.games.vague_attaque.state import NONE, SHIP, SPOTS
from houle.solver.interface import UTILITY, WIN


@kernel
def round_scores(state: State, rules: Rules, scores: Numbers) -> None:
    """Validated places per side; the ship in the solo game scores its souvenirs."""
    for side in range(rules.sides):
        scores[side] = 0
    for seat in range(rules.seats):
        scores[rules.side[seat]] += state.validated[seat]
    if rules.solo:
        scores[1] = count(state.on[SHIP])


@kernel
def _loaded(state: State, rules: Rules, side: Side) -> Any:
    """Souvenirs on the places of a side."""
    souvenirs = 0
    for spot in range(SPOTS):
        owner = state.owner[spot]
        if owner != NONE and rules.side[owner] == side:
            souvenirs += np.int64(count(state.on[spot]))
    return souvenirs


@kernel
def standing(state: State, rules: Rules, out: Numbers) -> None:
    """Validated places, then souvenirs on places. Solo: how close player and ship are to winning, in thousandths."""
    round_scores(state, rules, out)
    for side in range(rules.sides):
        out[side] = 100 * out[side] + _loaded(state, rules, side)
    if rules.solo:
        out[0] = 1000 * _loaded(state, rules, 0) // (3 * np.int64(rules.target))
        out[1] = 1000 * np.int64(count(state.on[SHIP])) // max(1, np.int64(rules.ship_limit))


@kernel
def outcome(state: State, rules: Rules, shares: Numbers) -> Flag:
    for side in range(rules.sides):
        shares[side] = WIN if side == state.winner else 0
    return state.winner < 0


@kernel
def counts(state: State, rules: Rules, out: Numbers) -> None:
    out[0] += state.moves
    out[1] += state.turns
    out[2] += state.turns // rules.seats
    out[3] += state.duels
    out[4] += 1 if _ship_won(state, rules) else 0


@kernel
def _ship_won(state: State, rules: Rules) -> Any:
    """Whether the ship decided the game: it is among the winners' places, or it beat the solo player."""
    if state.winner < 0 or rules.solo:
        return state.winner == 1
    holder = state.owner[SHIP]
    return holder != NONE and rules.side[holder] == state.winner and count(state.on[SHIP]) == THREE


@kernel
def utility(state: State, rules: Rules, out: Numbers) -> None:
    """A win has all the utility; otherwise up to half of it, for the share of the needed souvenirs that are laid."""
    needed = 3 * np.int64(rules.target)
    for side in range(rules.sides):
        loaded = min(_loaded(state, rules, side), needed)
        out[side] = UTILITY if side == state.winner else UTILITY // 2 * loaded // needed
    if rules.solo:
        out[1] = UTILITY - out[0]
