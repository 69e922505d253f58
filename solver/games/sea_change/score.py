"""SEA CHANGE: the points of a round, who wins the game, and the utility of an end for a search."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, has
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.local_arrays import local_zeros
from houle.solver.compiler.types import Flag, Numbers, Rules, Side, State
from houle.solver.games.sea_change.state import AI, COLOUR, IN_WORD, PLAYER, SOLO_DUTY, WORD
from houle.solver.interface import MAX_SIDES, UTILITY, WIN, share_among

OUT = 255  # the tie-break of a side below the target: behind all others
LOWEST = np.int64(-1_000_000)  # below every score
CLOSE = 6  # a lead of this many points has half of the greatest utility that a lead can have
PER_POINT = 3  # each victory point multiplies the odds to win the game by this


@kernel
def _has_trump_zero(state: State, side: Side) -> Any:
    card = U8(state.trump) << COLOUR
    return has(state.captured[side, card >> WORD], card & IN_WORD)


@kernel
def _captured_of(state: State, rules: Rules, side: Side, value: Any) -> Any:
    """How many cards of a value a side captured in this round."""
    low = state.captured[side, 0] & rules.of_value[value, 0]
    return count(low) + count(state.captured[side, 1] & rules.of_value[value, 1])


@kernel
def score_round(state: State, rules: Rules) -> Any:
    """Settles the zeros and gives the best sides a victory point; True if that ends the game."""
    best = LOWEST
    for side in range(rules.sides):
        score = np.int64(state.points[side])
        if rules.zero != 0:
            score += np.int64(rules.zero) * np.int64(_captured_of(state, rules, side, 0))
        if _has_trump_zero(state, side):
            score += np.int64(rules.trump_zero) - np.int64(rules.zero)
        state.scores[side] = score
        best = max(best, score)
    won = np.int64(0)
    for side in range(rules.sides):
        won |= np.int64(state.scores[side] == best) << side
    if rules.solo and _captured_of(state, rules, PLAYER, SOLO_DUTY) == ZERO:
        won = np.int64(1 << AI)
    over = False
    for side in range(rules.sides):
        state.vp[side] += won >> side & 1
        over = over or state.vp[side] >= rules.target
    state.won = won
    return over


@kernel
def round_over(state: State) -> Flag:
    return state.ended != 0


@kernel
def round_scores(state: State, rules: Rules, scores: Numbers) -> None:
    for side in range(rules.sides):
        scores[side] = state.scores[side]


@kernel
def standing(state: State, rules: Rules, out: Numbers) -> None:
    """Victory points first, then the points of the round under way."""
    for side in range(rules.sides):
        out[side] = 1000 * np.int64(state.vp[side]) + (0 if state.mover < 0 else np.int64(state.points[side]))


@kernel
def _tie_break(state: State, side: Side) -> Any:
    """The tie-break among sides at the target, lowest first: the trump's zero, else the fewest captured cards."""
    cards = ONE + count(state.captured[side, 0]) + count(state.captured[side, 1])
    return ZERO if _has_trump_zero(state, side) else cards


@kernel
def outcome(state: State, rules: Rules, shares: Numbers) -> Flag:
    """The tie-break decides among the sides at the target; sides that are still equal share the win."""
    ranks, best = local_zeros(MAX_SIDES, np.int64), np.int64(OUT)
    for side in range(rules.sides):
        ranks[side] = np.int64(_tie_break(state, side)) if state.vp[side] >= rules.target else OUT
        best = min(best, ranks[side])
    share_among(ranks, best, rules.sides, shares)
    return False


@kernel
def counts(state: State, rules: Rules, out: Numbers) -> None:
    out[0] += state.moves
    out[1] += state.turns
    out[2] += state.rounds
    out[3] += state.all_changes


@kernel
def utility(state: State, rules: Rules, out: Numbers) -> None:
    """Two thirds for the odds to win the game by victory points, one third for the lead in the round."""
    if state.mover < 0:
        outcome(state, rules, out)
        for side in range(rules.sides):
            out[side] *= UTILITY // WIN
    else:
        total = 0
        for side in range(rules.sides):
            out[side] = 1
            for _ in range(state.vp[side]):
                out[side] *= PER_POINT
            total += out[side]
        for side in range(rules.sides):
            out[side] = UTILITY * out[side] // total
    for side in range(rules.sides):
        rival = LOWEST
        for other in range(rules.sides):
            rival = max(rival, np.int64(state.scores[other])) if other != side else rival
        lead = np.int64(state.scores[side]) - rival
        out[side] = (2 * out[side] + UTILITY // 2 + UTILITY // 2 * lead // (abs(lead) + CLOSE)) // 3
