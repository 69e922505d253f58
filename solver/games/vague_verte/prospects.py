"""VAGUE VERTE: how close a seat is to winning, as numbers for the learned evaluation."""

from __future__ import annotations

import numpy as np

from houle.solver.cards.bits import ONE, U8, ZERO, count, has, lowest, single, without_lowest
from houle.solver.compiler.kernels import outlined
from houle.solver.compiler.types import Numbers, Rules, Seat, State
from houle.solver.games.vague_verte.board import aims
from houle.solver.games.vague_verte.state import DUCKS, GREEN_LIGHTS, LIT, NONE, STARTED

FLAG = 32


@outlined
def prospects(state: State, rules: Rules, seat: Seat, out: Numbers) -> None:
    hand = state.hand[seat]
    filled = U8(state.filled[seat])
    to_go = np.int64(rules.road) - np.int64(filled)
    distance = (np.int64(seat) + np.int64(rules.seats) - np.int64(state.seat)) % np.int64(rules.seats)
    greens, tows = hand & rules.group[GREEN_LIGHTS], hand & rules.tows
    remedies = greens | hand & rules.ambulances
    barred = has(state.targets, U8(LIT) + filled)
    last = state.last[seat]
    broken = last != NONE and not has(rules.opens[last], 4 * DUCKS)
    fitting = hand & state.own[seat]
    next_ones, rest = 0, fitting
    while rest != ZERO:
        card = lowest(rest)
        next_ones = max(next_ones, np.int64(count(hand & ~single(card) & rules.follow[card])))
        rest = without_lowest(rest)
    out[0] = 8 * to_go
    out[1] = FLAG if has(state.targets, U8(STARTED) + U8(seat)) else 0
    out[2] = FLAG if to_go == 1 else 0
    out[3] = FLAG if to_go == 2 else 0
    out[4] = FLAG if broken else 0
    out[5] = FLAG if broken and tows != ZERO else 0
    out[6] = FLAG if barred else 0
    out[7] = FLAG if barred and remedies != ZERO else 0
    out[8] = 8 * np.int64(count(fitting))
    out[9] = FLAG if fitting == ZERO else 0
    out[10] = 8 * np.int64(count(hand & rules.cars))
    out[11] = 8 * np.int64(count(tows))
    out[12] = 8 * np.int64(count(greens))
    out[13] = 8 * np.int64(count(hand & rules.ambulances))
    out[15] = 8 * np.int64(count(hand & rules.red_lights))
    out[16] = 8 * np.int64(count(hand & rules.ducks))
    out[17] = FLAG * np.int64(state.missed[seat])
    out[18] = 16 * distance
    out[19] = FLAG if distance == 0 else 0
    open_to = aims(state, seat)
    for colour in range(DUCKS):
        weapons = np.int64(count(hand & rules.group[colour]))
        out[14] += 8 * weapons
        if open_to & rules.aims[colour] != ZERO:
            out[20] += 8 * weapons
    rows = U8(LIT) + filled + ONE
    out[21] = 8 * np.int64(count(state.targets >> rows)) if to_go > 0 else 0
    out[22] = 16 * next_ones
    out[23] = 64 if to_go == 1 and fitting != ZERO else 0
    out[24] = 64 if to_go == 1 and fitting != ZERO and distance == 0 else 0
    out[25] = FLAG if has(rules.within[filled], 0) else 0
    for other in range(rules.seats):
        if other != seat:
            theirs = state.hand[other]
            out[26] += 8 * np.int64(count(theirs & rules.red_lights))
            for colour in range(DUCKS):
                if has(state.targets, U8(4 * colour) + U8(seat)):
                    out[27] += 16 * np.int64(count(theirs & rules.group[colour]))
    out[28 + np.int64(rules.seats) - 2] = FLAG
    out[31] = FLAG if to_go <= 3 and fitting != ZERO and next_ones > 0 else 0
