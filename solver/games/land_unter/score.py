"""LAND UNTER: the score of a round, the outcome of a game, and its utility for a search.

Scores are entered once per game (the default `round_over`): hands travel, so only a whole game is fair to every seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import has
from houle.solver.compiler.kernels import kernel
from houle.solver.compiler.types import Flag, Number, Numbers, Rules, State
from houle.solver.interface import UTILITY, share_among

GREATEST_LEAD = 4  # lifebelts per round; a greater lead has no more utility


@kernel
def score_round(state: State, rules: Rules, seats: Number) -> None:
    """Points for the seats still in the round (lifebelts, lowest level) and for those that are out.

    Cards that these seats have played are added to what was seen of their packs.
    """
    lowest: Any = 255
    for seat in range(rules.seats):
        if has(seats, seat):
            lowest = min(lowest, np.int64(state.level[seat]))
    for seat in range(rules.seats):
        if has(seats, seat):
            bonus = np.int64(rules.lowest) if state.level[seat] == lowest else 0
            state.points[seat] += np.int64(state.belts[seat]) * rules.belt + bonus
            state.seen[seat] |= state.pack[seat] & ~state.hand[seat]
        else:
            state.points[seat] += rules.eliminated


@kernel
def search_over(state: State, root: State) -> Flag:
    """A search looks no further than the round, because later hands hardly depend on how this one is played."""
    return state.mover < 0 or state.rounds > root.rounds


@kernel
def round_scores(state: State, rules: Rules, scores: Numbers) -> None:
    for seat in range(rules.seats):
        scores[seat] = state.points[seat]


@kernel
def standing(state: State, rules: Rules, out: Numbers) -> None:
    """The points so far, with those of the current round as if it ended now, without points for the lowest level."""
    for seat in range(rules.seats):
        kept = np.int64(state.belts[seat]) * rules.belt
        now = np.int64(rules.eliminated) if has(state.out, seat) else kept
        out[seat] = np.int64(state.points[seat]) + (0 if state.mover < 0 else now)


@kernel
def _winners(state: State, rules: Rules) -> Any:
    """The most points, and how many seats have them."""
    most, winners = np.int64(state.points[0]), 0
    for seat in range(rules.seats):
        most = max(most, np.int64(state.points[seat]))
    for seat in range(rules.seats):
        winners += 1 if state.points[seat] == most else 0
    return most, winners


@kernel
def outcome(state: State, rules: Rules, shares: Numbers) -> Flag:
    most, _ = _winners(state, rules)
    share_among(state.points, most, rules.seats, shares)
    return False


@kernel
def counts(state: State, rules: Rules, out: Numbers) -> None:
    out[0] += state.moves
    out[1] += state.tricks
    out[2] += state.rounds
    out[3] += state.eliminations
    out[4] += state.tricks


@kernel
def utility(state: State, rules: Rules, out: Numbers) -> None:
    """The lead after a round; at the end of the game half the lead and half the share of the win.

    A lead counts half over the best rival and half over the mean of all rivals: with rounds to come, a player who is
    behind now may still win.
    """
    most, winners = _winners(state, rules)
    total: Any = 0
    for seat in range(rules.seats):
        total += np.int64(state.points[seat])
    others = np.int64(rules.seats) - 1
    # Leads are in fractions of a point, so that the mean of the rivals is a whole number.
    greatest = 2 * others * GREATEST_LEAD * np.int64(rules.rounds) * max(1, abs(np.int64(rules.belt)))
    for seat in range(rules.seats):
        mine, best = np.int64(state.points[seat]), np.int64(-32768)
        for other in range(rules.seats):
            if other != seat:
                best = max(best, np.int64(state.points[other]))
        lead = 2 * others * mine - others * best - (total - mine)
        out[seat] = UTILITY // 2 * (greatest + min(greatest, max(-greatest, lead))) // greatest
        if state.mover < 0:
            share = UTILITY // winners if mine == most else 0
            out[seat] = (out[seat] + share) // 2
