"""VAGUE & ATTAQUE: how close a seat is to winning, as numbers for the learned evaluation."""

from __future__ import annotations

from typing import Any

import numpy as np

from houle.solver.cards.bits import U8, ZERO, count, lowest, single, without_lowest
from houle.solver.compiler.kernels import kernel, outlined
from houle.solver.compiler.types import Numbers, Rules, Seat, State
from houle.solver.games.vague_attaque.deck import POWERS
from houle.solver.games.vague_attaque.piles import hand_size
from houle.solver.games.vague_attaque.state import ALL_PLACES, ALL_SOUVENIRS, FIRST_PLACE, MAX_SEATS, SHIP, SOUVENIRS
from houle.solver.games.vague_attaque.usefulness import count_matching, open_spots_by_load, use_of

FLAG = 32
_POWERS = 28
_SEATS = _POWERS + len(POWERS)
_SHIP_ROOM = _SEATS + MAX_SEATS


@kernel
def _fitting(state: State, rules: Rules, souvenirs: Any) -> Any:
    """The spots where one of these souvenirs may be laid."""
    spots = ZERO
    while souvenirs != ZERO:
        souvenir = lowest(souvenirs)
        spots |= rules.bears[souvenir] & ~(state.needy & rules.shared[souvenir])
        souvenirs = without_lowest(souvenirs)
    return spots


@outlined
def prospects(state: State, rules: Rules, seat: Seat, out: Numbers) -> None:
    hand = state.hand[seat]
    souvenirs, held = hand & ALL_SOUVENIRS, (hand & ALL_PLACES) >> U8(FIRST_PLACE)
    partner = rules.partner[seat]
    need = np.int64(rules.target) - np.int64(state.validated[seat])
    if partner != seat:
        need -= np.int64(state.validated[partner])
    distance = (np.int64(seat) + np.int64(rules.seats) - np.int64(state.seat)) % np.int64(rules.seats)
    empty, one, two = open_spots_by_load(state, seat)
    fits = _fitting(state, rules, souvenirs)
    completes = np.int64(count(two & fits))
    out[0] = 16 * need
    out[1] = FLAG if need == 1 else 0
    out[2] = 16 * distance
    out[3] = FLAG if distance == 0 else 0
    out[4] = 16 * completes
    out[5] = 16 * np.int64(count(two & ~fits))
    out[6] = 16 * np.int64(count(one & fits))
    out[7] = 16 * np.int64(count(one & ~fits))
    out[8] = 16 * np.int64(count(empty & fits))
    out[9] = 16 * np.int64(count(empty & ~fits))
    places = held
    while places != ZERO:
        mates = count_matching(rules, souvenirs, lowest(places))
        out[10 if mates > 0 else 11] += 16
        places = without_lowest(places)
    out[12] = 8 * np.int64(count(souvenirs))
    levels, rest = (empty, one, two), souvenirs
    while rest != ZERO:
        out[13] += use_of(state, rules, lowest(rest), levels, held) // 4
        rest = without_lowest(rest)
    gold = state.gold[seat]
    out[14] = 16 * np.int64(count(gold & rules.parry))
    out[15] = 16 * np.int64(count(gold & rules.steady))
    out[16] = 16 * np.int64(count(gold & rules.mooring))
    out[17] = 8 * np.int64(hand_size(state, seat))
    if state.owner[SHIP] == seat:
        out[18] = FLAG
        out[19] = 16 * np.int64(count(state.on[SHIP]))
    if rules.middle:
        out[20] = 16 * np.int64(count(state.on[SHIP]))
    out[21] = FLAG if need == 1 and completes > 0 else 0
    out[22] = 64 if need == 1 and completes > 0 and distance == 0 else 0
    out[23] = FLAG if need == 1 and two != ZERO else 0
    out[24] = np.int64(state.left[SOUVENIRS])
    out[25] = 16 * np.int64(count(two & fits & single(SHIP)))
    out[26] = FLAG if partner != seat else 0
    out[27] = min(np.int64(state.turns), 120)
    if rules.solo:
        out[_SHIP_ROOM] = 8 * (np.int64(rules.ship_limit) - np.int64(count(state.on[SHIP])))
    out[_POWERS + np.int64(state.power[seat])] = FLAG
    out[_SEATS + np.int64(rules.seats) - 1] = FLAG
